export const addresses = {
  label: "Allowed addresses",
  hint: "IPv4 and IPv6 addresses and CIDR ranges, one per line. Leave empty to allow all.",
  wrong: (entries: string) => `Not an address or range: ${entries}`,
  trial: "Test an address",
  none: "This is not an address",
  byAll: "Allowed: there is no restriction",
  by: (range: string) => `Allowed by ${range}`,
  refused: "Not allowed: it is not on the list",
};
