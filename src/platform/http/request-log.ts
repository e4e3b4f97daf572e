/**
 * The log line of a request: caller, operation and address, without personal data. The path is logged as the route
 * pattern with only ids filled in, because other path parameters may be email addresses or phone numbers. The query
 * string is never logged.
 */

import { isIP } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { isId } from "../ids/index.ts";
import { remember } from "../cache/index.ts";
import { networkOfAddress, plainAddress } from "../addresses/index.ts";
import type { Span } from "../tracing/index.ts";

/** How client addresses are logged. */
export const LOGGED_ADDRESSES = ["full", "short", "off"] as const;
export type LoggedAddress = (typeof LOGGED_ADDRESSES)[number];

/** The tenant and credential of a request. Neither value is secret. */
export interface Identity {
  readonly tenant: string;
  /** The kind and id of the credential: `token …`, `session …` or `partner …`. */
  readonly credential: string;
}

/** The information about a request's caller that operations supply. */
export interface CallerFacts {
  /** The id of the credential whose memory limit the body counts toward. */
  readonly holder?: string | undefined;
  /** The tenant and credential to log. */
  readonly identity?: Identity | undefined;
}

/** A request with its caller's state, once the caller is known. */
export type WithCaller<S extends CallerFacts = CallerFacts> = FastifyRequest & {
  callerState?: S;
};
type Identified = WithCaller & { readonly trace?: Span | undefined };

/**
 * Matches the parts of an unknown path that are safe to log. Email addresses, numbers and proper names do not match.
 */
const PATH_WORD = /^[a-z_]{0,32}$/;
/** Maximum logged length of an unknown path. Longer paths are truncated. */
const UNKNOWN_PATH_MAX = 200;

export function requestLogger(log: Logger, logged: LoggedAddress = "full") {
  // Request log lines contain nothing to redact, and scanning them would take longer than writing them.
  const lines = log.child({}, { redact: [] });
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const address = loggedAddress(request.ip, logged);
    const line = {
      reqId: request.id,
      method: request.method,
      path: loggedPath(request),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...identityOf(request),
      ...traceOf(request),
      ...(address !== undefined && { address }),
    };
    lines.info(line, "request");
    done();
  };
}

export const identityOf = (request: WithCaller): Identity | undefined =>
  request.callerState?.identity;

/** Returns the trace id of a request, if tracing is enabled. */
export function traceOf({ trace }: Identified): { readonly trace_id: string } | undefined {
  return trace && { trace_id: trace.traceId };
}

/** Returns the path of a request with only ids filled into its parameters. */
export function loggedPath({ routeOptions, params, url }: FastifyRequest): string {
  const route = routeOptions.url;
  if (route === undefined) return unknownPath(url);
  if (!route.includes(":")) return route;
  const given = params as Readonly<Record<string, string>>;
  let path = "";
  for (const [at, part] of partsOf(route, () => route.split(/:(\w+)/)).entries()) {
    const value = at % 2 === 0 ? part : (given[part] ?? "");
    path += at % 2 === 0 || isId(value) ? value : `:${part}`;
  }
  return path;
}

/** The fixed parts of a route, alternating with the names of its parameters. */
const partsOf = remember<readonly string[]>(2_000);

function unknownPath(url: string): string {
  const [path = ""] = url.slice(0, UNKNOWN_PATH_MAX).split("?");
  return path
    .split("/")
    .map((part) => (PATH_WORD.test(part) ? part : "*"))
    .join("/");
}

export function loggedAddress(address: string, logged: LoggedAddress): string | undefined {
  if (logged === "off") return undefined;
  return logged === "full" ? address : shortened(address);
}

/** Returns the /24 network of an IPv4 address or the /48 network of an IPv6 address. */
function shortened(from: string): string {
  const address = plainAddress(from);
  if (isIP(address) === 4) return `${address.split(".").slice(0, 3).join(".")}.0/24`;
  const [groups = ""] = networkOfAddress(address).split("::");
  return `${groups.split(":").slice(0, 3).join(":")}::/48`;
}
