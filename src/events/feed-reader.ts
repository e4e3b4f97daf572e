/** Where a reader of the feed begins, what it may read, and what comes next for it. */

import { grants, scopeOf, type Caller } from "../access/index.ts";
import type { Scope } from "../audit/index.ts";
import { epochSeconds, type Clock } from "../platform/clock/index.ts";
import {
  type Database,
  type Db,
  type Horizon,
  run,
  type Settled,
} from "../platform/database/index.ts";
import { AppError, ValidationError, type Issue } from "../platform/errors/index.ts";
import { pick } from "../platform/json/index.ts";
import { FEED_TYPES, PUSHED_LEAD, RETENTION_s, type FeedChange, type FeedEntry } from "./feed.ts";
import type { FeedCursors, FeedPlace, KnownPlace } from "./feed-cursor.ts";
import {
  findLastChange,
  isSameHistory,
  lastChangeOf,
  readFeedWithLast,
  type LastChange,
} from "./last-change.ts";
import { firstLoggedAt } from "./past-changes.ts";

export interface FeedDeps {
  readonly db: Database;
  readonly horizon: Horizon;
  readonly clock: Clock;
  readonly cursors: FeedCursors;
}

const REVIEWING = "exchange:review";

/** What of a question is text: the types, and a cursor with the place where it was found. */
export interface Asked {
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
 * What is read from where. Throws 422 with all that is wrong, 403 for types that the caller may not
 * see, 410 for a cursor from which changes may be missing. Whether the cursor belongs to this history
 * is certain only after `readNext` or `confirmPlace`.
 */
export async function beginReading(deps: FeedDeps, caller: Caller, asked: Asked): Promise<Reading> {
  const { db, horizon, clock } = deps;
  const { since, loc } = asked;
  const found = isPlace(since) ? deps.cursors.read(caller.tenant.id, since) : undefined;
  const issues = [
    ...typeIssues(asked.types),
    ...(isPlace(since) && found === undefined ? [notACursor(loc, since)] : []),
  ];
  if (issues.length > 0) throw new ValidationError(issues);
  const types = typesOf(caller, asked.types);
  const now_s = epochSeconds(clock);
  if (found !== undefined && found.at_s < now_s - RETENTION_s) throw expired();
  const settled = await horizon.settled({ maxAge_ms: 0 });
  if (found !== undefined) refuseAhead(found, settled);
  // At a start during a long transaction nothing is known yet: then "now" is the oldest, too.
  const isNow = since === "now" && settled.at_s > 0;
  const start = async () =>
    isNow ? placeOfNow(settled) : await oldestPlace(scopeOf(db.sql, caller), now_s);
  return { types, place: found ?? (await start()), settled };
}

const placeOfNow = ({ seq, at_s }: Settled): FeedPlace => ({ seq, at_s, last: undefined });

const isPlace = (since: string | undefined): since is string =>
  since !== undefined && since !== "now";

const typeNames = (text: string): readonly string[] => text.split(",").map((name) => name.trim());

function typeIssues(text: string | undefined): readonly Issue[] {
  const unknown = typeNames(text ?? "").filter((name) => !FEED_TYPES.some((type) => type === name));
  if (text === undefined || unknown.length === 0) return [];
  const msg = `Value error, types are ${FEED_TYPES.join(", ")}, separated by commas`;
  return [{ type: "value_error", loc: ["query", "types"], msg, input: text }];
}

/** The types that are returned: those that were asked for, or all that the caller may see. */
export function typesOf({ permissions }: Caller, text: string | undefined): readonly string[] {
  const mayReview = grants(permissions, REVIEWING);
  if (text === undefined) {
    return FEED_TYPES.filter((name) => name !== PUSHED_LEAD || mayReview);
  }
  const named = [...new Set(typeNames(text))];
  if (!named.includes(PUSHED_LEAD) || mayReview) return named;
  const detail = `This token lacks the permission ${REVIEWING}, which ${PUSHED_LEAD} needs`;
  throw new AppError("not_permitted", { detail });
}

const notACursor = (loc: Issue["loc"], input: string): Issue => {
  const msg = "Value error, this is no cursor of this tenant's changes; take it from an answer";
  return { type: "value_error", loc, msg, input };
};

const expired = (): AppError =>
  gone(
    "This cursor is older than the 30 days of changes that are kept, so changes may be missing: " +
      "take a new one from `restart`, read the records anew, then read on from it",
  );

const foreign = (): AppError =>
  gone(
    "This cursor does not belong to this history of changes, for example because the database was " +
      "restored from a backup. Take a new cursor from `restart`, read all records again, then " +
      "continue from that cursor.",
  );

const gone = (detail: string): AppError =>
  new AppError("cursor_expired", { detail, members: { restart: "/crm/changes?since=now" } });

/** Throws 410 for a position above all that this history has ever drawn. */
function refuseAhead({ seq }: FeedPlace, { drawn }: Settled): void {
  if (seq > drawn) throw foreign();
}

/** A place with the last change that was found at it. Throws 410 if another one was expected. */
function confirmed(place: FeedPlace, found: LastChange, clock: Clock): KnownPlace {
  const kept_since_s = epochSeconds(clock) - RETENTION_s;
  const isOurs = place.last === undefined || isSameHistory(place.last, found, kept_since_s);
  if (!isOurs) throw foreign();
  return { ...place, last: found };
}

/** Asks for the last change at the place of a reading. Throws 410 if another one was expected. */
export async function confirmPlace(
  { db, clock }: FeedDeps,
  caller: Caller,
  reading: Reading,
): Promise<Reading<KnownPlace>> {
  const { place } = reading;
  const found = await findLastChange(scopeOf(db.sql, caller), place.seq);
  return { ...reading, place: confirmed(place, found, clock) };
}

/** The place before the oldest change that is returned. What was logged before the feed has none. */
async function oldestPlace({ db, tenantId }: Scope<Db>, now_s: number): Promise<FeedPlace> {
  const before = firstLoggedAt(now_s - RETENTION_s);
  const [row] = await run<[Pick<FeedEntry, "seq">?]>(db)`
    select seq from changes where tenant_id = ${tenantId} and id < ${before}
     order by id desc limit 1`;
  return { seq: row?.seq ?? 0, at_s: now_s, last: undefined };
}

export interface ReadChanges {
  readonly changes: readonly FeedChange[];
  readonly place: KnownPlace;
  readonly has_more: boolean;
}

/**
 * The next changes from a place on, and the place behind them. Throws 410 if the place does not belong
 * to this history.
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
  const { entries, reached, lastBefore, lastUpTo } = await readFeedWithLast(scope, question);
  confirmed(place, lastBefore, clock);
  const last = entries.at(-1);
  const has_more = reached < settled.seq;
  return {
    changes: entries.map((entry) => shown(entry, cursors.write(scope.tenantId, placeOf(entry)))),
    place:
      has_more && last !== undefined
        ? placeOf(last)
        : { seq: reached, at_s: Math.max(place.at_s, settled.at_s), last: lastUpTo },
    has_more,
  };
}

/** Whether nothing was settled behind the place of a reading. */
export const isAtEnd = ({ place, settled }: Reading): boolean => place.seq >= settled.seq;

/** The result at the end: no changes, and a place that does not expire. */
export function noChanges({ place, settled }: Reading<KnownPlace>): ReadChanges {
  refuseAhead(place, settled);
  const at_s = Math.max(place.at_s, settled.at_s);
  return { changes: [], place: { ...place, at_s }, has_more: false };
}

const placeOf = (entry: FeedEntry): KnownPlace => {
  const last = lastChangeOf(entry);
  return { seq: entry.seq, at_s: last.at_s, last };
};

const shown = (entry: FeedEntry, cursor: string): FeedChange => ({
  cursor,
  id: entry.record_id,
  changed_fields: entry.fields,
  ...pick(entry, ["type", "action", "reason", "version", "at", "actor", "request_id"]),
});
