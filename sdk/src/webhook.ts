/**
 * Verifies that the service sent a delivery: Standard Webhooks signatures (HMAC-SHA256), checked
 * with Web Crypto.
 */

import type { webhooks } from "./api.ts";

/** The payloads of the webhooks in openapi.json, by name. */
type Sent = {
  readonly [N in keyof webhooks]: webhooks[N] extends {
    readonly post: {
      readonly requestBody: { readonly content: { readonly "application/json": infer B } };
    };
  }
    ? B
    : never;
};
type PartnerName = Extract<keyof webhooks, `partner.${string}`>;

/** The payload of a tenant's event webhook. */
export type WebhookEvent = Sent[Exclude<keyof webhooks, PartnerName | "import_webhook">];

/** The payload of a partner's event webhook. */
export type PartnerWebhookEvent = Sent[PartnerName];

/** Thrown if a delivery is forged, altered, too old, or signed with a different secret. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
}

export interface Delivered {
  /** The secrets as issued (`whsec_…`). While a new secret is replacing the old one, pass both. */
  readonly secrets: readonly string[];
  /** The request headers: a `Headers` object or Node's headers object. */
  readonly headers:
    | Pick<Headers, "get">
    | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body exactly as it arrived, not JSON that was parsed and serialized again. */
  readonly body: string | Uint8Array;
  /**
   * The maximum difference between the delivery's timestamp and the current time, in seconds.
   * Default: 300.
   */
  readonly tolerance_s?: number;
  /** The current time, in milliseconds since 1970. Default: the system's time. */
  readonly now_ms?: number;
}

interface Verified {
  /**
   * The delivery's ID, which is the same on every attempt. Ignore a delivery if you have already
   * processed its ID.
   */
  readonly id: string;
  readonly sent_at: Date;
  /** The body exactly as it arrived. */
  readonly text: string;
}

/**
 * A delivery whose body is not an event, such as one from the import webhook. Only its text is
 * known.
 */
export interface OtherWebhook extends Verified {
  readonly type?: undefined;
  readonly timestamp?: undefined;
  readonly data?: undefined;
}

/** A delivery from a tenant's webhook. Its `type` determines the type of its `data`. */
export type VerifiedWebhook = (Verified & WebhookEvent) | OtherWebhook;

/** A delivery from a partner's webhook. Its `type` determines the type of its `data`. */
export type VerifiedPartnerWebhook = (Verified & PartnerWebhookEvent) | OtherWebhook;

const TOLERANCE_s = 300;
const PREFIX = "whsec_";
const VERSION = "v1,";
const SIGNATURES_MAX = 10;

/**
 * Returns the verified delivery with its event. Throws a WebhookVerificationError with the reason
 * if verification fails. A newer version of the service may send events that this version of the
 * client does not list.
 */
export const verifyWebhook = async (delivered: Delivered): Promise<VerifiedWebhook> =>
  withEvent(await verify(delivered)) as VerifiedWebhook;

/** Like `verifyWebhook`, but for partners' webhooks. */
export const verifyPartnerWebhook = async (delivered: Delivered): Promise<VerifiedPartnerWebhook> =>
  withEvent(await verify(delivered)) as VerifiedPartnerWebhook;

/** Adds the event's members if the body is an event. */
function withEvent(verified: Verified): object {
  let body: unknown;
  try {
    body = JSON.parse(verified.text);
  } catch {
    return verified;
  }
  const { type, timestamp, data } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const isEvent = typeof type === "string" && typeof data === "object" && data !== null;
  return isEvent ? { ...verified, type, timestamp, data } : verified;
}

async function verify(delivered: Delivered): Promise<Verified> {
  const { secrets, headers, tolerance_s = TOLERANCE_s, now_ms = Date.now() } = delivered;
  if (secrets.length === 0) throw new TypeError("verifyWebhook needs a secret");
  const id = required(headers, "webhook-id");
  const timestamp = required(headers, "webhook-timestamp");
  const signed = required(headers, "webhook-signature");
  if (!/^\d{1,12}$/.test(timestamp)) refuse("webhook-timestamp is no time in seconds");
  const age_s = now_ms / 1000 - Number(timestamp);
  if (age_s > tolerance_s) refuse(`it was sent ${Math.round(age_s)} s ago`);
  if (age_s < -tolerance_s) refuse(`it is from ${Math.round(-age_s)} s ahead`);
  const body = bytesOf(delivered.body);
  const content = joined(bytesOf(`${id}.${timestamp}.`), body);
  const signatures = signed
    .split(" ")
    .filter((signature) => signature.startsWith(VERSION))
    .slice(0, SIGNATURES_MAX)
    .flatMap((signature) => decoded(signature.slice(VERSION.length)) ?? []);
  if (signatures.length === 0) refuse("webhook-signature holds no v1 signature");
  for (const secret of secrets) {
    if (await isSignedWith(secret, signatures, content)) {
      return {
        id,
        sent_at: new Date(Number(timestamp) * 1000),
        text: new TextDecoder().decode(body),
      };
    }
  }
  return refuse("no signature fits a secret");
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Web Crypto's `verify` compares in constant time. */
async function isSignedWith(
  secret: string,
  signatures: readonly Bytes[],
  content: Bytes,
): Promise<boolean> {
  const raw = decoded(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (raw === undefined || raw.length === 0) throw new TypeError("A secret is whsec_ and base64");
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", raw, algorithm, false, ["verify"]);
  for (const signature of signatures) {
    if (await crypto.subtle.verify("HMAC", key, signature, content)) return true;
  }
  return false;
}

function required(headers: Delivered["headers"], name: string): string {
  const value = typeof headers.get === "function" ? headers.get(name) : namedIn(headers, name);
  if (typeof value !== "string" || value === "") return refuse(`the header ${name} is missing`);
  return value;
}

const namedIn = (headers: object, name: string): unknown =>
  Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];

function refuse(why: string): never {
  throw new WebhookVerificationError(`The webhook is refused: ${why}`);
}

const bytesOf = (text: string | Uint8Array): Bytes =>
  typeof text === "string" ? new TextEncoder().encode(text) : new Uint8Array(text);

function joined(first: Bytes, second: Bytes): Bytes {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** Decodes Base64; undefined if it is invalid. */
function decoded(base64: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}
