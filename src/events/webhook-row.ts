/** An event webhook as a row, as what it means, and as its holder sees it. */

import type { Scope } from "../audit/index.ts";
import { toldSecrets, type SigningSecret } from "../delivery/index.ts";
import { type Clock, isoSeconds, type MakeId } from "../platform/clock/index.ts";
import type { Tx } from "../platform/database/index.ts";
import type { JsonObject } from "../platform/json/index.ts";
import type { Sealer } from "../platform/secrets/index.ts";
import { subjectTypesOf } from "./event-types.ts";

/** What its holder decides of a webhook. */
export interface WebhookSettings {
  readonly url: string;
  readonly events: readonly string[];
  /** Over the records of the one type that all the events are about (D4). */
  readonly filter: JsonObject | null;
  readonly description: string | null;
  readonly enabled: boolean;
}

/** Why the service switched a webhook off by itself. */
export const DISABLED_REASONS = ["gone", "filter_too_slow"] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

export interface EventWebhook extends WebhookSettings {
  readonly id: string;
  readonly partner_id: string | null;
  readonly disabled_reason: DisabledReason | null;
  /** Newest first. */
  readonly secrets: readonly SigningSecret[];
  readonly created_ts: number;
  readonly updated_ts: number;
}

export interface WebhookDeps {
  readonly clock: Clock;
  readonly makeId: MakeId;
  readonly sealer: Sealer;
}

/** Whose webhooks: a partner's, or with null the tenant's own. */
export type Holder = string | null;

export const WEBHOOK_COLUMNS = [
  "id",
  "partner_id",
  "url",
  "events",
  "filter",
  "description",
  "enabled",
  "disabled_reason",
  "sealed",
  "created_ts",
  "updated_ts",
] as const;

const placeOf = (id: string): string => `event webhook ${id}`;

/** A row of WEBHOOK_COLUMNS, its secrets opened. */
export function webhookOf(
  { tenantId }: Pick<Scope, "tenantId">,
  { sealer }: Pick<WebhookDeps, "sealer">,
  row: Readonly<Record<string, unknown>>,
): EventWebhook {
  const { sealed, ...rest } = row;
  const opened = sealer.open(tenantId, placeOf(row["id"] as string), sealed as string);
  return { ...rest, secrets: JSON.parse(opened) as SigningSecret[] } as unknown as EventWebhook;
}

/** The settings alone: as the API shows them, and as the audit log shows a change. */
export const settingsOf = ({
  url,
  events,
  filter,
  description,
  enabled,
}: WebhookSettings): WebhookSettings & JsonObject => ({
  url,
  events,
  filter,
  description,
  enabled,
});

/** As its holder sees it: of the secrets only when each was issued. */
export const toldWebhook = (webhook: EventWebhook): JsonObject => ({
  id: webhook.id,
  ...settingsOf(webhook),
  disabled_reason: webhook.disabled_reason,
  secrets: toldSecrets(webhook.secrets),
  created_ts: webhook.created_ts,
  created_date: isoSeconds(webhook.created_ts),
  updated_ts: webhook.updated_ts,
  updated_date: isoSeconds(webhook.updated_ts),
});

/** The columns that a change may write. */
export const writtenOf = (
  { db, tenantId }: Scope<Tx>,
  { sealer }: WebhookDeps,
  webhook: EventWebhook,
) => ({
  ...settingsOf(webhook),
  filter: webhook.filter === null ? null : db.json(webhook.filter),
  subject_types: subjectTypesOf(webhook.events),
  disabled_reason: webhook.disabled_reason,
  sealed: sealer.seal(tenantId, placeOf(webhook.id), JSON.stringify(webhook.secrets)),
  updated_ts: webhook.updated_ts,
});
