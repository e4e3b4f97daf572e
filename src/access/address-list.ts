/** Lists of addresses from which a credential may be used: IPv4, IPv6, and CIDR ranges of both. */

import { BlockList, isIP } from "node:net";
import type { Json } from "../platform/json.ts";
import { valueError, type Fault } from "../platform/validation.ts";

/** Whether an address is on a list. */
export type AddressList = (address: string) => boolean;

/** How many addresses and ranges a list may hold. */
export const RANGES_MAX = 100;

const BITS = { ipv4: 32, ipv6: 128 } as const;
/** IPv4 addresses as a socket of both families writes them: ::ffff:192.0.2.1 (RFC 4291). */
const MAPPED_BITS = 96;
const MAPPED = new BlockList();
MAPPED.addSubnet("::ffff:0.0.0.0", MAPPED_BITS, "ipv6");

const familyOf = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");

/** The addresses and ranges of a list; undefined where it is empty and so restricts nothing. */
export function createAddressList(ranges: readonly string[]): AddressList | undefined {
  if (ranges.length === 0) return undefined;
  const list = new BlockList();
  for (const range of ranges) {
    const [given = "", prefix] = range.split("/");
    const address = plainAddress(given);
    const family = familyOf(address);
    // A range of mapped addresses is one of IPv4 addresses, unless it reaches beyond them.
    const bits = prefix === undefined ? BITS[familyOf(given)] : Number(prefix);
    if (address === given) list.addSubnet(address, bits, family);
    else if (bits < MAPPED_BITS) list.addSubnet(given, bits, "ipv6");
    else list.addSubnet(address, bits - MAPPED_BITS, family);
  }
  return (address) => {
    const plain = plainAddress(address);
    return isIP(plain) !== 0 && list.check(plain, familyOf(plain));
  };
}

/** A mapped IPv4 address as itself, however it is written; any other address as it is. */
export function plainAddress(address: string): string {
  if (isIP(address) !== 6 || address.includes("%") || !MAPPED.check(address, "ipv6")) {
    return address;
  }
  // A URL writes every such address as [::ffff:c000:201].
  const { hostname } = new URL(`http://[${address}]`);
  const [high = 0, low = 0] = hostname
    .slice(1, -1)
    .split(":")
    .slice(-2)
    .map((part) => Number.parseInt(part, 16));
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join(".");
}

/** `192.0.2.1`, `192.0.2.0/24`, `2001:db8::/32`. */
export function isAddressRange(text: string): boolean {
  const [address = "", prefix, ...rest] = text.split("/");
  // A zone (fe80::1%eth0) is a name of one machine's own.
  if (isIP(address) === 0 || address.includes("%") || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= BITS[familyOf(address)];
}

/** What is wrong with an item of a list that was sent. */
export const addressRangeFaults = (value: Json): readonly Fault[] =>
  typeof value !== "string" || isAddressRange(value)
    ? []
    : [valueError("an address or a CIDR range, such as 192.0.2.0/24 or 2001:db8::/32")];
