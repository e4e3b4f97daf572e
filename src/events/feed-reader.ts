/** Determines where a feed reader starts and what it may read, and reads the next changes. */

import { grants, scopeOf, type Caller } from "../access/index.ts";
import type { Scope, TenantId, Horizon, Settled } from "../audit/index.ts";
import { epochSeconds, type Clock } from "../platform/clock/index.ts";
import { type Database, type Db, run } from "../platform/database/index.ts";
import { AppError, ValidationError, type Issue } from "../platform/errors/index.ts";
import { pick } from "../platform/json/index.ts";
import {
  FEED_TYPES,
  PUSHED_LEAD,
  RETENTION_s,
  type FeedChange,
  type FeedEntry,
  type FeedType,
} from "./feed.ts";
import type { FeedCursors, FeedPlace, KnownPlace } from "./feed-cursor.ts";
import {
  findLastChange,
  isSameHistory,
  lastChangeOf,
  readFeedWithLast,
  type FoundChange,
  type Restores,
} from "./last-change.ts";
import { firstLoggedAt } from "./past-changes.ts";

export interface FeedDeps {
  readonly db: Database;
  readonly horizon: Horizon;
  readonly clock: Clock;
  readonly cursors: FeedCursors;
}

const REVIEWING = "exchange:review";
/** Without a cursor, reading starts this long before changes expire, so that the reader has time to continue. */
const HEAD_START_s = 7200;

/**
 * The unparsed parameters of a request: the types, and a cursor. The cursor's location in the request is used in error
 * messages.
 */
export interface FeedRequest {
  readonly types: string | undefined;
  readonly since: string | undefined;
  readonly loc: Issue["loc"];
}

export interface Reading<P extends FeedPlace = FeedPlace> {
  readonly types: readonly string[];
  readonly place: P;
  readonly settled: Settled;
}

/**
 * Determines which types are read and where reading starts. Throws 422 with all invalid parameters, 403 for types that
 * the caller may not see, and 410 for a cursor after which changes may be missing. Does not check whether the cursor
 * belongs to this history, because `readNext` and `confirmPlace` check that.
 */
export async function startReading(
  deps: FeedDeps,
  caller: Caller,
  asked: FeedRequest,
): Promise<Reading> {
  const { db, horizon, clock } = deps;
  const { since, loc } = asked;
  const found = isPlace(since) ? deps.cursors.read(caller.tenant.id, since) : undefined;
  if (found === undefined && isPlace(since) && deps.cursors.hasForm(since)) {
    await refuseMoved(db.sql, caller.tenant.id);
  }
  const issues = [
    ...typeIssues(asked.types),
    ...(isPlace(since) && found === undefined ? [notACursor(loc, since)] : []),
  ];
  if (issues.length > 0) throw new ValidationError(issues);
  const types = typesOf(caller, asked.types);
  const now_s = epochSeconds(clock);
  if (found !== undefined && found.at_s < now_s - RETENTION_s) throw cursorExpired();
  const settled = await horizon.settled({ maxAge_ms: 0 });
  if (found !== undefined) refuseAhead(found, settled);
  // If a long transaction is running when the process starts, no change is settled yet. In that case, reading from `now`
  // starts where reading without a cursor starts.
  const isNow = since === "now" && settled.at_s > 0;
  const start = async () =>
    isNow
      ? placeOfNow(settled)
      : await placeAt(scopeOf(db.sql, caller), now_s - RETENTION_s + HEAD_START_s);
  return { types, place: found ?? (await start()), settled };
}

const placeOfNow = ({ seq, at_s }: Settled): FeedPlace => ({ seq, at_s, last: undefined });

const isPlace = (since: string | undefined): since is string =>
  since !== undefined && since !== "now";

const typeNames = (text: string): readonly string[] => text.split(",").map((name) => name.trim());

function typeIssues(text: string | undefined): readonly Issue[] {
  const unknown = typeNames(text ?? "").filter((name) => !FEED_TYPES.some((type) => type === name));
  if (text === undefined || unknown.length === 0) return [];
  const msg = `Value error, types must be a comma-separated list of ${FEED_TYPES.join(", ")}`;
  return [{ type: "value_error", loc: ["query", "types"], msg, input: text }];
}

/**
 * Returns the types to read: the requested types, or all types that the caller may see. Throws 403 for a requested type
 * that the caller may not see.
 */
export function typesOf({ permissions }: Caller, text: string | undefined): readonly string[] {
  const mayReview = grants(permissions, REVIEWING);
  if (text === undefined) {
    return FEED_TYPES.filter((name) => name !== PUSHED_LEAD || mayReview);
  }
  const named = [...new Set(typeNames(text))];
  if (!named.includes(PUSHED_LEAD) || mayReview) return named;
  const detail = `This token lacks the ${REVIEWING} permission, which ${PUSHED_LEAD} requires`;
  throw new AppError("not_permitted", { detail });
}

const notACursor = (loc: Issue["loc"], input: string): Issue => {
  const msg =
    "Value error, this is not a cursor for this tenant's changes; use a cursor from a response";
  return { type: "value_error", loc, msg, input };
};

const cursorExpired = (): AppError =>
  cursorGone(
    "This cursor is older than the 30 days for which changes are returned, so changes may be missing. " +
      "Take a new cursor from `restart`, read all records again, then continue from that cursor.",
  );

const otherHistory = (): AppError =>
  cursorGone(
    "This cursor does not belong to the current history of changes, for example because the database was " +
      "restored from a backup. Take a new cursor from `restart`, read all records again, then " +
      "continue from that cursor.",
  );

/** Throws 410 if the tenant was imported, because the cursor may come from the tenant's previous installation. */
async function refuseMoved(db: Db, tenantId: TenantId): Promise<void> {
  const rows = await run(db)`
    select from tenants where id = ${tenantId} and imported_ts is not null`;
  if (rows.count === 0) return;
  throw cursorGone(
    "This cursor is from another installation, and the tenant has since been moved here. Take a new cursor from " +
      "`restart`, read all records again, then continue from that cursor.",
  );
}

const cursorGone = (detail: string): AppError =>
  new AppError("cursor_expired", { detail, members: { restart: "/crm/changes?since=now" } });

/** Throws 410 if a position is higher than the last one issued in this history. */
function refuseAhead({ seq }: FeedPlace, { drawn }: Settled): void {
  if (seq > drawn) throw otherHistory();
}

/**
 * Returns the place with its last change. Throws 410 if the cursor contains a different last change. Keeps the cursor's
 * own digest: it may contain an earlier restore than the one found, and is then valid in more backups.
 */
function confirmed(place: FeedPlace, found: FoundChange, clock: Clock): KnownPlace {
  const kept_since_s = epochSeconds(clock) - RETENTION_s;
  const isOurs = place.last === undefined || isSameHistory(place.last, found, kept_since_s);
  if (!isOurs) throw otherHistory();
  return { ...place, last: place.last ?? found };
}

/** Reads the last change at the reader's place. Throws 410 if the cursor contains a different last change. */
export async function confirmPlace(
  { db, clock }: FeedDeps,
  caller: Caller,
  reading: Reading,
): Promise<Reading<KnownPlace>> {
  const { place } = reading;
  const found = await findLastChange(scopeOf(db.sql, caller), place.seq);
  return { ...reading, place: confirmed(place, found, clock) };
}

/**
 * Returns a place before all changes from a point in time on. Some earlier changes may also be after this place. Changes
 * that were logged before the feed existed have no position.
 */
async function placeAt({ db, tenantId }: Scope<Db>, at_s: number): Promise<FeedPlace> {
  const before = firstLoggedAt(at_s);
  const [row] = await run<[Pick<FeedEntry, "seq">?]>(db)`
    select seq from changes where tenant_id = ${tenantId} and id < ${before}
     order by id desc limit 1`;
  return { seq: row?.seq ?? 0, at_s, last: undefined };
}

export interface ReadChanges {
  readonly changes: readonly FeedChange[];
  readonly place: KnownPlace;
  readonly has_more: boolean;
}

/**
 * Returns the next changes after the given place, and the place that follows them. Throws 410 if the given place does
 * not belong to this history.
 */
export async function readNext(
  deps: FeedDeps,
  caller: Caller,
  reading: Reading,
  limit: number,
): Promise<ReadChanges> {
  if (isAtEnd(reading)) return noChanges(await confirmPlace(deps, caller, reading));
  const { db, cursors, clock } = deps;
  const { types, place, settled } = reading;
  const scope = scopeOf(db.sql, caller);
  const question = { after: place.seq, upTo: settled.seq, types, limit };
  const { entries, reached, lastBefore, lastUpTo, restores } = await readFeedWithLast(
    scope,
    question,
  );
  const { last: known } = confirmed(place, lastBefore, clock);
  const isNewer = !lastUpTo.digest.equals(lastBefore.digest);
  const end = {
    seq: reached,
    at_s: Math.max(place.at_s, settled.at_s),
    last: isNewer ? lastUpTo : known,
  };
  const last = entries.at(-1);
  const has_more = reached < settled.seq;
  const placeOf = (entry: FeedEntry) => placeAfter(place, entry, restores);
  return {
    changes: entries.map((entry) => shown(entry, cursors.write(scope.tenantId, placeOf(entry)))),
    place: has_more && last !== undefined ? placeOf(last) : end,
    has_more,
  };
}

/** Whether there are no settled changes after the reader's place. */
export const isAtEnd = ({ place, settled }: Reading): boolean => place.seq >= settled.seq;

/**
 * Returns an empty result with a new place. The place contains the current time, so that the cursor does not expire.
 */
export function noChanges({ place, settled }: Reading<KnownPlace>): ReadChanges {
  refuseAhead(place, settled);
  const at_s = Math.max(place.at_s, settled.at_s);
  return { changes: [], place: { ...place, at_s }, has_more: false };
}

/**
 * Returns the place after an entry. It never expires before the place where reading started, although changes are not
 * strictly in the order of their times.
 */
const placeAfter = (start: FeedPlace, entry: FeedEntry, restores: Restores): KnownPlace => {
  const last = lastChangeOf(entry, restores);
  return { seq: entry.seq, at_s: Math.max(start.at_s, last.at_s), last };
};

const shown = (entry: FeedEntry, cursor: string): FeedChange => ({
  cursor,
  // The cast is safe, because only types that are in the feed can be requested.
  type: entry.type as FeedType,
  id: entry.record_id,
  changed_fields: entry.fields,
  ...pick(entry, ["action", "reason", "version", "at", "actor", "request_id"]),
});
