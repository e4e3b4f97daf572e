/** Parses IPv4 and IPv6 addresses and CIDR ranges. No other file parses them. */

import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { remember } from "../cache/index.ts";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A network address and its prefix length in bits. */
type Range = readonly [network: Address, bits: number];

/**
 * The prefix length of IPv4-mapped IPv6 addresses such as `::ffff:192.0.2.1` (RFC 4291). Dual-stack sockets report IPv4
 * clients in this form.
 */
const MAPPED_bits = 96;

/**
 * Parses an address without its zone (the part after `%`, as in `fe80::1%eth0`). Returns null if the string is not an
 * address.
 */
const readAddress = (text: string): Address | null =>
  addresses(text, () => {
    const version = isIP(text);
    if (version !== 6) return version === 0 ? null : ipaddr.IPv4.parse(text);
    // Normalize the address with the URL parser first, because ipaddr.js parses `::192.0.2.1` as an IPv4-mapped
    // address.
    const { hostname } = new URL(`http://[${text.split("%")[0]}]`);
    return ipaddr.IPv6.parse(hostname.slice(1, -1));
  });
const addresses = remember<Address | null>(10_000);

/** Like `readAddress`, but converts an IPv4-mapped address to IPv4. */
export function readPlain(text: string): Address | null {
  const address = readAddress(text);
  return address && plainRange([address, 128])[0];
}

/** Returns the canonical form of an address, without its zone. Returns any other string unchanged. */
export const plainAddress = (text: string): string => readPlain(text)?.toString() ?? text;

/**
 * Parses `192.0.2.1`, `192.0.2.0/24` or `2001:db8::/32`. Returns undefined if the string is not an
 * address or range.
 */
function readRange(text: string): Range | undefined {
  const [before = "", prefix, ...rest] = text.split("/");
  const address = readAddress(before);
  if (address === null || rest.length > 0) return undefined;
  const most = address.kind() === "ipv6" ? 128 : 32;
  if (prefix === undefined) return [address, most];
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= most ? [address, Number(prefix)] : undefined;
}

/**
 * Whether a string is an address or range. An address may have a zone (`fe80::1%eth0`), which is valid only on one
 * machine.
 */
export const isZonedRange = (text: string): boolean => readRange(text) !== undefined;

/** Whether a string is an address or range without a zone, so that it means the same on every machine. */
export const isAddressRange = (text: string): boolean => !text.includes("%") && isZonedRange(text);

function rangeOf(text: string): Range {
  const range = readRange(text);
  if (range === undefined) throw new Error(`Not an IP address or range: ${text}`);
  return range;
}

/** Converts an IPv4-mapped range to IPv4: `::ffff:192.0.2.0/120` becomes `192.0.2.0/24`. */
const plainRange = ([network, bits]: Range): Range =>
  network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= MAPPED_bits
    ? [network.toIPv4Address(), bits - MAPPED_bits]
    : [network, bits];

/** Whether an address is in a range. Always false if their families differ. */
const isWithin = (address: Address | null, [network, bits]: Range): boolean =>
  address?.kind() === network.kind() && address.match(network, bits);

/** A function that returns whether an address is in a list of addresses and ranges. */
export type AddressList = (address: string) => boolean;

/** Returns a function that checks whether an address is in the given range. IPv4-mapped addresses count as IPv6. */
export function createRange(text: string): AddressList {
  const range = rangeOf(text);
  return (address) => isWithin(readAddress(address), range);
}

/**
 * Returns a function that checks whether an address, in any notation, is in the list. Returns undefined if the list is
 * empty, which means that all addresses are allowed.
 */
export function createAddressList(texts: readonly string[]): AddressList | undefined {
  if (texts.length === 0) return undefined;
  const ranges = texts.map((text) => plainRange(rangeOf(text)));
  const results = remember<boolean>(100);
  return (text) =>
    results(text, () => {
      const address = readPlain(text);
      return ranges.some((range) => isWithin(address, range));
    });
}
