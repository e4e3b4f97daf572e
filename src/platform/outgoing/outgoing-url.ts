/**
 * What can be said of a URL before a request goes to it: its scheme, its spelling, and its host
 * where that is an address. What a name resolves to is checked when it is connected to.
 */

import { isIP } from "node:net";
import type { OutgoingFault } from "./outgoing-error.ts";
import { isHostName, plainHost, type Gate } from "./outgoing-gate.ts";

export interface UrlRefusal {
  readonly fault: Extract<OutgoingFault, "bad_url" | "refused_address">;
  /** A sentence's middle: no capital, no full stop, and nothing of the URL but its host. */
  readonly text: string;
  /** This machine or a host in a private network, which an installation may well want to allow. */
  readonly nearby?: string | undefined;
}

const bad = (text: string, nearby?: string): UrlRefusal => ({ fault: "bad_url", text, nearby });

const THIS_MACHINE = "this machine";
/** Never metadata addresses: those must stay blocked. */
const NEARBY: ReadonlySet<string> = new Set([
  THIS_MACHINE,
  "a loopback address",
  "a private address",
]);

/** Whatever a parser would drop or turn round, so that a URL is what it looks like. */
const MISLEADING = /[\0-\x20\x7f\\]/;

/**
 * The URL, with its host in one spelling (a URL's parser turns 0x7f.1, 017700000001 and 2130706433 into
 * 127.0.0.1), or why nothing may be sent to it.
 */
export function readUrl(text: string, gate: Gate): URL | UrlRefusal {
  const url = MISLEADING.test(text) || !/^https?:\/\/[^/]/i.test(text) ? null : URL.parse(text);
  if (url === null) return bad("the URL must look like https://hooks.example.com/path");
  if (url.username !== "" || url.password !== "" || /^[^/]*\/\/[^/?#]*@/.test(text)) {
    return bad("the URL may hold no user name and no password; a header can");
  }
  const host = plainHost(url.hostname);
  const version = isIP(host);
  if (version === 0 && !isHostName(host)) return bad("the URL's host is no host name");
  const isNamed = version === 0 ? gate.isNamedHost(host) : gate.isNamedAddress(host);
  const what = version === 0 ? nameRefusal(host) : gate.refusal(host);
  const nearby = what !== undefined && NEARBY.has(what) ? host : undefined;
  if (url.protocol === "http:" && !isNamed) return bad("the URL must begin with https://", nearby);
  if (what !== undefined && !isNamed) {
    const text = `${host} is ${what}, to which nothing is sent`;
    return { fault: "refused_address", text, nearby };
  }
  // A certificate and SNI know a name without its last dot (RFC 6066).
  if (version === 0) url.hostname = host;
  return url;
}

/** RFC 6761: these names are the machine's own, whatever a name server says. */
const nameRefusal = (host: string): string | undefined =>
  host === "localhost" || host.endsWith(".localhost") ? THIS_MACHINE : undefined;
