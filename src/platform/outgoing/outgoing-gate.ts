/**
 * Decides to which hosts and addresses requests may be sent. Blocked addresses are allowed only if
 * the installation's settings list them.
 */

import { isIP } from "node:net";
import { createRange, isAddressRange } from "../addresses/index.ts";
import { REFUSED_ADDRESSES } from "./refused-addresses.ts";

export interface Gate {
  /** Whether the installation allows this host name, regardless of what it resolves to. */
  readonly isNamedHost: (host: string) => boolean;
  /** Whether the installation allows this address, individually or in a range. */
  readonly isNamedAddress: (address: string) => boolean;
  /** Returns a description of a blocked address, or undefined if the address is allowed. */
  readonly refusal: (address: string) => string | undefined;
}

/** Matches labels of letters, digits, hyphens and underscores, as in URLs. */
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/;

export const isHostName = (host: string): boolean => HOST_NAME.test(host) && isIP(host) === 0;

/** Returns a URL's host without brackets and trailing dot, for comparisons. */
export const plainHost = (hostname: string): string =>
  hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");

/**
 * Whether a string is a valid entry, such as `hooks.internal.example`, `127.0.0.1`, `10.1.0.0/16` or
 * `fd12:3456::/32`. Host names that the URL parser would change are invalid, so numbers do not count
 * as names.
 */
export const isAllowEntry = (text: string): boolean =>
  isAddressRange(text) || (isHostName(text) && URL.parse(`http://${text}/`)?.hostname === text);

const refused = REFUSED_ADDRESSES.map(([range, what]) => ({ contains: createRange(range), what }));

/** Creates a gate. Throws if an entry of `allow` is not a host name, address or range. */
export function createGate(allow: readonly string[]): Gate {
  const wrong = allow.filter((entry) => !isAllowEntry(entry));
  if (wrong.length > 0) throw new Error(`Not a host name, address or range: ${wrong.join(", ")}`);
  const hosts = new Set(allow.filter(isHostName));
  const ranges = allow.filter((entry) => !isHostName(entry)).map(createRange);
  const isNamedAddress = (address: string) => ranges.some((contains) => contains(address));
  return {
    isNamedHost: (host) => hosts.has(host),
    isNamedAddress,
    refusal: (address) => {
      // Addresses with a zone (fe80::1%eth0) depend on this machine and are never allowed.
      if (isIP(address) === 0 || address.includes("%")) return "not a valid address";
      if (isNamedAddress(address)) return undefined;
      return refused.find(({ contains }) => contains(address))?.what;
    },
  };
}
