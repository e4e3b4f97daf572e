export const demoData = {
  title: "Demo data",
  badge: "Demo",
  hint: "Try Leadport with a year of sample leads, partners and deals in a separate business. You can remove it at any time.",
  load: "Load demo data",
  loading: (share: string) => `Loading demo data: ${share}`,
  progress: "Demo data loading progress",
  removing: "Removing demo data…",
  interrupted: "Loading demo data was interrupted. Remove it, then load it again.",
  ready: (name: string) =>
    `“${name}” is ready. Open it and choose a password. To return to this business, sign out and sign in again. If you use the same password for both businesses, the sign-in page asks which one to open.`,
  signInTo: (name: string) =>
    `You are an owner of “${name}”. To open it, sign out and sign in with your password for that business.`,
  open: "Open demo business",
  remove: "Remove demo data",
  removeTitle: "Remove the demo data?",
  removeText:
    "This deletes the demo business and everything in it, including records that you added. Your other businesses are not affected.",
};
