/**
 * Sends one request until it is answered: the same bytes and the same Idempotency-Key on every try.
 * Knows HTTP and the service's headers, and no operation.
 */

import { ConnectionFailed, errorOf } from "./errors.ts";
import { isWorthRetrying, NO_RETRY, RETRY, sleep, waitAfter, type RetryPolicy } from "./retry.ts";

export type Method = "get" | "put" | "post" | "patch" | "delete";

/** A file: sent as it is, and once. */
export type RawBody = string | Uint8Array | Blob | ReadableStream<Uint8Array>;

export interface CallOptions {
  /** The key of this POST, PUT or PATCH; a random one without, none with `false` (and then no retry). */
  readonly idempotencyKey?: string | false;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** How long one try may take, its answer's body included; 30 s without, files without an end. */
  readonly timeout_ms?: number;
  readonly retry?: Partial<RetryPolicy> | false;
}

/** Of the operations that change one record. */
export interface IfMatch {
  /** The write is refused (412) where the record has another version: a `version` or an ETag. */
  readonly ifMatch?: number | string;
}

/** Of the operations that read one record. */
export interface IfNoneMatch {
  /** The `version` or ETag that is there already: a 304 without data where it is the present one. */
  readonly ifNoneMatch: number | string;
}

export interface Message extends CallOptions, IfMatch, Partial<IfNoneMatch> {
  readonly method: Method;
  /** With the API's `{names}`, which `path` fills. */
  readonly template: string;
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
}

/** Who we are: the Authorization header, and a new one where the service refused the last. */
export interface Credentials {
  readonly header: () => Promise<string>;
  readonly renew?: (refused: string) => Promise<string>;
}

export interface TransportSettings {
  /** Where the service is; a path in it stands before every operation's. */
  readonly url: string | URL;
  readonly retry?: Partial<RetryPolicy> | false;
  readonly timeout_ms?: number;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Sends a message and gives what is read out of a good answer. Throws as errors.ts says. */
export type Send = <T>(message: Message, read: (answer: Response) => Promise<T>) => Promise<T>;

const TIMEOUT_ms = 30_000;

export function createSend(
  settings: TransportSettings,
  credentials: Credentials | undefined,
): Send {
  return async (message, read) => {
    const prepared = prepare(settings, message);
    const { signal, policy, isSafe } = prepared;
    const started_ms = Date.now();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await tryAsSomeone(prepared, credentials, read);
      } catch (error) {
        signal?.throwIfAborted();
        if (attempt >= policy.attempts || !isWorthRetrying(error, isSafe)) throw error;
        const wait_ms = waitAfter(attempt, error, policy);
        if (Date.now() - started_ms + wait_ms > policy.total_ms) throw error;
        await sleep(wait_ms, signal);
      }
    }
  };
}

interface Prepared {
  readonly method: string;
  readonly path: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: RawBody | undefined;
  readonly signal: AbortSignal | undefined;
  readonly timeout_ms: number;
  readonly policy: RetryPolicy;
  /** Whether a 304 is a good answer. */
  readonly mayBeUnchanged: boolean;
  readonly isSafe: boolean;
  readonly fetch: typeof globalThis.fetch;
}

/** All of a request that is the same on every try. */
function prepare(settings: TransportSettings, message: Message): Prepared {
  const { method, template, body, signal } = message;
  const path = fill(template, message.path ?? {});
  const headers = new Headers({ ...settings.headers, ...message.headers });
  const isRaw = isRawBody(body);
  if (isRaw) setUnlessThere(headers, "content-type", "application/octet-stream");
  else if (body !== undefined) headers.set("content-type", "application/json");
  const { ifMatch, ifNoneMatch } = message;
  if (ifMatch !== undefined) headers.set("if-match", etagOf(ifMatch));
  if (ifNoneMatch !== undefined) headers.set("if-none-match", etagOf(ifNoneMatch));
  const takesKey = method === "post" || method === "patch" || (method === "put" && !isRaw);
  const isKeyed = takesKey && message.idempotencyKey !== false;
  if (isKeyed) setUnlessThere(headers, "idempotency-key", message.idempotencyKey || randomKey());
  return {
    method: method.toUpperCase(),
    path,
    url: addressOf(settings.url, path, message.query ?? {}),
    headers,
    body: isRaw || body === undefined ? body : JSON.stringify(body),
    signal,
    timeout_ms: message.timeout_ms ?? (isRaw ? Infinity : (settings.timeout_ms ?? TIMEOUT_ms)),
    policy: policyOf(settings.retry, message.retry),
    mayBeUnchanged: ifNoneMatch !== undefined,
    isSafe: !isRaw && (isKeyed || method === "get" || method === "put" || method === "delete"),
    fetch: settings.fetch ?? globalThis.fetch,
  };
}

/** One try; a second at once where the credential was refused and another can be had. */
async function tryAsSomeone<T>(
  prepared: Prepared,
  credentials: Credentials | undefined,
  read: (answer: Response) => Promise<T>,
): Promise<T> {
  if (credentials === undefined) return tryOnce(prepared, read);
  const authorization = await credentials.header();
  prepared.headers.set("authorization", authorization);
  try {
    return await tryOnce(prepared, read);
  } catch (error) {
    const isRefused = (error as { status?: unknown }).status === 401;
    if (!isRefused || credentials.renew === undefined || isStream(prepared.body)) throw error;
    prepared.headers.set("authorization", await credentials.renew(authorization));
    return tryOnce(prepared, read);
  }
}

async function tryOnce<T>(prepared: Prepared, read: (answer: Response) => Promise<T>): Promise<T> {
  const { fetch, url, method, path, headers, body, signal, timeout_ms, mayBeUnchanged } = prepared;
  const late = new AbortController();
  const giveUp = () => late.abort(new Error(`nothing within ${timeout_ms} ms`));
  const timer = timeout_ms === Infinity ? undefined : setTimeout(giveUp, timeout_ms);
  let answer: Response;
  let told: unknown;
  try {
    answer = await fetch(url, {
      method,
      headers,
      signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
      // A POST that is sent elsewhere would come back as a GET.
      redirect: "manual",
      // The types of browsers and of Node name what a body may be differently.
      ...(body !== undefined && { body: body as string }),
      ...(isStream(body) && { duplex: "half" }),
    });
    if (answer.ok || (mayBeUnchanged && answer.status === 304)) return await read(answer);
    told = parsed(await answer.text());
  } catch (error) {
    signal?.throwIfAborted();
    throw new ConnectionFailed(method, path, error);
  } finally {
    clearTimeout(timer);
  }
  throw errorOf({ status: answer.status, method, path, headers: answer.headers, body: told });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

const isStream = (body: unknown): body is ReadableStream<Uint8Array> =>
  body instanceof ReadableStream;

const isRawBody = (body: unknown): body is RawBody =>
  typeof body === "string" || body instanceof Uint8Array || body instanceof Blob || isStream(body);

const etagOf = (given: number | string): string =>
  typeof given === "number" ? `"v${given}"` : given;

function setUnlessThere(headers: Headers, name: string, value: string): void {
  if (!headers.has(name)) headers.set(name, value);
}

function fill(template: string, path: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name];
    // An empty id would be the path of another operation.
    if (value === undefined || value === "") throw new TypeError(`${template} needs ${name}`);
    return encodeURIComponent(value);
  });
}

function addressOf(
  base: string | URL,
  path: string,
  query: Readonly<Record<string, unknown>>,
): URL {
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/$/, "") + path;
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) url.searchParams.set(name, textOf(value));
  }
  return url;
}

/** How a value stands in a query: times in ISO 8601, objects as JSON. */
function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function policyOf(...given: (Partial<RetryPolicy> | false | undefined)[]): RetryPolicy {
  return given.reduce<RetryPolicy>(
    (policy, next) => (next === false ? NO_RETRY : { ...policy, ...next }),
    RETRY,
  );
}

/** 128 random bits; `crypto.randomUUID` is missing on pages without TLS. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
