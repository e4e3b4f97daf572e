/** The command palette: pages, actions and records by name. */

export const palette = {
  title: "Search and go to",
  placeholder: "Search pages, actions and records",
  label: "A page, an action, or a record by name, email, phone or ID",
  choices: "Results",
  pages: "Go to",
  deeds: "Actions",
  newOne: (one: string) => `New ${one.toLowerCase()}`,
  importFile: "Import a file",
  invite: "Invite a user",
  newPartner: "New partner",
  newWebhook: "New webhook",
  dark: "Use dark colors",
  light: "Use light colors",
  all: (many: string, text: string) => `View all ${many.toLowerCase()} with “${text}”`,
  searching: "Searching",
  found: (count: string) => (count === "1" ? "1 result" : `${count} results`),
  nothing: (text: string) => `No results for “${text}”`,
  nothingHint:
    "You can find records by part of the name, email address, phone number or ID. Of deals, invoices and orders, only the newest 100 are searched.",
  offline: "You are offline. You can open pages; records are searched when you are back online.",
  keys: { choose: "to choose", open: "to open", close: "to close" },
};
