/**
 * The networks in which an address is counted. IPv4 is counted by address. Of IPv6 one customer has a
 * whole /64 and often a /56 or a /48, so each of the three has its own allowance: a /48 cannot multiply
 * what one network may do by its 65,536 networks.
 */

import { remember } from "../clock/index.ts";
import { readPlain } from "./addresses.ts";

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

/** The network of a prefix between 48 and 64 bits. */
function networkOf(groups: readonly number[], { prefix, allowance }: (typeof IPV6_STEPS)[number]) {
  const [subnet = 0] = groups.slice(3, 4);
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
  const address = readPlain(from);
  if (address !== null && "octets" in address) {
    const last = address.toString();
    return [{ first: `${last}/32`, last, allowance: 1 }];
  }
  return IPV6_STEPS.map((step) => networkOf(address?.parts ?? NO_ADDRESS, step));
}

const NO_ADDRESS = [0, 0, 0, 0] as const;

/** The narrowest of them, such as `2001:db8:1:2::/64`. */
export const networkOfAddress = (from: string): string =>
  narrowest(from, () => networksOf(from)[0]?.first ?? "");
const narrowest = remember<string>(10_000);
