/** Signing secrets, which receivers use to verify deliveries. A webhook has at most two. */

import { randomBytes } from "node:crypto";
import { epochSeconds, isoSeconds, type Clock } from "../../platform/clock/index.ts";
import type { Schema } from "../../platform/validation/index.ts";
import {
  CREATED_TS,
  described,
  integer,
  objectSchema,
  type Schemas,
  string,
} from "../../platform/schemas/index.ts";

/**
 * While a secret is being replaced, deliveries are signed with both secrets, as in the Standard Webhooks specification.
 */
const SECRETS_ACTIVE = 2;
const SECRET_BYTES = 32;

export interface SigningSecret {
  /** The secret, in the format of Standard Webhooks: `whsec_` followed by base64. */
  readonly secret: string;
  readonly created_ts: number;
}

/** Adds a new secret as the first one and keeps only the newest two. */
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

/** Returns when each secret was issued, without the secrets themselves. */
export const shownSecrets = (secrets: readonly SigningSecret[]) => secrets.map(issuedAt);

/** Returns the newest secret, which is shown only once. */
export const shownSecret = (secrets: readonly [SigningSecret, ...SigningSecret[]]) => ({
  secret: secrets[0].secret,
  ...issuedAt(secrets[0]),
  active: secrets.length,
});

const ISSUED = {
  created_ts: CREATED_TS,
  created_date: { type: "string", format: "date-time" },
} as const satisfies Schemas;

export const SECRETS_SCHEMA = {
  type: "array",
  items: objectSchema(ISSUED),
  description: "When the active signing secrets were created, newest first.",
} as const satisfies Schema;

export const SHOWN_SECRET_SCHEMA = objectSchema({
  secret: string("The signing secret in the format of Standard Webhooks, `whsec_…`."),
  ...ISSUED,
  created_ts: described(CREATED_TS, "When the secret was created, in epoch seconds."),
  active: integer("The number of active secrets."),
});
