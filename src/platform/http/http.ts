/** The HTTP server: reads bodies as bytes and query parameters as strings, assigns request ids, and sends errors. */

import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import Fastify, {
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import type { Logger } from "pino";
import { createCommonHeaders, NO_SNIFF } from "./common-headers.ts";
import { limitConnections } from "./connections.ts";
import type { Tls } from "../storage/index.ts";
import { AppError, ValidationError, type Issue } from "../errors/index.ts";
import { bodyReader, type BodyLimits } from "./incoming-body.ts";
import { knownError, RETRY_SOON } from "./known-error.ts";
import { METHODS } from "./other-methods.ts";
import type { Pages } from "./static-files.ts";
import {
  identityOf,
  loggedAddress,
  requestLogger,
  traceOf,
  type LoggedAddress,
  type WithCaller,
} from "./request-log.ts";
import { shownIssues } from "../validation/index.ts";
import { isObject } from "../json/index.ts";

export interface HttpOptions {
  readonly log: Logger;
  readonly trustedProxies: readonly string[];
  readonly tls?: Record<keyof Tls, string | Buffer> | undefined;
  /** Whether to send `Strict-Transport-Security` if the service terminates TLS. Default: true. */
  readonly hsts?: boolean | undefined;
  /** Serves pages to browsers that request a path without an API operation. */
  readonly pages?: Pick<Pages, "serve"> | undefined;
  readonly bodies?: BodyLimits | undefined;
  /** How client addresses are logged. By default, they are logged in full. */
  readonly logAddresses?: LoggedAddress | undefined;
}

const BODY_MAX_bytes = 1024 * 1024;
const HEADERS_MAX_bytes = 128 * 1024;
/** Options for Node's server. It checks for late headers every 5 s instead of every 30 s. */
const HEADER_LIMITS = {
  maxHeaderSize: HEADERS_MAX_bytes,
  headersTimeout: 20_000,
  connectionsCheckingInterval: 5_000,
};
const SANE_REQUEST_ID = /^[\w.:/+=-]{1,128}$/;

export function createHttp(options: HttpOptions): FastifyInstance {
  const { log, trustedProxies, tls, hsts = true, pages, bodies, logAddresses } = options;
  const setCommonHeaders = createCommonHeaders({ hsts: hsts && tls !== undefined });
  const app = Fastify({
    loggerInstance: log as never,
    bodyLimit: BODY_MAX_bytes,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: ({ headers }: IncomingMessage) =>
      saneRequestId(headers["x-request-id"]) ?? randomUUID(),
    routerOptions: {
      ignoreTrailingSlash: false,
      maxParamLength: HEADERS_MAX_bytes,
      querystringParser: (text: string) => Object.fromEntries(new URLSearchParams(text)),
    },
    forceCloseConnections: "idle",
    // Requests that arrive while the server is closing get our own error (`stopping`).
    return503OnClosing: false,
    // Called for requests whose path cannot be decoded. They have no route, and no hooks run for them.
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      setCommonHeaders(request, reply);
      sendError(error, request, reply);
    },
    clientErrorHandler: rejectUnreadable(log, logAddresses),
    ...(tls === undefined
      ? { http: HEADER_LIMITS }
      : { https: { ...tls, minVersion: "TLSv1.2", ...HEADER_LIMITS } }),
  } as never) as unknown as FastifyInstance;
  // Operations check their own input. The compilers are set for each route, because Fastify would otherwise copy the list
  // of all schemas for each route, which takes a fifth of the time in which an app is built.
  app.addHook("onRoute", (route) => {
    route.validatorCompiler = () => () => true;
    route.serializerCompiler = () => (value) => JSON.stringify(value);
  });
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", bodyReader(bodies));
  app.decorateRequest("callerState" satisfies keyof WithCaller, undefined);
  app.decorateRequest("party", undefined);
  app.decorateRequest("trace", undefined);
  limitConnections(app);
  let isStopping = false;
  app.addHook("preClose", async () => {
    isStopping = true;
  });
  app.addHook("onRequest", (request, reply, done) => {
    setCommonHeaders(request, reply);
    if (hasSeveralHosts(request.raw)) done(new AppError("several_hosts"));
    else done(isStopping ? new AppError("stopping", { headers: RETRY_SOON }) : undefined);
  });
  app.addHook("onResponse", requestLogger(log, logAddresses));
  app.setErrorHandler(sendError);
  app.setNotFoundHandler(
    (request, reply) =>
      pages?.serve(request, reply) ?? sendError(new AppError("not_found"), request, reply),
  );
  return app;
}

/**
 * If there are several Host headers, Node.js uses the first one, but a proxy in front may have used another (RFC 9112,
 * 3.2).
 */
function hasSeveralHosts({ rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") count += 1;
  }
  return count > 1;
}

const saneRequestId = (given: string | string[] | undefined): string | undefined =>
  typeof given === "string" && SANE_REQUEST_ID.test(given) ? given : undefined;

/** Responds to an error with 422 and its issues, an entry from the error catalog, or 500 and the request id. */
function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = knownError(error);
  if (known instanceof ValidationError) {
    const detail = shownIssues(asSent(known.issues, request.query));
    return reply.code(422).type("application/json").send({ detail });
  }
  if (known.code === "internal") {
    const caller = { ...identityOf(request), ...traceOf(request) };
    request.log.error({ err: error, ...caller }, "request failed");
  }
  const members = known.code === "internal" ? { request_id: request.id } : known.members;
  return reply
    .code(known.status)
    .headers(known.headers)
    .type("application/json")
    .send({ detail: known.message, ...members });
}

/** Replaces numbers that were parsed from query parameters with the text that the client sent. */
const asSent = (issues: readonly Issue[], query: unknown): readonly Issue[] =>
  issues.map((issue) => {
    const [place, name = ""] = issue.loc;
    const text = isObject(query) ? query[name] : undefined;
    const isRead = place === "query" && typeof issue.input === "number" && text !== undefined;
    return isRead ? { ...issue, input: text } : issue;
  });

const UNREADABLE: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

const UNREADABLE_HEADERS = Object.entries(NO_SNIFF)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join("");

/**
 * Responds to bytes that are not an HTTP request with an error in our format, and closes the connection. No hooks run
 * for such bytes, so they are logged here.
 */
function rejectUnreadable(log: Logger, logged: LoggedAddress = "full") {
  return (error: Error & { readonly code?: string }, socket: Socket): void => {
    if (error.code === "ECONNRESET" || socket.destroyed) return;
    const status = UNREADABLE[error.code ?? ""] ?? "400 Bad Request";
    const reqId = randomUUID();
    const from = socket.remoteAddress;
    const address = from && loggedAddress(from, logged);
    const line = { reqId, status: Number(status.slice(0, 3)), ...(address && { address }) };
    log.info(line, "unreadable request");
    const body = JSON.stringify({ detail: status.slice(4) });
    if (socket.writable) {
      socket.write(
        `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\n${UNREADABLE_HEADERS}` +
          `X-Request-Id: ${reqId}\r\n` +
          `Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      );
    }
    socket.destroy(error);
  };
}

/** How many times a client is checked before it counts as stalled. */
const STALL_CHECKS = 60;

/**
 * Closes the connection if the client reads no data for `stall_ms` while bytes are waiting to be
 * sent. Node's socket timeout would take up to twice as long if the network had accepted part of
 * the last write. The operating system accepts more bytes only when a third of its send buffer is
 * free, so a slow client must read at least that much within `stall_ms`.
 */
export function closeWhenStalled({ raw }: Pick<FastifyReply, "raw">, stall_ms: number): void {
  let waiting = 0;
  let checks = 0;
  // If the client has already disconnected, "close" is not emitted again.
  if (raw.destroyed) return;
  const timer = setInterval(() => {
    const found = waitingIn(raw);
    checks = found > 0 && found === waiting ? checks + 1 : 0;
    waiting = found;
    if (checks === STALL_CHECKS) raw.destroy();
  }, stall_ms / STALL_CHECKS).unref();
  raw.once("close", () => clearInterval(timer));
}

/**
 * Returns the number of bytes that the network has not accepted yet. Like Node's socket timeout, takes partial writes
 * into account.
 */
function waitingIn({ writableLength, socket }: ServerResponse): number {
  const handle = (socket as { readonly _handle?: { readonly writeQueueSize?: number } } | null)
    ?._handle;
  return writableLength + (handle?.writeQueueSize ?? 0);
}
