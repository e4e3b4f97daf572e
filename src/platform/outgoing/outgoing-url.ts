/**
 * Checks a URL before a request is sent: its scheme, its syntax, and its host if the host is an address. Host names are
 * checked when they are resolved.
 */

import { isIP } from "node:net";
import type { OutgoingFault } from "./outgoing-error.ts";
import { isHostName, plainHost, type Gate } from "./outgoing-gate.ts";

export interface UrlRefusal {
  readonly fault: Extract<OutgoingFault, "bad_url" | "refused_address">;
  /**
   * The reason as a clause without an initial capital or a period. The only part of the URL that it contains is the
   * host.
   */
  readonly text: string;
  /** The kind of host if it is this machine or in a private network. An installation can allow such hosts. */
  readonly nearby?: string | undefined;
}

const bad = (text: string, nearby?: string): UrlRefusal => ({ fault: "bad_url", text, nearby });

const THIS_MACHINE = "this machine";
/**
 * Descriptions of hosts that an installation can allow. Metadata addresses are not included, because they must stay
 * blocked.
 */
const NEARBY: ReadonlySet<string> = new Set([
  THIS_MACHINE,
  "a loopback address",
  "a private address",
]);

/**
 * Matches characters that URL parsers drop or replace. A URL with such characters would not be what it appears to be.
 */
const MISLEADING = /[\0-\x20\x7f\\]/;

/**
 * Parses a URL and normalizes its host (the URL parser converts 0x7f.1, 017700000001 and 2130706433 to 127.0.0.1). If
 * requests to it are not allowed, returns the reason instead.
 */
export function readUrl(text: string, gate: Gate): URL | UrlRefusal {
  const url = MISLEADING.test(text) || !/^https?:\/\/[^/]/i.test(text) ? null : URL.parse(text);
  if (url === null) return bad("the URL must look like https://hooks.example.com/path");
  if (url.username !== "" || url.password !== "" || /^[^/]*\/\/[^/?#]*@/.test(text)) {
    return bad("the URL must not contain a user name or password; use a header instead");
  }
  const host = plainHost(url.hostname);
  const version = isIP(host);
  if (version === 0 && !isHostName(host)) return bad("the URL's host is not a valid host name");
  const isNamed = version === 0 ? gate.isNamedHost(host) : gate.isNamedAddress(host);
  const what = version === 0 ? nameRefusal(host) : gate.refusal(host);
  const nearby = what !== undefined && NEARBY.has(what) ? host : undefined;
  if (url.protocol === "http:" && !isNamed) return bad("the URL must start with https://", nearby);
  if (what !== undefined && !isNamed) {
    const text = `${host} is ${what}, which is blocked`;
    return { fault: "refused_address", text, nearby };
  }
  // Certificates and SNI use names without the trailing dot (RFC 6066).
  if (version === 0) url.hostname = host;
  return url;
}

/** Rejects names that always refer to the local machine (RFC 6761). */
const nameRefusal = (host: string): string | undefined =>
  host === "localhost" || host.endsWith(".localhost") ? THIS_MACHINE : undefined;
