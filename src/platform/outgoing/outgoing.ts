/**
 * The one door to the network. It goes to no address that a tenant may not reach, follows no
 * redirect, uses no proxy, keeps TLS's checks on, and reads of an answer what it needs.
 */

import { setTimeout as startTimer } from "node:timers";
import type { LookupFunction } from "node:net";
import { Agent, buildConnector } from "undici";
import { noAddress, OutgoingError } from "./outgoing-error.ts";
import { createGate, type Gate } from "./outgoing-gate.ts";
import { createLookup, refusedAddress } from "./outgoing-lookup.ts";
import { readUrl, type UrlRefusal } from "./outgoing-url.ts";
import { tracedCall } from "../admission/index.ts";

export { OutgoingError, type OutgoingFault } from "./outgoing-error.ts";

export interface OutgoingRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Of the whole request, from the look-up of the host to the last byte of the answer. */
  readonly timeout_s: number;
  /** Where a partner named the URL: what is opened for tenants is not open to it. */
  readonly by?: "partner";
}

export interface OutgoingAnswer {
  readonly status: number;
  /** Names in lower case; values of a header that came twice are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** At most 64 KiB of it, as it came: not unpacked. */
  readonly body: Buffer;
  readonly isCut: boolean;
}

export interface Outgoing {
  /**
   * Any complete answer, whatever its status, redirects too; OutgoingError where there is none. Every
   * other error is the caller's: a header that is the door's own to set, or none at all.
   */
  readonly send: (request: OutgoingRequest) => Promise<OutgoingAnswer>;
  /** Closes every connection; what is still under way fails with `connection`. */
  readonly close: () => Promise<void>;
}

export interface OutgoingOptions {
  /** Hosts, addresses and ranges that may be reached although private, and by http. */
  readonly allow: readonly string[];
  /** The same of requests to where a partner named the URL; none where this is not given. */
  readonly partnerAllow?: readonly string[];
  /** `127.0.0.1:5353`, to ask instead of the machine's name servers. */
  readonly nameServers?: readonly string[];
  /** The look-up, TCP and TLS together. */
  readonly connectTimeout_s?: number;
  /** How long an answer's body may pause. */
  readonly idleTimeout_s?: number;
}

const BODY_BYTES_MAX = 64 * 1024;
const HEADER_BYTES_MAX = 16 * 1024;
const CONNECT_TIMEOUT_S = 10;
const IDLE_TIMEOUT_S = 10;
/** Shorter than servers keep one, so that a request seldom meets a connection that is just closing. */
const KEEP_ALIVE_MS = 2000;

/** Said by the connection alone: with another Host a certificate would be checked for that name. */
const OWN_HEADERS =
  /^(host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*)$/i;

export interface UrlRule {
  /** The hosts, addresses and ranges of the setting that applies. */
  readonly allow: readonly string[];
  readonly by?: OutgoingRequest["by"];
}

/**
 * What is wrong with a URL before anything is sent, without a period; undefined if nothing is. For this
 * machine and private addresses it names the setting that allows them.
 */
export function urlFault(url: string, { allow, by }: UrlRule): string | undefined {
  const read = readUrl(url, createGate(allow));
  if (read instanceof URL) return undefined;
  const { text, nearby } = read;
  if (nearby === undefined) return text;
  const setting = by === "partner" ? "PARTNER_OUTGOING_ALLOW" : "OUTGOING_ALLOW";
  return `${text}; to allow ${nearby}, add it to the environment variable ${setting} and restart the service`;
}

/** Two doors that share no connection: each checks the addresses that its own are connected to. */
export function createOutgoing({ partnerAllow = [], ...options }: OutgoingOptions): Outgoing {
  const [tenants, partners] = [
    createClient(options),
    createClient({ ...options, allow: partnerAllow }),
  ];
  return {
    send: (request) =>
      tracedCall(request, () => (request.by === "partner" ? partners : tenants).send(request)),
    close: async () => {
      await Promise.all([tenants.close(), partners.close()]);
    },
  };
}

/** A refused address is shown in the one sentence of all refused addresses. */
function notSent(url: string, { fault, text }: UrlRefusal): OutgoingError {
  const message = `Nothing can be sent: ${text}.`;
  if (fault === "bad_url") return new OutgoingError(fault, message);
  const shown = { fault, problem: noAddress(new URL(url).hostname) };
  return new OutgoingError(fault, message, { shown });
}

function createClient(options: Omit<OutgoingOptions, "partnerAllow">): Outgoing {
  const { allow, nameServers = [], idleTimeout_s = IDLE_TIMEOUT_S } = options;
  const { connectTimeout_s = CONNECT_TIMEOUT_S } = options;
  const gate = createGate(allow);
  const lookup = createLookup({ gate, nameServers });
  const agent = new Agent({
    connect: createConnector({ gate, lookup, timeout_s: connectTimeout_s }),
    // Until the headers come, the whole request's time is the limit.
    headersTimeout: 0,
    bodyTimeout: idleTimeout_s * 1000,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: HEADER_BYTES_MAX,
    pipelining: 1,
    allowH2: false,
    useMilo: false,
  });
  return {
    send: async (request) => {
      const url = readUrl(request.url, gate);
      if (!(url instanceof URL)) throw notSent(request.url, url);
      const own = Object.keys(request.headers).find((name) => OWN_HEADERS.test(name));
      if (own !== undefined) throw new Error(`The header ${own} is not the caller's to set`);
      try {
        return await exchangeInTime(agent, url, request);
      } catch (error) {
        throw told(error, url.hostname);
      }
    },
    close: () => agent.destroy(),
  };
}

export interface ConnectorOptions {
  readonly gate: Gate;
  readonly lookup: LookupFunction;
  readonly timeout_s: number;
}

/**
 * Opens connections. Where the look-up let a wrong address through, or was not asked, the address at the
 * other end stops the connection before a byte of the request is written.
 */
export function createConnector({
  gate,
  lookup,
  timeout_s,
}: ConnectorOptions): buildConnector.connector {
  const connect = buildConnector({
    lookup,
    timeout: timeout_s * 1000,
    allowH2: false,
    // A certificate is checked on every connection: a resumed session would skip that.
    maxCachedSessions: 0,
    rejectUnauthorized: true,
    minVersion: "TLSv1.2",
  });
  return (options, callback) =>
    connect(options, (error, socket) => {
      const { hostname: host, protocol } = options;
      // An error comes without a second argument, whatever its type says.
      if (error !== null) return callback(connectError(error, { host, protocol }), null);
      const { remoteAddress } = socket;
      // Closed by now; there is nobody to send to.
      if (remoteAddress === undefined) return callback(brokeOff(host), null);
      const what = gate.isNamedHost(host) ? undefined : gate.refusal(remoteAddress);
      if (what === undefined) return callback(null, socket);
      socket.destroy();
      return callback(refusedAddress(host, what), null);
    });
}

async function exchangeInTime(
  agent: Agent,
  url: URL,
  request: OutgoingRequest,
): Promise<OutgoingAnswer> {
  const controller = new AbortController();
  const { signal } = controller;
  const { timeout_s } = request;
  // The client heeds a signal once it is connected; the look-up and the handshake count as well.
  const isOver = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as OutgoingError));
  });
  const timer = startTimer(() => {
    const sentence = `${url.hostname} did not answer within ${timeout_s} s.`;
    controller.abort(new OutgoingError("timeout", sentence));
  }, timeout_s * 1000);
  try {
    return await Promise.race([exchange(agent, url, { request, signal }), isOver]);
  } finally {
    clearTimeout(timer);
  }
}

async function exchange(
  agent: Agent,
  url: URL,
  { request, signal }: { readonly request: OutgoingRequest; readonly signal: AbortSignal },
): Promise<OutgoingAnswer> {
  const { statusCode, headers, body } = await agent.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: request.method,
    headers: request.headers,
    body: request.body ?? null,
    signal,
  });
  const joined = Object.entries(headers).map(([name, value]) => [name, [value].flat().join(", ")]);
  return {
    status: statusCode,
    headers: Object.fromEntries(joined) as Record<string, string>,
    ...(await readStart(body)),
  };
}

/** The body's first 64 KiB. Leaving the loop before its end closes the connection. */
async function readStart(
  body: AsyncIterable<Buffer>,
): Promise<Pick<OutgoingAnswer, "body" | "isCut">> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) break;
  }
  const read = Buffer.concat(chunks);
  return { body: read.subarray(0, BODY_BYTES_MAX), isCut: bytes > BODY_BYTES_MAX };
}

/** What a program tells an error by; some of a parser's have a name alone. */
const codeOf = (error: unknown): string => {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return String(code ?? name);
};

/** ECONNREFUSED, ETIMEDOUT: the system's; EPROTO is what it calls TLS that makes no sense. */
const isOfSystem = (code: string): boolean => /^E[A-Z0-9]+$/.test(code) && code !== "EPROTO";

/** Why there is no connection. What neither a clock nor the system says is said by TLS. */
function connectError(
  error: Error,
  { host, protocol }: { readonly host: string; readonly protocol: string },
): OutgoingError {
  if (error instanceof OutgoingError) return error;
  const code = codeOf(error);
  const options = { cause: error };
  if (code === "UND_ERR_CONNECT_TIMEOUT" || code === "ETIMEDOUT") {
    return new OutgoingError("timeout", `${host} could not be connected to in time.`, options);
  }
  if (protocol === "http:" || isOfSystem(code)) {
    return new OutgoingError("connection", `${host} could not be connected to (${code}).`, options);
  }
  return new OutgoingError("tls", `TLS with ${host} failed (${code}).`, options);
}

/** What went wrong once there was a connection, by its code; first come, first served. */
const BROKEN = [
  [/^UND_ERR_BODY_TIMEOUT$/, "timeout", "paused too long in its answer"],
  [/^UND_ERR_HEADERS_OVERFLOW$/, "connection", "answered with headers of more than 16 KiB"],
  [/^(HPE_|HTTPParserError$|UND_ERR_RES)/, "connection", "did not answer as HTTP/1.1 asks"],
  [/^(ERR_SSL|ERR_TLS|EPROTO)/, "tls", "broke off TLS"],
] as const;

const brokeOff = (host: string): OutgoingError =>
  new OutgoingError("connection", `${host} broke off.`);

/** The error in our words; a request that cannot be written is the caller's and stays as it is. */
function told(error: unknown, host: string): unknown {
  const code = codeOf(error);
  if (error instanceof OutgoingError || /^UND_ERR_(INVALID|NOT_SUPPORTED)/.test(code)) return error;
  const found = BROKEN.find(([codes]) => codes.test(code));
  if (found === undefined) return brokeOff(host);
  return new OutgoingError(found[1], `${host} ${found[2]}.`);
}
