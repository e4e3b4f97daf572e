/**
 * Which hosts and addresses a request may go to: all but the refused ones, and of those what the
 * installation names.
 */

import { isIP } from "node:net";
import { createRange, isAddressRange } from "../addresses/index.ts";
import { REFUSED_ADDRESSES } from "./refused-addresses.ts";

export interface Gate {
  /** Whether the installation names this host: it may then be whatever its name resolves to. */
  readonly isNamedHost: (host: string) => boolean;
  /** Whether the installation names this address, by itself or in a range. */
  readonly isNamedAddress: (address: string) => boolean;
  /** What an address is that may not be reached; undefined where it may. */
  readonly refusal: (address: string) => string | undefined;
}

/** Labels of letters, digits, hyphens and underscores, as a URL writes them; no address. */
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/;

export const isHostName = (host: string): boolean => HOST_NAME.test(host) && isIP(host) === 0;

/** A host in the one spelling that is compared: lower case, without the brackets or the last dot. */
export const plainHost = (hostname: string): string =>
  hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");

/**
 * `hooks.internal.example`, `127.0.0.1`, `10.1.0.0/16`, `fd12:3456::/32`. A name is one that a URL leaves
 * as it is, so that a number is not taken for one.
 */
export const isAllowEntry = (text: string): boolean =>
  isAddressRange(text) || (isHostName(text) && URL.parse(`http://${text}/`)?.hostname === text);

const refused = REFUSED_ADDRESSES.map(([range, what]) => ({ holds: createRange(range), what }));

/** Throws where an entry of `allow` is neither a host name nor an address nor a range. */
export function createGate(allow: readonly string[]): Gate {
  const wrong = allow.filter((entry) => !isAllowEntry(entry));
  if (wrong.length > 0) throw new Error(`No host, address or range: ${wrong.join(", ")}`);
  const hosts = new Set(allow.filter(isHostName));
  const ranges = allow.filter((entry) => !isHostName(entry)).map(createRange);
  const isNamedAddress = (address: string) => ranges.some((holds) => holds(address));
  return {
    isNamedHost: (host) => hosts.has(host),
    isNamedAddress,
    refusal: (address) => {
      // What is no address, or one of a link of this machine's (fe80::1%eth0), is not to be judged.
      if (isIP(address) === 0 || address.includes("%")) return "no address";
      if (isNamedAddress(address)) return undefined;
      return refused.find(({ holds }) => holds(address))?.what;
    },
  };
}
