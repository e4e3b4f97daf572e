/** The secrets by which a receiver knows that a delivery comes from us: issued, at most two, shown with their time. */

import { randomBytes } from "node:crypto";
import { epochSeconds, isoSeconds, type Clock } from "../platform/clock/index.ts";
import { objectSchema, type Schema, type Schemas } from "../platform/validation/index.ts";

/** Of so many secrets the newest sign (Standard Webhooks: both while one replaces the other). */
const SECRETS_ACTIVE = 2;
const SECRET_BYTES = 32;

export interface SigningSecret {
  /** `whsec_` and base64, as Standard Webhooks writes it. */
  readonly secret: string;
  readonly created_ts: number;
}

/** The secrets with a new one, newest first; who is older than the newest two is dropped. */
export function withNewSecret(
  secrets: readonly SigningSecret[],
  clock: Clock,
): readonly [SigningSecret, ...SigningSecret[]] {
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
  const issued = { secret, created_ts: epochSeconds(clock) };
  return [issued, ...secrets.slice(0, SECRETS_ACTIVE - 1)];
}

const issuedAt = ({ created_ts }: SigningSecret) => ({
  created_ts,
  created_date: isoSeconds(created_ts),
});

/** Of the secrets no more than when each was issued. */
export const shownSecrets = (secrets: readonly SigningSecret[]) => secrets.map(issuedAt);

/** The newest secret, shown this once. */
export const shownSecret = (secrets: readonly [SigningSecret, ...SigningSecret[]]) => ({
  secret: secrets[0].secret,
  ...issuedAt(secrets[0]),
  active: secrets.length,
});

const ISSUED = {
  created_ts: { type: "integer", description: "Epoch seconds." },
  created_date: { type: "string", format: "date-time" },
} as const satisfies Schemas;

/** When the active secrets were issued, as shownSecrets returns them. */
export const SECRETS_SCHEMA = {
  type: "array",
  items: objectSchema(ISSUED),
  description: "When the active signing secrets were issued, newest first.",
} as const satisfies Schema;

/** What shownSecret answers. */
export const SHOWN_SECRET_SCHEMA = objectSchema({
  secret: { type: "string", description: "`whsec_…`, as Standard Webhooks writes it." },
  ...ISSUED,
  active: { type: "integer", description: "How many secrets sign now." },
});
