/** IPv4 and IPv6 addresses and CIDR ranges of both: the one place where their text is read. */

import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { remember } from "../clock/index.ts";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** An address, and how many of its first bits the addresses of the range share. */
type Range = readonly [network: Address, bits: number];

/** IPv4 addresses as a socket of both families writes them: `::ffff:192.0.2.1` (RFC 4291). */
const MAPPED_bits = 96;

/** An address without the zone of a machine's own (`fe80::1%eth0`); null if the text is no address. */
const readAddress = (text: string): Address | null =>
  addresses(text, () => {
    const version = isIP(text);
    if (version !== 6) return version === 0 ? null : ipaddr.IPv4.parse(text);
    // In the spelling of a URL, because ipaddr.js takes `::192.0.2.1` for a mapped address.
    const { hostname } = new URL(`http://[${text.split("%")[0]}]`);
    return ipaddr.IPv6.parse(hostname.slice(1, -1));
  });
const addresses = remember<Address | null>(10_000);

/** The same, with a mapped address as the IPv4 address that it is. */
export function readPlain(text: string): Address | null {
  const address = readAddress(text);
  return address && plainRange([address, 128])[0];
}

/** An address in one spelling, without its zone. A text that is no address stays as it is. */
export const plainAddress = (text: string): string => readPlain(text)?.toString() ?? text;

/** `192.0.2.1`, `192.0.2.0/24`, `2001:db8::/32`; undefined if the text is none of them. */
function readRange(text: string): Range | undefined {
  const [before = "", prefix, ...rest] = text.split("/");
  const address = readAddress(before);
  if (address === null || rest.length > 0) return undefined;
  const most = address.kind() === "ipv6" ? 128 : 32;
  if (prefix === undefined) return [address, most];
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= most ? [address, Number(prefix)] : undefined;
}

/** Whether a text is an address or a range, with the zone of a machine's own or without. */
export const isZonedRange = (text: string): boolean => readRange(text) !== undefined;

/** Whether a text is an address or a range that means the same on every machine: without a zone. */
export const isAddressRange = (text: string): boolean => !text.includes("%") && isZonedRange(text);

function rangeOf(text: string): Range {
  const range = readRange(text);
  if (range === undefined) throw new Error(`No address or range: ${text}`);
  return range;
}

/** A range in the family of its addresses: `::ffff:192.0.2.0/120` is `192.0.2.0/24`. */
const plainRange = ([network, bits]: Range): Range =>
  network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= MAPPED_bits
    ? [network.toIPv4Address(), bits - MAPPED_bits]
    : [network, bits];

/** Whether an address is in a range of the same family. */
const isWithin = (address: Address | null, [network, bits]: Range): boolean =>
  address?.kind() === network.kind() && address.match(network, bits);

/** Whether an address is on a list or in a range. */
export type AddressList = (address: string) => boolean;

/** The addresses of one range. A mapped IPv4 address is an IPv6 address here. */
export function createRange(text: string): AddressList {
  const range = rangeOf(text);
  return (address) => isWithin(readAddress(address), range);
}

/** The addresses and ranges of a list, in any spelling; undefined if it is empty and so restricts nothing. */
export function createAddressList(texts: readonly string[]): AddressList | undefined {
  if (texts.length === 0) return undefined;
  const ranges = texts.map((text) => plainRange(rangeOf(text)));
  const answers = remember<boolean>(100);
  return (text) =>
    answers(text, () => {
      const address = readPlain(text);
      return ranges.some((range) => isWithin(address, range));
    });
}
