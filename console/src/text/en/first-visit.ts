/** What a new installation shows until its owner has signed in and named the business. */
export const firstVisit = {
  title: "Welcome to Leadport",
  hint: "This installation has no owner yet. To become its owner, open the link that the service printed when it started.",
  find: "Find the link in the terminal or log of the service. It is on the line that starts with Console:",
  printed: (origin: string) => `Console        ${origin}/link#…  (once, within 24 h)`,
  open: "Open the link, enter your name and email, and choose a password. You are then the owner.",
  lost: "No link, or it no longer works?",
  lostHint:
    "Restart the service: each start prints a new link until there is an owner. Or create an owner on the machine of the service with this command, which prints a link, too:",
  command:
    'npm run -s leadport -- person create --tenant default --name "Your Name" --email you@example.com --role owner',
  signIn: "Already have a password? Sign in",
  businessTitle: "Your business",
  businessHint: "You can change all of this later under Business.",
  name: "Name of your business",
  nameHint: "Partners and invited users see it.",
  namePlaceholder: "Harbour Ltd",
  save: "Save and continue",
  skip: "Skip for now",
};
