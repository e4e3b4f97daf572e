/**
 * Addresses that tenants' requests must not reach. These are all addresses that the IANA registries (RFC 6890) do not
 * list as globally reachable, and the metadata addresses of cloud providers. Messages contain the description from the
 * first matching row.
 */

export type RefusedRange = readonly [range: string, what: string];

export const REFUSED_ADDRESSES: readonly RefusedRange[] = [
  ["0.0.0.0/8", "an unspecified address"],
  ["10.0.0.0/8", "a private address"],
  ["100.64.0.0/10", "a carrier-grade NAT address"],
  ["127.0.0.0/8", "a loopback address"],
  ["169.254.0.0/16", "a link-local or metadata address"],
  ["168.63.129.16/32", "a metadata address"],
  ["172.16.0.0/12", "a private address"],
  ["192.0.0.0/24", "an address reserved for protocols"],
  ["192.0.2.0/24", "a documentation address"],
  ["192.88.99.0/24", "a 6to4 relay address"],
  ["192.168.0.0/16", "a private address"],
  ["198.18.0.0/15", "a benchmarking address"],
  ["198.51.100.0/24", "a documentation address"],
  ["203.0.113.0/24", "a documentation address"],
  ["224.0.0.0/4", "a multicast address"],
  ["255.255.255.255/32", "a broadcast address"],
  ["240.0.0.0/4", "a reserved address"],

  ["::/128", "an unspecified address"],
  ["::1/128", "a loopback address"],
  ["::/96", "an IPv6 address with an embedded IPv4 address"],
  ["::ffff:0:0/96", "an IPv6 address with an embedded IPv4 address"],
  ["::ffff:0:0:0/96", "an IPv6 address with an embedded IPv4 address"],
  ["64:ff9b::/96", "a NAT64 address"],
  ["64:ff9b:1::/48", "a NAT64 address"],
  ["100::/64", "a discard-only address"],
  ["2001::/32", "a Teredo address"],
  ["2001:db8::/32", "a documentation address"],
  // This range includes benchmarking (2001:2::), ORCHID (2001:10::, 2001:20::) and other protocol assignments.
  ["2001::/23", "an address reserved for protocols"],
  ["2002::/16", "a 6to4 address"],
  ["3fff::/20", "a documentation address"],
  ["fd00:ec2::254/128", "a metadata address"],
  ["fc00::/7", "a private address"],
  ["fe80::/10", "a link-local address"],
  ["fec0::/10", "a site-local address"],
  ["ff00::/8", "a multicast address"],
  // This blocks everything outside 2000::/3, which is the only range of global unicast addresses.
  ["::/3", "a reserved address"],
  ["4000::/2", "a reserved address"],
  ["8000::/1", "a reserved address"],
];
