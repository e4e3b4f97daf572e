/**
 * Stores the event webhooks of a tenant and its partners. The tenant and each partner can see only their own webhooks.
 * Each webhook has a position in the tenant's changes. Changes after this position have not been queued for the webhook
 * yet.
 */

import sql from "sql-template-tag";
import { changedFields, logChange, type ChangedFields, type Scope } from "../audit/index.ts";
import { shownSecret, withNewSecret } from "../delivery/signing/index.ts";
import { epochSeconds } from "../platform/clock/index.ts";
import {
  assigned,
  columns,
  inserted,
  run,
  transaction,
  type Tx,
} from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";
import type { JsonObject } from "../platform/json/index.ts";
import { deletionOf } from "../platform/operations/index.ts";
import { pageOf, sliceOf, type Page, type PageQuery } from "../platform/paging/index.ts";
import {
  settingsOf,
  shownWebhook,
  WEBHOOK_COLUMNS,
  webhookOf,
  writtenOf,
  type DisabledReason,
  type EventWebhook,
  type OwnerScope,
  type WebhookDeps,
  type WebhookRow,
  type WebhookSettings,
} from "./webhook-row.ts";

/** Maximum number of webhooks per tenant, and per partner. */
export const WEBHOOKS_MAX = { tenant: 50, partner: 10 } as const;

/**
 * A settled position. A webhook that starts there misses no change that is committed later. Undefined if it would be so
 * old that the webhook would receive old changes.
 */
type Start = number | undefined;

function requireStart(position: Start): number {
  if (position !== undefined) return position;
  throw new AppError("transaction_running", { headers: { "retry-after": "5" } });
}

/**
 * Creates a webhook for changes after `position`. Only this response contains its first secret. Throws 409 if its owner
 * has reached the limit, and 503 without a position.
 */
export const createWebhook = (
  scope: OwnerScope,
  deps: WebhookDeps,
  { settings, position }: { readonly settings: WebhookSettings; readonly position: Start },
): Promise<JsonObject> =>
  transaction(scope.db, async (tx) => {
    const within = { ...scope, db: tx };
    await refuseBeyondLimit(within);
    const now_s = epochSeconds(deps.clock);
    const secrets = withNewSecret([], deps.clock);
    const webhook = {
      ...settings,
      id: deps.makeId(),
      partner_id: scope.owner,
      disabled_reason: null,
      secrets,
      created_ts: now_s,
      updated_ts: now_s,
    };
    await run(tx)`insert into event_webhooks ${inserted({
      tenant_id: scope.tenantId,
      id: webhook.id,
      partner_id: scope.owner,
      position: requireStart(position),
      created_ts: now_s,
      ...writtenOf(within, deps, webhook),
    })}`;
    const fields = changedFields({}, settingsOf(settings));
    await log(within, deps, { id: webhook.id, action: "created", fields });
    return { ...shownWebhook(webhook), secret: secrets[0].secret };
  });

async function refuseBeyondLimit({ db, tenantId, owner }: OwnerScope<Tx>): Promise<void> {
  // If two webhooks are created concurrently, the lock makes the second one wait, so that the first one is already
  // counted.
  const lock = `${tenantId} event_webhooks ${owner ?? ""}`;
  await run(db)`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`;
  const most = owner === null ? WEBHOOKS_MAX.tenant : WEBHOOKS_MAX.partner;
  const rows = await run(db)`
    select from event_webhooks
     where tenant_id = ${tenantId} and partner_id is not distinct from ${owner} limit ${most}`;
  if (rows.count < most) return;
  throw new AppError("conflict", {
    detail: `The limit of ${most} webhooks is reached; delete one first`,
  });
}

interface Entry {
  readonly id: string;
  readonly action: string;
  readonly fields: ChangedFields;
}

const log = (
  scope: Scope<Tx>,
  { makeId }: Pick<WebhookDeps, "makeId">,
  { id, ...entry }: Entry,
): Promise<void> =>
  logChange(scope, makeId, { subjectType: "event_webhook", subjectId: id, ...entry });

/** Returns a page of the owner's webhooks, newest first. */
export async function listWebhooks(
  scope: OwnerScope,
  deps: Pick<WebhookDeps, "sealer">,
  query: PageQuery,
): Promise<Page<EventWebhook>> {
  const { db, tenantId, owner } = scope;
  const slice = sliceOf(query);
  const { before, limit, offset } = slice;
  const rows = await run<WebhookRow[]>(db)`
    select ${columns(WEBHOOK_COLUMNS)} from event_webhooks
     where tenant_id = ${tenantId} and partner_id is not distinct from ${owner}
       ${before === undefined ? sql`` : sql`and id < ${before}`}
     order by id desc limit ${limit} offset ${offset}`;
  return pageOf(
    rows.map((row) => webhookOf(scope, deps, row)),
    slice,
  );
}

/** Returns the ids of all the owner's webhooks, newest first. There are at most WEBHOOKS_MAX. */
export async function webhookIds({ db, tenantId, owner }: OwnerScope): Promise<readonly string[]> {
  const rows = await run<{ id: string }[]>(db)`
    select id from event_webhooks
     where tenant_id = ${tenantId} and partner_id is not distinct from ${owner} order by id desc`;
  return rows.map(({ id }) => id);
}

/**
 * Returns the owner's webhook with this id. `lock` locks it until the transaction ends. Throws 404 if there is none.
 */
export async function findWebhook(
  scope: OwnerScope,
  deps: Pick<WebhookDeps, "sealer">,
  id: string,
  { lock = false } = {},
): Promise<EventWebhook> {
  const { db, tenantId, owner } = scope;
  const [row] = await run<[WebhookRow?]>(db)`
    select ${columns(WEBHOOK_COLUMNS)} from event_webhooks
     where tenant_id = ${tenantId} and id = ${id} and partner_id is not distinct from ${owner}
     ${lock ? sql`for update` : sql``}`;
  if (row === undefined) throw new AppError("not_found");
  return webhookOf(scope, deps, row);
}

/** Updates the row of a locked webhook. With a `position`, the webhook skips all changes up to this position. */
async function rewrite(
  scope: Scope<Tx>,
  deps: WebhookDeps,
  webhook: EventWebhook,
  position?: number,
): Promise<EventWebhook> {
  const { db, tenantId } = scope;
  const next = { ...webhook, updated_ts: epochSeconds(deps.clock) };
  // Never move the position backward, because another process may already have advanced it further.
  await run(db)`
    update event_webhooks
       set ${assigned(writtenOf(scope, deps, next))},
           position = greatest(position, ${position ?? null}::bigint)
     where tenant_id = ${tenantId} and id = ${webhook.id}`;
  return next;
}

/** Returns the position before a webhook's first unprocessed change, or `upTo` if it has processed all up to there. */
async function unprocessedAfter(scope: Scope<Tx>, id: string, upTo: number): Promise<number> {
  const { db, tenantId } = scope;
  const [row] = await run<[{ position: number }?]>(db)`
    select coalesce(min(c.seq) - 1, ${upTo}::bigint) as position
      from event_webhooks w, unnest(w.subject_types) type, lateral (
             select seq from changes
              where tenant_id = ${tenantId} and subject_type = type
                and seq > w.position and seq <= ${upTo}::bigint
              order by seq limit 1) c
     where w.tenant_id = ${tenantId} and w.id = ${id}`;
  return row?.position ?? upTo;
}

export interface WebhookChange {
  /** The settings that the request contains. */
  readonly sent: Partial<WebhookSettings>;
  /** Where the webhook starts if this change enables it or adds events. */
  readonly position: Start;
  /** Throws if the settings contradict each other. */
  readonly check: (settings: WebhookSettings) => void;
}

/** Whether a change may enable a webhook or add events, and therefore needs a position to start at. */
export const mayStart = ({ enabled, events }: Partial<WebhookSettings>): boolean =>
  enabled === true || events !== undefined;

/**
 * Changes a webhook if any setting differs. If this enables the webhook, it receives only later changes. The same
 * applies to an added event type, unless the webhook still has pending changes. Its position cannot move past the first
 * of these, so changes of the added type since then are also sent.
 */
export const patchWebhook = (
  scope: OwnerScope,
  deps: WebhookDeps,
  id: string,
  { sent, position, check }: WebhookChange,
): Promise<EventWebhook> =>
  transaction(scope.db, async (tx) => {
    const within = { ...scope, db: tx };
    const webhook = await findWebhook(within, deps, id, { lock: true });
    const next = { ...webhook, ...sent };
    check(next);
    const fields = changedFields(settingsOf(webhook), settingsOf(next));
    if (Object.keys(fields).length === 0) return webhook;
    await log(within, deps, { id: webhook.id, action: "updated", fields });
    const disabled_reason = next.enabled ? null : webhook.disabled_reason;
    const changed = { ...next, disabled_reason };
    const hasNewEvents = next.events.some((event) => !webhook.events.includes(event));
    if (!next.enabled || (webhook.enabled && !hasNewEvents)) return rewrite(within, deps, changed);
    const start = requireStart(position);
    const from = webhook.enabled ? await unprocessedAfter(within, webhook.id, start) : start;
    return rewrite(within, deps, changed, from);
  });

/** Deletes a webhook, with its pending deliveries. Throws 404 if it does not exist. */
export const deleteWebhook = (
  scope: OwnerScope,
  deps: WebhookDeps,
  id: string,
): Promise<JsonObject> =>
  transaction(scope.db, async (tx) => {
    const within = { ...scope, db: tx };
    const webhook = await findWebhook(within, deps, id, { lock: true });
    await run(tx)`delete from event_webhooks where tenant_id = ${scope.tenantId} and id = ${id}`;
    const fields = changedFields(settingsOf(webhook), {});
    await log(within, deps, { id, action: "deleted", fields });
    return deletionOf(id);
  });

/**
 * Creates a signing secret, which only this response contains. Deliveries are signed with the two newest secrets.
 * Throws 404 if the webhook does not exist.
 */
export const issueWebhookSecret = (
  scope: OwnerScope,
  deps: WebhookDeps,
  id: string,
): Promise<JsonObject> =>
  transaction(scope.db, async (tx) => {
    const within = { ...scope, db: tx };
    const webhook = await findWebhook(within, deps, id, { lock: true });
    const secrets = withNewSecret(webhook.secrets, deps.clock);
    await rewrite(within, deps, { ...webhook, secrets });
    const issued = { secret_issued: secrets[0].created_ts, active: secrets.length };
    const fields = changedFields({}, issued);
    await log(within, deps, { id: webhook.id, action: "secret_issued", fields });
    return shownSecret(secrets);
  });

interface Disabling {
  readonly reason: DisabledReason;
  /** A time before the service read the settings that it used. */
  readonly since_ms: number;
  /** The URL that the service used, if it is the reason. */
  readonly url?: string;
}

/**
 * Disables an enabled webhook, with the service as the actor. The webhook's pending events are not sent. Does nothing if
 * the owner has changed the webhook or enabled it again in the meantime, or in the same second.
 */
export async function disableWebhook(
  scope: Scope<Tx>,
  { clock, makeId }: Pick<WebhookDeps, "clock" | "makeId">,
  id: string,
  { reason: disabled_reason, since_ms, url }: Disabling,
): Promise<void> {
  const { db, tenantId } = scope;
  const changed = await run(db)`
    update event_webhooks
       set enabled = false, disabled_reason = ${disabled_reason}, updated_ts = ${epochSeconds(clock)}
     where tenant_id = ${tenantId} and id = ${id} and enabled
       and updated_ts < ${Math.floor(since_ms / 1000)}
       ${url === undefined ? sql`` : sql`and url = ${url}`}`;
  if (changed.count === 0) return;
  const fields = { enabled: [true, false], disabled_reason: [null, disabled_reason] } as const;
  await log(scope, { makeId }, { id, action: "disabled", fields });
}
