/** Lists of addresses from which a credential may be used: IPv4, IPv6, and CIDR ranges of both. */

import { BlockList, isIP } from "node:net";
import { MAPPED_bits, plainAddress } from "../../platform/http/index.ts";
import { valueError, type Rule, type Schema } from "../../platform/validation/index.ts";

const RANGES_MAX = 100;

/** Such a list in a body; it names the rule `address_range`. */
export const ADDRESS_LIST_SCHEMA = {
  type: ["array", "null"],
  maxItems: RANGES_MAX,
  items: { type: "string", "x-rule": ["address_range", null] },
  description: "Addresses and CIDR ranges, IPv4 and IPv6; no restriction where it is empty.",
} as const satisfies Schema;

export const addressRange: Rule = (value) =>
  typeof value !== "string" || isAddressRange(value)
    ? []
    : [valueError("an address or a CIDR range, such as 192.0.2.0/24 or 2001:db8::/32")];

/** Whether an address is on a list. */
export type AddressList = (address: string) => boolean;

/** The addresses and ranges of a list; undefined where it is empty and so restricts nothing. */
export function createAddressList(ranges: readonly string[]): AddressList | undefined {
  if (ranges.length === 0) return undefined;
  // One list for both would find every IPv4 address in ::/0, as ::ffff:0:0/96 is a part of it.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const range of ranges) {
    const { address, bits, family } = readRange(range);
    lists[family].addSubnet(address, bits, family);
  }
  return (address) => {
    const plain = plainAddress(address);
    const family = familyOf(plain);
    return lists[family].check(plain, family);
  };
}

/** A range in the family of its addresses: `::ffff:192.0.2.0/120` is `192.0.2.0/24`. */
function readRange(range: string): {
  readonly address: string;
  readonly bits: number;
  readonly family: "ipv4" | "ipv6";
} {
  const [given = "", prefix] = range.split("/");
  const plain = plainAddress(given);
  const bits = Number(prefix ?? (familyOf(given) === "ipv6" ? 128 : 32));
  if (familyOf(plain) === familyOf(given)) return { address: plain, bits, family: familyOf(plain) };
  return bits < MAPPED_bits
    ? { address: given, bits, family: "ipv6" }
    : { address: plain, bits: bits - MAPPED_bits, family: "ipv4" };
}

const familyOf = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");

/** `192.0.2.1`, `192.0.2.0/24`, `2001:db8::/32`. */
function isAddressRange(text: string): boolean {
  const [address = "", prefix, ...rest] = text.split("/");
  const version = isIP(address);
  // A zone (fe80::1%eth0) is a name of one machine's own.
  if (version === 0 || address.includes("%") || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 6 ? 128 : 32);
}
