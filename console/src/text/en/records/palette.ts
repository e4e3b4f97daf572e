/** Strings for the command palette: pages, actions and records by name. */

export const palette = {
  title: "Search",
  placeholder: "Search pages, actions and records",
  label: "Search pages, actions, and records by name, email, phone or ID",
  choices: "Results",
  pages: "Go to",
  actions: "Actions",
  create: (one: string) => `Create ${one.toLowerCase()}`,
  importFile: "Import a file",
  invite: "Invite user",
  createPartner: "Create partner",
  createWebhook: "Create webhook",
  dark: "Use dark theme",
  light: "Use light theme",
  all: (many: string, text: string) => `View all ${many.toLowerCase()} matching “${text}”`,
  searching: "Searching",
  found: (count: string) => (count === "1" ? "1 result" : `${count} results`),
  nothing: (text: string) => `No results for “${text}”`,
  nothingHint:
    "Search for records by ID, or by part of a name, email address or phone number. For deals, invoices and orders, only the newest 100 are searched.",
  offline: "You are offline. You can still open pages. To search records, reconnect first.",
  keys: { choose: "to choose", open: "to open", close: "to close" },
};
