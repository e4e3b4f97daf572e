/**
 * The log line of a request: who called what from where, without personal data. A path is logged as the
 * route's pattern with the ids filled in; every other part of it could be an email address or a phone
 * number. The query string is never logged.
 */

import { isIP } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { isId, remember } from "../clock/index.ts";
import { networkOfAddress, plainAddress } from "../addresses/index.ts";
import type { Span } from "../tracing/index.ts";

/** How the client's address is logged. */
export const LOGGED_ADDRESSES = ["full", "short", "off"] as const;
export type LoggedAddress = (typeof LOGGED_ADDRESSES)[number];

/** Whose credential a request came with. Neither member is a secret. */
export interface Identity {
  readonly tenant: string;
  /** The kind and the id of the credential: `token …`, `session …` or `partner …`. */
  readonly credential: string;
}

/** What is known of a request's caller, from its operation. */
export interface CallerFacts {
  /** The credential by which the bytes of its body are counted. */
  readonly holder?: string | undefined;
  /** Whose credential it is, for the log. */
  readonly identity?: Identity | undefined;
}

/** A request with the state of its caller, once the caller is known. */
export type WithCaller<S extends CallerFacts = CallerFacts> = FastifyRequest & {
  callerState?: S;
};
type Identified = WithCaller & { readonly trace?: Span | undefined };

/** A part of an unknown path that is logged as it is: no address, number or name has this form. */
const PATH_WORD = /^[a-z_]{0,32}$/;
/** Of an unknown path no more is logged. */
const UNKNOWN_PATH_MAX = 200;

export function requestLogger(log: Logger, logged: LoggedAddress = "full") {
  // Nothing in a line has to be masked; looking for it would take longer than writing the line.
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

export const identityOf = (request: FastifyRequest): Identity | undefined =>
  (request as Identified).callerState?.identity;

/** The id of a request's trace, if traces are on. */
export function traceOf(request: FastifyRequest): { readonly trace_id: string } | undefined {
  const { trace } = request as Identified;
  return trace && { trace_id: trace.traceId };
}

/** The path of a request without anything but ids in its parameters. */
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

/** The fixed parts of a route and, between them, the names of its parameters. */
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

/** The /24 network of an IPv4 address, the /48 network of an IPv6 address. */
function shortened(from: string): string {
  const address = plainAddress(from);
  if (isIP(address) === 4) return `${address.split(".").slice(0, 3).join(".")}.0/24`;
  const [groups = ""] = networkOfAddress(address).split("::");
  return `${groups.split(":").slice(0, 3).join(":")}::/48`;
}
