/** The stored request of an attempt. Secrets are masked and long bodies are truncated. */

import type { OutgoingRequest } from "../platform/outgoing/index.ts";
import {
  integer,
  type Members,
  nullable,
  type Schemas,
  string,
} from "../platform/schemas/index.ts";

/** The text that replaces values that may be secret. */
const MASK = "***";

/** The value of our `user-agent` header. */
export const AGENT = "Leadport";

/** The maximum size of a stored request body. Documented in docs/webhooks.md. */
export const SENT_BYTES_MAX = 64 * 1024;

const STRING = { type: "string" } as const;
export const HEADERS = { type: "object", additionalProperties: STRING } as const;

/** The fields of a sent request, as the API returns it. */
export const SENT = {
  method: string("The HTTP method."),
  url: string("The URL."),
  headers: {
    ...HEADERS,
    description:
      "Host, Content-Length and Connection are not included. A header that may contain a secret " +
      `has the value \`${MASK}\`.`,
  },
  body: nullable(string("The first 64 KiB of the body; null if there was none.")),
  body_bytes: integer("The size of the whole body in bytes."),
} as const satisfies Schemas;

export interface SentRequest extends Members<typeof SENT> {}

/** The columns in which the request is stored, keyed by name. */
export interface StoredRequest {
  readonly request: Pick<SentRequest, "method" | "url" | "headers">;
  readonly request_body: Buffer | null;
  readonly request_bytes: number;
}

/**
 * Headers whose values are never secret. All other headers, such as Authorization, are chosen by tenants and may be
 * secret.
 */
const OPEN = new Set([
  "content-type",
  "webhook-id",
  "webhook-timestamp",
  "webhook-signature",
]) as ReadonlySet<string>;

const isOpen = (name: string, value: string): boolean =>
  OPEN.has(name) || (name === "user-agent" && value === AGENT);

/** Response headers that may contain secrets of the endpoint. */
const SECRET_ANSWERS = new Set(["set-cookie"]);

type Headers = Readonly<Record<string, string>>;

const masked = (headers: Headers, isShown: (name: string, value: string) => boolean): Headers =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      isShown(name.toLowerCase(), value) ? value : MASK,
    ]),
  );

export const maskedAnswerHeaders = (headers: Headers): Headers =>
  masked(headers, (name) => !SECRET_ANSWERS.has(name));

/** Prepares a request for storage. */
export function storedRequest({ method, url, headers, body }: OutgoingRequest): StoredRequest {
  const bytes = body === undefined ? null : Buffer.from(body);
  return {
    request: { method, url, headers: masked(headers, isOpen) },
    request_body: bytes && bytes.subarray(0, SENT_BYTES_MAX),
    request_bytes: bytes?.length ?? 0,
  };
}

/** Prepares a stored request for responses. */
export const shownRequest = ({
  request,
  request_body,
  request_bytes,
}: StoredRequest): SentRequest => ({
  ...request,
  body: request_body && textBefore(request_body, request_bytes, { ignoreBOM: true }),
  body_bytes: request_bytes,
});

/** Decodes the first bytes of a string. Omits a character that is cut off at the end. */
export const textBefore = (
  beginning: Uint8Array,
  whole_bytes: number,
  options: { readonly ignoreBOM?: boolean } = {},
): string =>
  // In stream mode, the decoder keeps an incomplete character instead of replacing it.
  new TextDecoder("utf-8", options).decode(beginning, { stream: whole_bytes > beginning.length });
