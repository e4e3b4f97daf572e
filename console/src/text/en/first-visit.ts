/** Strings for a new installation, shown until its owner has signed in and named the business. */
export const firstVisit = {
  title: "Welcome to Leadport",
  hint: "This installation has no owner yet. To become the owner, open the link that the service printed when it started.",
  find: "Find the link in the terminal or the service log, on the line that starts with Console:",
  printed: (origin: string) => `Console        ${origin}/link#…  (works once, within 24 h)`,
  open: "Open the link, enter your name and email, and choose a password. You are now the owner.",
  lost: "Can’t find the link, or it no longer works?",
  lostHint:
    "Restart the service: it prints a new link at each start until the installation has an owner. Alternatively, run this command on the server to create an owner and print a link. If you set DATA_DIR or DATABASE_URL for the service, set it for the command too:",
  command:
    'npm run -s leadport -- person create --tenant default --name "Your Name" --email you@example.com --role owner',
  signIn: "Already have a password? Sign in",
  businessTitle: "Your business",
  businessHint: "You can change all of this later under Business.",
  name: "Name of your business",
  nameHint: "Shown to partners and invited users.",
  namePlaceholder: "Harbor Ltd",
  save: "Save and continue",
  skip: "Skip for now",
};
