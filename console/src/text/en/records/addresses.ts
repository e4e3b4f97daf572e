export const addresses = {
  label: "Allowed IP addresses",
  hint: "IPv4 or IPv6 addresses or CIDR ranges, one per line. Leave blank to allow all addresses.",
  wrong: (entries: string) => `Not an IP address or range: ${entries}`,
  trial: "Test an address",
  none: "This is not an IP address",
  byAll: "Allowed: the list is empty",
  by: (range: string) => `Allowed by ${range}`,
  refused: "Not allowed: not on the list",
};
