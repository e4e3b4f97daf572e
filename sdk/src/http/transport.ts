/**
 * Sends a request until there is a response, with the same bytes and the same Idempotency-Key on
 * every attempt. This module knows HTTP and the service's headers. Of the API's operations, it knows
 * only which ones ignore the key.
 */

import { ConnectionFailed, errorOf } from "../errors.ts";
import type { Attempt, Message, Prepared, RawBody, Send } from "./request.ts";
import { isWorthRetrying, NO_RETRY, RETRY, sleep, waitAfter, type RetryPolicy } from "./retry.ts";
import type { CheckedSettings } from "./settings.ts";
import { setUnlessThere } from "./headers.ts";
import { KEYLESS } from "../resources.ts";

const TIMEOUT_ms = 30_000;

export function createSend(settings: CheckedSettings, attempt: Attempt): Send {
  return async (message, read) => {
    const prepared = prepare(settings, message);
    const { signal, policy } = prepared;
    const started_ms = Date.now();
    for (let retries = 0; ; retries += 1) {
      try {
        return await attempt(prepared, read);
      } catch (error) {
        signal?.throwIfAborted();
        if (retries + 1 >= policy.attempts || !isWorthRetrying(error)) throw error;
        const wait_ms = waitAfter(retries + 1, error, policy);
        if (Date.now() - started_ms + wait_ms > policy.total_ms) throw error;
        await sleep(wait_ms, signal);
      }
    }
  };
}

/** Prepares everything that stays the same on every attempt. */
function prepare(settings: CheckedSettings, message: Message): Prepared {
  const { method, template, body, signal } = message;
  const path = fill(template, message.path ?? {});
  const headers = new Headers(settings.headers);
  for (const [name, value] of Object.entries(message.headers ?? {})) headers.set(name, value);
  const isRaw = isRawBody(body);
  if (isRaw) setUnlessThere(headers, "content-type", "application/octet-stream");
  else if (body !== undefined) headers.set("content-type", "application/json");
  const { ifMatch, ifNoneMatch } = message;
  if (ifMatch !== undefined) headers.set("if-match", etagOf(ifMatch));
  if (ifNoneMatch !== undefined) headers.set("if-none-match", etagOf(ifNoneMatch));
  const ignoresKey = template.startsWith("/auth/") || KEYLESS.has(`${method} ${template}`);
  const takesKey = method !== "get" && method !== "delete" && !ignoresKey;
  const isKeyed = takesKey && message.idempotencyKey !== false;
  if (isKeyed) setUnlessThere(headers, "idempotency-key", message.idempotencyKey || randomKey());
  const isSafe = !isRaw && (isKeyed || (method !== "post" && method !== "patch"));
  return {
    method: method.toUpperCase(),
    template,
    path,
    url: addressOf(settings.url, path, message.query ?? {}),
    headers,
    body: isRaw || body === undefined ? body : JSON.stringify(body),
    signal,
    timeout_ms: message.timeout_ms ?? (isRaw ? Infinity : (settings.timeout_ms ?? TIMEOUT_ms)),
    policy: isSafe ? policyOf(settings.retry, message.retry) : NO_RETRY,
    mayBeUnchanged: ifNoneMatch !== undefined,
    fetch: settings.fetch ?? globalThis.fetch,
  };
}

export const sendOnce: Attempt = async (prepared, read) => {
  const { fetch, url, method, path, headers, body, signal, timeout_ms, mayBeUnchanged } = prepared;
  const late = new AbortController();
  const giveUp = () => late.abort(new Error(`nothing within ${timeout_ms} ms`));
  const timer = timeout_ms === Infinity ? undefined : setTimeout(giveUp, timeout_ms);
  let response: Response;
  let failure: unknown;
  try {
    response = await fetch(url, {
      method,
      headers,
      signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
      // A redirected POST would become a GET.
      redirect: "manual",
      // The types for bodies differ between browsers and Node.js.
      ...(body !== undefined && { body: body as string }),
      ...(isStream(body) && { duplex: "half" }),
    });
    if (response.ok || (mayBeUnchanged && response.status === 304)) return await read(response);
    failure = parsed(await response.text());
  } catch (error) {
    signal?.throwIfAborted();
    throw new ConnectionFailed(method, path, error);
  } finally {
    clearTimeout(timer);
  }
  const { status, headers: received } = response;
  throw errorOf({ status, method, path, headers: received, body: failure });
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

export const isStream = (body: unknown): body is ReadableStream<Uint8Array> =>
  body instanceof ReadableStream;

const isRawBody = (body: unknown): body is RawBody =>
  typeof body === "string" || body instanceof Uint8Array || body instanceof Blob || isStream(body);

const etagOf = (given: number | string): string =>
  typeof given === "number" ? `"v${given}"` : given;

function fill(template: string, path: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name];
    // With one of these, this would be the path of a different operation: URLs omit "." and "..".
    if (value === undefined || ["", ".", ".."].includes(value)) {
      throw new TypeError(`${template} needs ${name}, not ${JSON.stringify(value)}`);
    }
    return encodeURIComponent(value);
  });
}

function addressOf(base: URL, path: string, query: Readonly<Record<string, unknown>>): URL {
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/$/, "") + path;
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) url.searchParams.set(name, textOf(value));
  }
  return url;
}

/** Formats a query value: times in ISO 8601, names separated by commas, objects as JSON. */
function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function policyOf(...given: (Partial<RetryPolicy> | false | undefined)[]): RetryPolicy {
  return given.reduce<RetryPolicy>(
    (policy, next) => (next === false ? NO_RETRY : { ...policy, ...next }),
    RETRY,
  );
}

/** Returns 128 random bits as text. `crypto.randomUUID` is missing on pages without TLS. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
