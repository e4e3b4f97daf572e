/** The command palette: pages, deeds and records by the first letters of them. */

export const palette = {
  title: "Search and go to",
  placeholder: "A page, a deed, or a record",
  label: "A page, something to do, or a record by name, e-mail, phone or id",
  choices: "What was found",
  pages: "Go to",
  deeds: "Do",
  newOne: (one: string) => `New ${one.toLowerCase()}`,
  importFile: "Import a file",
  invite: "Invite a person",
  newPartner: "New partner",
  newWebhook: "New webhook",
  dark: "Use dark colours",
  light: "Use light colours",
  all: (many: string, text: string) => `All ${many.toLowerCase()} with “${text}”`,
  searching: "Searching",
  found: (count: string) => (count === "1" ? "1 found" : `${count} found`),
  nothing: (text: string) => `Nothing found for “${text}”`,
  nothingHint:
    "Records are found by a part of their name, an e-mail address, a phone number or their id; of deals, invoices and orders the newest 100.",
  offline: "You are offline. Pages can be opened; records are searched when you are back.",
  keys: { choose: "to choose", open: "to open", close: "to close" },
};
