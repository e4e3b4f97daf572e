/**
 * The HTTP client for all outgoing requests. It blocks addresses that tenants must not reach, does not follow
 * redirects, uses no proxy, always verifies TLS certificates, and reads only the beginning of a response.
 */

import { setTimeout as startTimer } from "node:timers";
import type { LookupFunction } from "node:net";
import { Agent, buildConnector } from "undici";
import { codeOf } from "../errors/index.ts";
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
  /** The limit for the whole request, from the DNS lookup to the last byte of the response. */
  readonly timeout_s: number;
  /**
   * Set this if a partner configured the URL. In that case, the partners' allowlist applies instead of the tenants'
   * allowlist.
   */
  readonly by?: "partner";
}

export interface OutgoingResponse {
  readonly status: number;
  /** Header names are in lowercase. Repeated headers are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, not decompressed. At most its first 64 KiB. */
  readonly body: Buffer;
  readonly isCut: boolean;
}

export interface Outgoing {
  /**
   * Sends a request. Returns any complete response, regardless of its status, including redirects. Throws an
   * OutgoingError if there is no response. Any other error is caused by an invalid request, such as an invalid header
   * or a header that the client itself sets.
   */
  readonly send: (request: OutgoingRequest) => Promise<OutgoingResponse>;
  /** Closes all connections. Requests in progress fail with the fault `connection`. */
  readonly close: () => Promise<void>;
}

export interface OutgoingOptions {
  /** Private hosts, addresses and ranges that are allowed, even over plain HTTP. */
  readonly allow: readonly string[];
  /** The allowlist for URLs that partners configured. Only tests set it. Default: empty. */
  readonly partnerAllow?: readonly string[];
  /** Name servers such as `127.0.0.1:5353`. Default: the machine's name servers. */
  readonly nameServers?: readonly string[];
  /** The limit for the DNS lookup, TCP connection and TLS handshake together. */
  readonly connectTimeout_s?: number;
  /** The maximum time without data while a response body is being read. */
  readonly idleTimeout_s?: number;
}

const BODY_BYTES_MAX = 64 * 1024;
const HEADER_BYTES_MAX = 16 * 1024;
const CONNECT_TIMEOUT_S = 10;
const IDLE_TIMEOUT_S = 10;
/**
 * How long idle connections are kept. This is shorter than the keep-alive timeout of most servers, so requests rarely
 * use a connection that the server is closing.
 */
const KEEP_ALIVE_MS = 2000;

/**
 * Headers that only the client may set. A different Host header would change the name that the certificate is checked
 * for.
 */
const OWN_HEADERS =
  /^(host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*)$/i;

export interface UrlRule {
  /** The entries of the allowlist that applies: hosts, addresses and ranges. */
  readonly allow: readonly string[];
  readonly by?: OutgoingRequest["by"];
}

/**
 * Checks a URL without sending anything. Returns the problem as a clause without a period, or
 * undefined if there is none. For a tenant's URL to this machine or a private address, it names the setting that allows
 * it.
 */
export function urlFault(url: string, { allow, by }: UrlRule): string | undefined {
  const read = readUrl(url, createGate(allow));
  if (read instanceof URL) return undefined;
  const { text, nearby } = read;
  if (nearby === undefined || by === "partner") return text;
  return `${text}; to allow ${nearby}, add it to the environment variable OUTGOING_ALLOW and restart the service`;
}

/** Creates separate clients for tenants and partners, because addresses are checked only when a connection opens. */
export function createOutgoing({ partnerAllow = [], ...options }: OutgoingOptions): Outgoing {
  const tenants = createClient(options);
  const partners = createClient({ ...options, allow: partnerAllow });
  return {
    send: (request) =>
      tracedCall(request, () => (request.by === "partner" ? partners : tenants).send(request)),
    close: async () => {
      await Promise.all([tenants.close(), partners.close()]);
    },
  };
}

/** Converts a URL refusal to an error. Tenants and partners see the same message for all blocked addresses. */
function notSent(url: string, { fault, text }: UrlRefusal): OutgoingError {
  const message = `The request was not sent: ${text}.`;
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
    // No separate limit: until the headers arrive, the timeout for the whole request applies.
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
      if (own !== undefined) throw new Error(`Callers must not set the header ${own}`);
      try {
        return await exchangeInTime(agent, url, request);
      } catch (error) {
        throw asOutgoingError(error, url.hostname);
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
 * Opens connections. Also checks the address of the connected socket, in case the lookup was skipped or let a blocked
 * address through. Closes a blocked connection before any byte of the request is sent.
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
    // Disable session resumption, because it would skip the certificate check.
    maxCachedSessions: 0,
    rejectUnauthorized: true,
    minVersion: "TLSv1.2",
  });
  return (options, callback) =>
    connect(options, (error, socket) => {
      const { hostname: host, protocol } = options;
      // Contrary to its type, the callback gets no socket if there is an error.
      if (error !== null) return callback(connectError(error, { host, protocol }), null);
      const { remoteAddress } = socket;
      // The connection is already closed.
      if (remoteAddress === undefined) return callback(disconnected(host), null);
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
): Promise<OutgoingResponse> {
  const controller = new AbortController();
  const { signal } = controller;
  const { timeout_s } = request;
  // undici observes the signal only once it is connected, but the timeout must also cover the DNS lookup and the TLS
  // handshake.
  const isOver = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as OutgoingError));
  });
  const timer = startTimer(() => {
    const sentence = `${url.hostname} did not respond within ${timeout_s} s.`;
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
): Promise<OutgoingResponse> {
  const { statusCode, headers, body } = await agent.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: request.method,
    headers: request.headers,
    body: request.body ?? null,
    signal,
  });
  const joined = Object.entries(headers).map(([name, value]): readonly [string, string] => [
    name,
    [value].flat().join(", "),
  ]);
  return {
    status: statusCode,
    headers: Object.fromEntries(joined),
    ...(await readStart(body)),
  };
}

/** Reads the first 64 KiB of a body. Leaving the loop early closes the connection. */
async function readStart(
  body: AsyncIterable<Buffer>,
): Promise<Pick<OutgoingResponse, "body" | "isCut">> {
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

/** Returns an error's code, or its name, because some parser errors have no code. */
const codeOrName = (error: unknown): string =>
  codeOf(error) || (error instanceof Error ? error.name : "");

/** Whether a code, such as ECONNREFUSED, comes from the operating system. EPROTO is a TLS error. */
const isOfSystem = (code: string): boolean => /^E[A-Z0-9]+$/.test(code) && code !== "EPROTO";

/** Converts a failure to connect. Errors other than timeouts and system errors come from TLS. */
function connectError(
  error: Error,
  { host, protocol }: { readonly host: string; readonly protocol: string },
): OutgoingError {
  if (error instanceof OutgoingError) return error;
  const code = codeOrName(error);
  const options = { cause: error };
  if (code === "UND_ERR_CONNECT_TIMEOUT" || code === "ETIMEDOUT") {
    return new OutgoingError("timeout", `Connecting to ${host} took too long.`, options);
  }
  if (protocol === "http:" || isOfSystem(code)) {
    return new OutgoingError("connection", `Could not connect to ${host} (${code}).`, options);
  }
  return new OutgoingError("tls", `TLS with ${host} failed (${code}).`, options);
}

/** Errors that occur once the connection is established, by code. The first match applies. */
const CONNECTED_ERRORS = [
  [/^UND_ERR_BODY_TIMEOUT$/, "timeout", "paused for too long while sending its response"],
  [/^UND_ERR_HEADERS_OVERFLOW$/, "connection", "sent response headers larger than 16 KiB"],
  [/^(HPE_|HTTPParserError$|UND_ERR_RES)/, "connection", "sent an invalid HTTP/1.1 response"],
  [/^(ERR_SSL|ERR_TLS|EPROTO)/, "tls", "ended the connection with a TLS error"],
] as const;

const disconnected = (host: string): OutgoingError =>
  new OutgoingError("connection", `${host} closed the connection.`);

/** Converts an error to an OutgoingError. Errors that are caused by an invalid request stay unchanged. */
function asOutgoingError(error: unknown, host: string): unknown {
  const code = codeOrName(error);
  if (error instanceof OutgoingError || /^UND_ERR_(INVALID|NOT_SUPPORTED)/.test(code)) return error;
  const found = CONNECTED_ERRORS.find(([codes]) => codes.test(code));
  if (found === undefined) return disconnected(host);
  return new OutgoingError(found[1], `${host} ${found[2]}.`);
}
