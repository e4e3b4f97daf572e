export const addresses = {
  label: "Only from these addresses",
  hint: "Addresses and CIDR ranges, IPv4 and IPv6, one on each line. Empty: from everywhere.",
  wrong: (entries: string) => `Neither an address nor a range: ${entries}`,
  trial: "Would this address be admitted?",
  none: "This is no address",
  byAll: "Admitted: there is no restriction",
  by: (range: string) => `Admitted by ${range}`,
  refused: "Refused: it is not on the list",
};
