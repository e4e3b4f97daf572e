/**
 * The addresses that no request of a tenant's may reach, as data: whatever the registries of
 * IANA (RFC 6890) do not call globally reachable, and what a cloud answers its machines under. A
 * refusal names the first row that holds an address.
 */

export type RefusedRange = readonly [range: string, what: string];

export const REFUSED_ADDRESSES: readonly RefusedRange[] = [
  ["0.0.0.0/8", "an unspecified address"],
  ["10.0.0.0/8", "a private address"],
  ["100.64.0.0/10", "an address shared by a carrier's customers"],
  ["127.0.0.0/8", "a loopback address"],
  ["169.254.0.0/16", "a link-local or metadata address"],
  ["168.63.129.16/32", "a metadata address"],
  ["172.16.0.0/12", "a private address"],
  ["192.0.0.0/24", "an address reserved for protocols"],
  ["192.0.2.0/24", "an address for documentation"],
  ["192.88.99.0/24", "an address of a 6to4 relay"],
  ["192.168.0.0/16", "a private address"],
  ["198.18.0.0/15", "an address for benchmarks"],
  ["198.51.100.0/24", "an address for documentation"],
  ["203.0.113.0/24", "an address for documentation"],
  ["224.0.0.0/4", "a multicast address"],
  ["255.255.255.255/32", "a broadcast address"],
  ["240.0.0.0/4", "a reserved address"],

  ["::/128", "an unspecified address"],
  ["::1/128", "a loopback address"],
  ["::/96", "an address that holds one of IPv4"],
  ["::ffff:0:0/96", "an address that holds one of IPv4"],
  ["::ffff:0:0:0/96", "an address that holds one of IPv4"],
  ["64:ff9b::/96", "an address that NAT64 translates"],
  ["64:ff9b:1::/48", "an address that NAT64 translates"],
  ["100::/64", "an address that discards"],
  ["2001::/32", "an address of Teredo"],
  ["2001:db8::/32", "an address for documentation"],
  // Benchmarks (2001:2::), ORCHID (2001:10::, 2001:20::) and what else protocols were given.
  ["2001::/23", "an address reserved for protocols"],
  ["2002::/16", "an address of 6to4"],
  ["3fff::/20", "an address for documentation"],
  ["fd00:ec2::254/128", "a metadata address"],
  ["fc00::/7", "a private address"],
  ["fe80::/10", "a link-local address"],
  ["fec0::/10", "a site-local address"],
  ["ff00::/8", "a multicast address"],
  // Everything beside 2000::/3, from which alone global addresses are given.
  ["::/3", "a reserved address"],
  ["4000::/2", "a reserved address"],
  ["8000::/1", "a reserved address"],
];
