/**
 * Determines the networks that request limits apply to. For IPv4, limits apply to single addresses.
 * A single IPv6 customer has a whole /64, and often a /56 or /48, so each of these networks has its
 * own limit. Otherwise, the owner of a /48 could use the limit of a /64 network 65,536 times.
 */

import { remember } from "../cache/index.ts";
import { readPlain } from "./addresses.ts";

/** A range of addresses whose requests are counted together. */
export interface Network {
  /** The network in CIDR notation: `192.0.2.1/32`, `2001:db8:1:2::/64`. */
  readonly first: string;
  /** The last address of the network. */
  readonly last: string;
  /** The factor by which limits are multiplied for this network. */
  readonly allowance: number;
}

/** IPv6 prefix lengths, each with the factor by which limits are multiplied. The narrowest network comes first. */
const IPV6_STEPS = [
  { prefix: 64, allowance: 1 },
  { prefix: 56, allowance: 2 },
  { prefix: 48, allowance: 4 },
] as const;

/** Returns the network of an IPv6 address for a prefix of 48 to 64 bits. */
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
 * Returns the networks that contain an address, narrowest first. An IPv4 address has only one, even
 * in IPv4-mapped form (`::ffff:192.0.2.1`). Proxies may report a string that is not an address,
 * such as "unknown". All such strings count as `::`.
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

/** Returns the narrowest network that contains an address, such as `2001:db8:1:2::/64`. */
export const networkOfAddress = (from: string): string =>
  narrowest(from, () => networksOf(from)[0]?.first ?? "");
const narrowest = remember<string>(10_000);
