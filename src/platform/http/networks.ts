/**
 * The networks in which an address is counted. IPv4 is counted by address. Of IPv6 one customer has a
 * whole /64 and often a /56 or a /48, so each of the three has its own allowance: a /48 cannot multiply
 * what one network may do by its 65,536 networks.
 */

import { BlockList, isIP } from "node:net";
import { remember } from "../clock/index.ts";

/** IPv4 addresses as a socket of both families writes them: `::ffff:192.0.2.1` (RFC 4291). */
const MAPPED = new BlockList();
export const MAPPED_bits = 96;
MAPPED.addSubnet("::ffff:0.0.0.0", MAPPED_bits, "ipv6");

/**
 * An address in one spelling: such a one as the IPv4 address that it is, and without the zone of a
 * machine's own (`fe80::1%eth0`). What is no address stays as it came.
 */
export function plainAddress(given: string): string {
  if (isIP(given) !== 6) return given;
  const [address = ""] = given.split("%");
  // A URL writes every address in one way, mapped ones as [::ffff:c000:201].
  const plain = new URL(`http://[${address}]`).hostname.slice(1, -1);
  if (!MAPPED.check(plain, "ipv6")) return plain;
  const [high = 0, low = 0] = plain
    .split(":")
    .slice(-2)
    .map((part) => Number.parseInt(part, 16));
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join(".");
}

/** A range of addresses that is counted as one. */
export interface Network {
  /** The network in CIDR notation: `192.0.2.1/32`, `2001:db8:1:2::/64`. */
  readonly first: string;
  /** Its last address. */
  readonly last: string;
  /** How many times a limit's allowance it has. */
  readonly allowance: number;
}

/** Prefix lengths of IPv6 and their allowances, narrowest first. */
const IPV6_STEPS = [
  { prefix: 64, allowance: 1 },
  { prefix: 56, allowance: 2 },
  { prefix: 48, allowance: 4 },
] as const;

const parts = (text: string): readonly string[] => (text === "" ? [] : text.split(":"));

/** The four 16-bit groups that name a network of 64 bits, of an address in its short form. */
function groupsOf(address: string): readonly number[] {
  const [head = "", tail] = address.split("::");
  const [before, after] = [parts(head), parts(tail ?? "")];
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array.from({ length: zeros }, () => "0"), ...after]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16));
}

/** The network of a prefix between 48 and 64 bits. */
function networkOf(groups: readonly number[], { prefix, allowance }: (typeof IPV6_STEPS)[number]) {
  const [subnet = 0] = groups.slice(3);
  const free = (1 << (64 - prefix)) - 1;
  const start = groups.slice(0, 3).map((group) => group.toString(16));
  const spell = (group: number, rest: string) =>
    `${[...start, group.toString(16)].join(":")}${rest}`;
  return {
    first: `${spell(subnet & ~free, "::")}/${prefix}`,
    last: spell(subnet | free, ":ffff:ffff:ffff:ffff"),
    allowance,
  };
}

/**
 * The networks of an address, narrowest first; an IPv4 address has one, also where it is written as IPv6
 * (`::ffff:192.0.2.1`). What a proxy reports may be no address ("unknown"): all of those count as `::`.
 */
export function networksOf(from: string): readonly Network[] {
  const address = plainAddress(from);
  const version = isIP(address);
  if (version === 4) return [{ first: `${address}/32`, last: address, allowance: 1 }];
  const groups = groupsOf(version === 6 ? address : "::");
  return IPV6_STEPS.map((step) => networkOf(groups, step));
}

/** The narrowest of them, such as `2001:db8:1:2::/64`. */
export const networkOfAddress = (from: string): string =>
  narrowest(from, () => networksOf(from)[0]?.first ?? "");
const narrowest = remember<string>(10_000);
