/**
 * Addresses and CIDR ranges of IPv4 and IPv6, read as the service reads them: whether a text is one, and
 * whether an address is within one. An IPv4 address is compared as the mapped one of IPv6 (RFC 4291).
 */

interface Address {
  readonly version: 4 | 6;
  /** In 128 bits. */
  readonly value: bigint;
}

interface Range {
  readonly address: Address;
  /** How many of the 128 bits count. */
  readonly prefix: number;
}

const BITS = 128;
const IPV4_BITS = 32;
const MAPPED = 0xffffn << 32n;
const OCTET = /^(?:0|[1-9]\d{0,2})$/;
const GROUP = /^[0-9a-f]{1,4}$/i;
const GROUPS = 8;

function readIpv4(text: string): bigint | undefined {
  const octets = text.split(".");
  if (octets.length !== 4) return undefined;
  if (!octets.every((octet) => OCTET.test(octet) && Number(octet) <= 255)) return undefined;
  return octets.reduce((value, octet) => (value << 8n) | BigInt(octet), 0n);
}

/** The groups of one side of `::`; undefined where one is none. */
function readGroups(text: string): readonly bigint[] | undefined {
  if (text === "") return [];
  const groups = text.split(":");
  return groups.every((group) => GROUP.test(group))
    ? groups.map((group) => BigInt(`0x${group}`))
    : undefined;
}

/** `::ffff:192.0.2.1` as `::ffff:c000:201`; undefined where the part with dots is no address. */
function withoutDots(text: string): string | undefined {
  if (!text.includes(".")) return text;
  const at = text.lastIndexOf(":") + 1;
  const low = readIpv4(text.slice(at));
  if (low === undefined) return undefined;
  return `${text.slice(0, at)}${(low >> 16n).toString(16)}:${(low & 0xffffn).toString(16)}`;
}

function readIpv6(text: string): bigint | undefined {
  const [head, tail, ...more] = withoutDots(text)?.split("::") ?? [];
  if (head === undefined || more.length > 0) return undefined;
  const [before, after] = [readGroups(head), readGroups(tail ?? "")];
  if (before === undefined || after === undefined) return undefined;
  const missing = GROUPS - before.length - after.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...before, ...Array.from({ length: missing }, () => 0n), ...after];
  return groups.reduce((value, group) => (value << 16n) | group, 0n);
}

function readAddress(text: string): Address | undefined {
  if (!text.includes(":")) {
    const value = readIpv4(text);
    return value === undefined ? undefined : { version: 4, value: MAPPED | value };
  }
  const value = readIpv6(text);
  return value === undefined ? undefined : { version: 6, value };
}

function readRange(text: string): Range | undefined {
  const [before = "", length, ...more] = text.split("/");
  const address = readAddress(before);
  if (address === undefined || more.length > 0) return undefined;
  if (length === undefined) return { address, prefix: BITS };
  const bits = address.version === 4 ? IPV4_BITS : BITS;
  if (!/^\d{1,3}$/.test(length) || Number(length) > bits) return undefined;
  return { address, prefix: Number(length) + BITS - bits };
}

/** Whether a text is an address: `192.0.2.1`, `2001:db8::7`. */
export const isAddress = (text: string): boolean => readAddress(text) !== undefined;

/** Whether a text is an address or a range: `192.0.2.0/24`, `2001:db8::/32`. */
export const isAddressRange = (text: string): boolean => readRange(text) !== undefined;

const isIpv4 = ({ value }: Address): boolean => value >> 32n === MAPPED >> 32n;

/** The first of these ranges that holds an address; undefined where none does. */
export function rangeOf(address: string, ranges: readonly string[]): string | undefined {
  const wanted = readAddress(address);
  if (wanted === undefined) return undefined;
  return ranges.find((text) => {
    const range = readRange(text);
    if (range === undefined) return false;
    // A range of IPv6 that is larger than all of IPv4 holds none of its addresses, such as `::/0`.
    if (range.prefix < BITS - IPV4_BITS && isIpv4(wanted)) return false;
    const rest = BigInt(BITS - range.prefix);
    return wanted.value >> rest === range.address.value >> rest;
  });
}
