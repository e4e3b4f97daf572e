/** Event webhooks as database rows, as objects, and in responses. */

import sql from "sql-template-tag";
import type { Scope } from "../audit/index.ts";
import { SECRETS_SCHEMA, shownSecrets, type SigningSecret } from "../delivery/signing/index.ts";
import type { Clock } from "../platform/clock/index.ts";
import type { MakeId } from "../platform/ids/index.ts";
import type { Db, Tx } from "../platform/database/index.ts";
import { type JsonObject, namesOf, pick } from "../platform/json/index.ts";
import type { Sealer } from "../platform/secrets/index.ts";
import {
  boolean,
  CREATED_TS,
  described,
  type Members,
  nullable,
  type Schemas,
  string,
  UPDATED_TS,
  type Stored,
  storedNames,
  withDates,
} from "../platform/schemas/index.ts";
import { subjectTypesOf } from "./event-types.ts";

const STRING = { type: "string" } as const;
export const ISO_DATE = { type: "string", format: "date-time" } as const;
export const DISABLED_REASONS = ["gone", "filter_too_slow"] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** The settings that the owner chooses. */
const SETTINGS = {
  url: string("The URL."),
  events: described({ type: "array", items: STRING }, "The events that the webhook subscribes to."),
  filter: described(
    { type: ["object", "null"], additionalProperties: true },
    "The filter of the webhook; null if it has none.",
  ),
  description: nullable(string("A note for yourself; null if there is none.")),
  enabled: boolean("Whether it is enabled."),
} as const satisfies Schemas;

export interface WebhookSettings extends Members<typeof SETTINGS> {}

/** Members that the service adds to the settings. */
export const ADDED = {
  disabled_reason: {
    type: ["string", "null"],
    enum: [...DISABLED_REASONS, null],
    description: "Why Leadport disabled the webhook; null if it did not.",
  },
  secrets: SECRETS_SCHEMA,
  created_ts: CREATED_TS,
  created_date: ISO_DATE,
  updated_ts: UPDATED_TS,
  updated_date: ISO_DATE,
} as const satisfies Schemas;

/** An event webhook in responses. Instead of the secrets, it contains the times when they were created. */
export const WEBHOOK = {
  id: string("The id of the webhook."),
  ...SETTINGS,
  ...ADDED,
} as const satisfies Schemas;

export interface EventWebhook extends Omit<Stored<typeof WEBHOOK>, "secrets"> {
  readonly partner_id: string | null;
  /** Newest first. */
  readonly secrets: readonly SigningSecret[];
}

export interface WebhookDeps {
  readonly clock: Clock;
  readonly makeId: MakeId;
  readonly sealer: Sealer;
}

export interface OwnerScope<D extends Db | Tx = Db | Tx> extends Scope<D> {
  /** The owner of the webhooks: a partner's id, or null for the tenant itself. */
  readonly owner: string | null;
}

export const WEBHOOK_COLUMNS = [...storedNames(WEBHOOK, ["secrets"]), "partner_id", "sealed"];

export interface WebhookRow extends Omit<EventWebhook, "secrets"> {
  readonly sealed: string;
}

const placeOf = (id: string): string => `event webhook ${id}`;

/** Returns a webhook from a row of WEBHOOK_COLUMNS, with its secrets decrypted. */
export const webhookOf = (
  { tenantId }: Pick<Scope, "tenantId">,
  { sealer }: Pick<WebhookDeps, "sealer">,
  { sealed, ...row }: WebhookRow,
): EventWebhook => ({
  ...row,
  secrets: JSON.parse(sealer.open(tenantId, placeOf(row.id), sealed)),
});

/** Returns only the settings, for the audit log. */
export const settingsOf = (webhook: WebhookSettings): WebhookSettings & JsonObject =>
  pick(webhook, namesOf(SETTINGS));

export const shownWebhook = (webhook: EventWebhook): Members<typeof WEBHOOK> =>
  pick(withDates({ ...webhook, secrets: shownSecrets(webhook.secrets) }), namesOf(WEBHOOK));

/** Returns the columns that a change to a webhook may write, with their values. */
export const writtenOf = (
  { tenantId }: Scope<Tx>,
  { sealer }: WebhookDeps,
  webhook: EventWebhook,
) => ({
  ...settingsOf(webhook),
  filter: sql`${webhook.filter}::jsonb`,
  subject_types: subjectTypesOf(webhook.events),
  disabled_reason: webhook.disabled_reason,
  sealed: sealer.seal(tenantId, placeOf(webhook.id), JSON.stringify(webhook.secrets)),
  updated_ts: webhook.updated_ts,
});
