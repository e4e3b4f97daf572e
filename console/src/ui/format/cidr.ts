/** Parses IP addresses and CIDR ranges, and finds the range that contains an address. */

import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The prefix length of IPv4 addresses in IPv6 notation, such as `::ffff:192.0.2.1` (RFC 4291). */
const MAPPED_bits = 96;

function readAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  const url = `http://[${text}]`;
  if (!/^[\da-f:.]+$/i.test(text) || !URL.canParse(url)) return undefined;
  // Normalize the address with the URL parser, because ipaddr.js parses `::192.0.2.1` as a mapped
  // address.
  return ipaddr.IPv6.parse(new URL(url).hostname.slice(1, -1));
}

function readRange(text: string): readonly [Address, bits: number] | undefined {
  const [before = "", length, ...more] = text.split("/");
  const address = readAddress(before);
  if (address === undefined || more.length > 0) return undefined;
  const most = address.kind() === "ipv6" ? 128 : 32;
  if (length === undefined) return plain([address, most]);
  return /^\d{1,3}$/.test(length) && Number(length) <= most
    ? plain([address, Number(length)])
    : undefined;
}

/** Whether a string is an IP address: `192.0.2.1`, `2001:db8::7`. */
export const isAddress = (text: string): boolean => readAddress(text) !== undefined;

/** Whether a string is an IP address or a range: `192.0.2.0/24`, `2001:db8::/32`. */
export const isAddressRange = (text: string): boolean => readRange(text) !== undefined;

/**
 * Converts a range of IPv4 addresses in IPv6 notation to an IPv4 range: `::ffff:192.0.2.0/120`
 * becomes `192.0.2.0/24`. Returns other ranges unchanged.
 */
const plain = ([address, bits]: readonly [Address, number]): readonly [Address, number] =>
  address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= MAPPED_bits
    ? [address.toIPv4Address(), bits - MAPPED_bits]
    : [address, bits];

/** Returns the first range that contains an address; undefined if none does. */
export function rangeOf(address: string, ranges: readonly string[]): string | undefined {
  const [wanted] = (isAddress(address) && readRange(address)) || [];
  return ranges.find((text) => {
    const range = readRange(text);
    return wanted !== undefined && range?.[0].kind() === wanted.kind() && wanted.match(...range);
  });
}
