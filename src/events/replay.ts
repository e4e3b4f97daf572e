/**
 * Replays queue the events of a time range again, with the same event ids. A request for a replay only stores the
 * range. The worker then queues its events in batches, no faster than the receiver accepts them.
 */

import sql from "sql-template-tag";
import { isDeepStrictEqual } from "node:util";
import { logChange, SERVICE, type Scope, type TenantId } from "../audit/index.ts";
import { countOpen } from "../delivery/index.ts";
import { epochSeconds } from "../platform/clock/index.ts";
import { columns, inserted, run, transaction, type Tx } from "../platform/database/index.ts";
import { AppError, type Issue, ValidationError } from "../platform/errors/index.ts";
import { type Json, namesOf, pick } from "../platform/json/index.ts";
import {
  described,
  integer,
  type Members,
  nullable,
  type Schemas,
  withDates,
} from "../platform/schemas/index.ts";
import { EVENT, subjectTypesOf } from "./event-types.ts";
import { firstIdBefore, countChanges, readRange, type Range } from "./past-changes.ts";
import {
  eventsToSend,
  enqueueEvents,
  SUBSCRIBER_COLUMNS,
  type EnqueueDeps,
  type Subscriber,
  unlessTooSlow,
} from "./enqueue-events.ts";
import { RETENTION_s } from "./feed.ts";
import type { PushedLeadViews } from "./event-topic.ts";
import { type EventWebhook, ISO_DATE } from "./webhook-row.ts";

/** Maximum number of changes in a replay. */
export const REPLAY_CHANGES_MAX = 100_000;
/** The maximum age of a replay's start date, in days. */
export const REPLAY_DAYS_MAX = RETENTION_s / 86_400;

/** Maximum number of changes per batch. */
const BATCH = 200;
const OPEN_MAX = 400;

/** A time range in epoch seconds, including both ends. */
type Span = Pick<Range, "start_ts" | "end_ts">;

/** A requested time range. It includes the start date as it was sent, for error messages. */
export interface RequestedRange extends Span {
  readonly start_date: Json;
}

/** Throws 422 if a range ends before it starts or if its start is too long ago. */
export function refuseRange({ start_ts, end_ts, start_date }: RequestedRange, now_s: number): void {
  const faults = [
    ...(start_ts > end_ts ? ["start_date must not be after end_date"] : []),
    ...(start_ts < now_s - RETENTION_s
      ? [`start_date must be within the last ${REPLAY_DAYS_MAX} days`]
      : []),
  ];
  if (faults.length > 0) throw new ValidationError(faults.map((msg) => issueAt(msg, start_date)));
}

const issueAt = (sentence: string, input: Json): Issue => ({
  type: "value_error",
  loc: ["body", "start_date"],
  msg: `Value error, ${sentence}`,
  input,
});

/**
 * Stores a replay for a locked webhook and returns the replay. Throws 409 if another replay is running or the webhook
 * is disabled, and 422 if the range contains too many changes.
 */
export async function startReplay(
  scope: Scope<Tx>,
  { clock, makeId, pushed }: Pick<EnqueueDeps, "clock" | "makeId" | "pushed">,
  webhook: EventWebhook,
  { start_date, ...asked }: RequestedRange,
): Promise<Members<typeof REPLAY>> {
  const { db, tenantId } = scope;
  if (!webhook.enabled) {
    throw new AppError("conflict", {
      detail: "This webhook is disabled; enable it before you replay events",
    });
  }
  const records = recordsOf(scope, pushed, webhook);
  const range = { ...asked, records, types: subjectTypesOf(webhook.events) };
  const changes = await countChanges(scope, range, REPLAY_CHANGES_MAX + 1);
  if (changes > REPLAY_CHANGES_MAX) {
    const most = `the range contains more than ${REPLAY_CHANGES_MAX} changes; request a shorter one`;
    throw new ValidationError([issueAt(most, start_date)]);
  }
  const row = {
    tenant_id: tenantId,
    webhook_id: webhook.id,
    ...asked,
    after_id: firstIdBefore(range),
    changes,
    events: 0,
    created_ts: epochSeconds(clock),
    finished_ts: null,
  };
  const started = await run(db)`
    insert into event_replays ${inserted(row)}
    on conflict (tenant_id, webhook_id) do update
       set start_ts = excluded.start_ts, end_ts = excluded.end_ts, after_id = excluded.after_id,
           changes = excluded.changes, events = 0, created_ts = excluded.created_ts,
           finished_ts = null
     where event_replays.finished_ts is not null`;
  if (started.count === 0) {
    throw new AppError("conflict", { detail: "A replay of this webhook is still running" });
  }
  await logChange(scope, makeId, {
    subjectType: "event_webhook",
    subjectId: webhook.id,
    action: "replayed",
    fields: { start_ts: [null, asked.start_ts], end_ts: [null, asked.end_ts] },
  });
  return shownReplay(row);
}

/** Partners replay only changes to their own leads. */
const recordsOf = (
  scope: Scope,
  pushed: PushedLeadViews,
  { partner_id }: Pick<EventWebhook, "partner_id">,
): Range["records"] => (partner_id === null ? null : pushed.ofPartnerSql(scope, partner_id));

/** The members of a replay in responses. */
export const REPLAY = {
  start_date: described(ISO_DATE, "The start of the time range."),
  end_date: described(ISO_DATE, "The end of the time range."),
  changes: integer("The number of changes of the subscribed types in the range."),
  events: integer("The number of events queued again so far."),
  created_date: described(ISO_DATE, "When the replay was requested."),
  finished_date: described(nullable(ISO_DATE), "When the replay finished; null if it has not."),
} as const satisfies Schemas;

interface StoredReplay extends Span, Pick<Members<typeof REPLAY>, "changes" | "events"> {
  readonly created_ts: number;
  readonly finished_ts: number | null;
}

const REPLAY_COLUMNS = namesOf(REPLAY).map((name) => name.replace("_date", "_ts"));

const shownReplay = (row: StoredReplay): Members<typeof REPLAY> =>
  pick(withDates(row), namesOf(REPLAY));

/** Returns the newest replay of a webhook; null if there was none. */
export async function findReplay({ db, tenantId }: Scope, id: string) {
  const [row] = await run<[StoredReplay?]>(db)`
    select ${columns(REPLAY_COLUMNS)} from event_replays
     where tenant_id = ${tenantId} and webhook_id = ${id}`;
  return row === undefined ? null : shownReplay(row);
}

/** Maximum number of replays per round. */
export const AT_ONCE = 100;

/**
 * Creates the function that queues one batch for each tenant's replay and returns whether to continue immediately. Each
 * round starts after the last replay of the previous round, so that replays to unavailable receivers do not block other
 * replays.
 */
export function createReplays(deps: EnqueueDeps): () => Promise<boolean> {
  let after = FIRST;
  return async () => {
    const open = await openReplays(deps, after);
    const last = open.at(-1);
    const isRound = last === undefined || open.length < AT_ONCE;
    after = isRound ? FIRST : last;
    let hasMoved = false;
    for (const { tenantId, id } of open) {
      hasMoved = (await replayBatch(deps, tenantId, id)) || hasMoved;
    }
    return hasMoved || !isRound;
  };
}

interface OpenReplay {
  readonly created_ts: number;
  readonly tenantId: TenantId;
  readonly id: string;
}

const FIRST = { created_ts: 0, id: "" };

/** Returns the next replays whose webhook is enabled, oldest first. */
const openReplays = (
  { db: { sql: db } }: EnqueueDeps,
  { created_ts, id }: Pick<OpenReplay, "created_ts" | "id">,
): Promise<readonly OpenReplay[]> =>
  run<OpenReplay[]>(db)`
  select r.created_ts, r.tenant_id as "tenantId", r.webhook_id as id
    from event_replays r
    join event_webhooks w on w.tenant_id = r.tenant_id and w.id = r.webhook_id
   where r.finished_ts is null and w.enabled
     and r.tenant_id not in (select id from tenants where is_suspended)
     and (r.created_ts, r.webhook_id) > (${created_ts}::bigint, ${id}::text)
   order by r.created_ts, r.webhook_id limit ${AT_ONCE}`;

type Replay = Subscriber & { readonly after_id: string } & Span;

/** Queues the next events of a replay. As with new events, everything is read before the row is locked. */
async function replayBatch(deps: EnqueueDeps, tenantId: TenantId, id: string): Promise<boolean> {
  const { sql: db } = deps.db;
  const asking = { db, tenantId, actor: SERVICE };
  if ((await countOpen(asking, { topic: EVENT, subject: id }, OPEN_MAX)) === OPEN_MAX) return false;
  return unlessTooSlow(deps, { tenantId, id }, async () => {
    const replay = await findRunning(asking, id, { lock: false });
    if (replay === undefined) return false;
    const { after_id, start_ts, end_ts, subject_types: types } = replay;
    const range = { types, start_ts, end_ts, records: recordsOf(asking, deps.pushed, replay) };
    const { entries, isEnd } = await readRange(asking, range, { after_id, limit: BATCH });
    const toSend = await eventsToSend(asking, deps, replay, entries);
    return transaction(db, async (tx) => {
      const scope = { ...asking, db: tx };
      const locked = await findRunning(scope, id, { lock: true });
      if (locked === undefined) return false;
      if (!isDeepStrictEqual(locked, replay)) return true;
      const events = await enqueueEvents(scope, deps, replay, toSend);
      const last = entries.at(-1)?.id ?? after_id;
      const finished_ts = isEnd ? epochSeconds(deps.clock) : null;
      await run(tx)`
        update event_replays
           set after_id = ${last}, events = events + ${events}, finished_ts = ${finished_ts}
         where tenant_id = ${tenantId} and webhook_id = ${id}`;
      return finished_ts === null;
    });
  });
}

/** Returns a running replay. Returns undefined while its webhook is disabled, because the replay is then paused. */
async function findRunning(
  { db, tenantId }: Scope,
  id: string,
  { lock }: { readonly lock: boolean },
): Promise<Replay | undefined> {
  const [row] = await run<[Replay?]>(db)`
    select ${columns(SUBSCRIBER_COLUMNS)}, r.after_id, r.start_ts, r.end_ts, r.created_ts
      from event_replays r
      join event_webhooks w on w.tenant_id = r.tenant_id and w.id = r.webhook_id
      join tenants n on n.id = w.tenant_id
     where r.tenant_id = ${tenantId} and r.webhook_id = ${id} and r.finished_ts is null and w.enabled
       and not n.is_suspended
       ${lock ? sql`for update of r skip locked` : sql``}`;
  return row;
}
