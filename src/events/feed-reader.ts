/** Where a reader of the feed begins, what it may read, and what comes next for it. */

import { grants, scopeOf, type Caller } from "../access/index.ts";
import type { Scope } from "../audit/index.ts";
import { epochSeconds, type Clock } from "../platform/clock.ts";
import type { Database, Db } from "../platform/db.ts";
import { AppError, ValidationError, type Issue } from "../platform/errors.ts";
import type { Horizon, Settled } from "../platform/horizon.ts";
import type { Json } from "../platform/json.ts";
import { recordTypes } from "../records/index.ts";
import { PUSHED_LEAD, readFeed, RETENTION_s, type FeedEntry } from "./feed.ts";
import type { FeedCursors, FeedPlace } from "./feed-cursor.ts";
import { firstLoggedAt } from "./past-changes.ts";

export interface FeedDeps {
  readonly db: Database;
  readonly horizon: Horizon;
  readonly clock: Clock;
  readonly cursors: FeedCursors;
}

const REVIEWING = "exchange:review";
export const FEED_TYPES: readonly string[] = [...recordTypes.map(({ name }) => name), PUSHED_LEAD];

/** What of a question is text: the types, and a cursor with the place where it was found. */
export interface Asked {
  readonly types: string | undefined;
  readonly since: string | undefined;
  readonly loc: Issue["loc"];
}

export interface Reading {
  readonly types: readonly string[];
  readonly place: FeedPlace;
  readonly settled: Settled;
}

/**
 * What is read from where. Throws 422 with all that is wrong, 403 for types that the caller may not
 * see, 410 for a cursor from which changes may be missing.
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
  // At a start beside a long transaction nothing is known yet: then "now" is the oldest, too.
  const isNow = since === "now" && settled.at_s > 0;
  const place = found ?? (isNow ? settled : await oldestPlace(scopeOf(db.sql, caller), now_s));
  return { types, place, settled };
}

const isPlace = (since: string | undefined): since is string =>
  since !== undefined && since !== "now";

const typeNames = (text: string): readonly string[] => text.split(",").map((name) => name.trim());

function typeIssues(text: string | undefined): readonly Issue[] {
  const unknown = typeNames(text ?? "").filter((name) => !FEED_TYPES.includes(name));
  if (text === undefined || unknown.length === 0) return [];
  const msg = `Value error, types are ${FEED_TYPES.join(", ")}, separated by commas`;
  return [{ type: "value_error", loc: ["query", "types"], msg, input: text }];
}

/** The types that are told: those that were asked for, or all that the caller may see. */
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
  new AppError("cursor_expired", {
    detail:
      "This cursor is older than the 30 days of changes that are kept, so changes may be missing: " +
      "take a new one from `restart`, read the records anew, then read on from it",
    members: { restart: "/crm/changes?since=now" },
  });

/** The place before the oldest change that is told. What was logged before the feed has none. */
async function oldestPlace({ db, tenantId }: Scope<Db>, now_s: number): Promise<FeedPlace> {
  const before = firstLoggedAt(now_s - RETENTION_s);
  const [row] = await db`
    select seq from changes where tenant_id = ${tenantId} and id < ${before}
     order by id desc limit 1`;
  return { seq: (row?.["seq"] as number | null | undefined) ?? 0, at_s: now_s };
}

/** A change as it is told, with the cursor behind it. */
export interface ToldChange {
  readonly cursor: string;
  readonly type: string;
  readonly id: string;
  readonly action: string;
  readonly reason?: string;
  readonly version: number | null;
  readonly at: string;
  readonly changed_fields: Readonly<Record<string, { readonly old: Json; readonly new: Json }>>;
  readonly actor: FeedEntry["actor"];
  readonly request_id: string | null;
}

export interface Told {
  readonly changes: readonly ToldChange[];
  readonly place: FeedPlace;
  readonly has_more: boolean;
}

/** The next changes from a place on, and the place behind them. */
export async function tellNext(
  { db, cursors }: FeedDeps,
  caller: Caller,
  { types, place, settled }: Reading,
  limit: number,
): Promise<Told> {
  const scope = scopeOf(db.sql, caller);
  const question = { after: place.seq, upTo: settled.seq, types, limit };
  const { entries, reached } = await readFeed(scope, question);
  const has_more = reached < settled.seq;
  const last = entries.at(-1);
  return {
    changes: entries.map((entry) => told(entry, cursors.write(scope.tenantId, placeOf(entry)))),
    place:
      has_more && last !== undefined
        ? placeOf(last)
        : { seq: reached, at_s: Math.max(place.at_s, settled.at_s) },
    has_more,
  };
}

const placeOf = ({ seq, at }: FeedEntry): FeedPlace => ({
  seq,
  at_s: Math.floor(Date.parse(at) / 1000),
});

const told = (entry: FeedEntry, cursor: string): ToldChange => {
  const { type, record_id, action, reason, version, at, fields, actor, request_id } = entry;
  return {
    cursor,
    type,
    id: record_id,
    action,
    ...(reason !== undefined && { reason }),
    version,
    at,
    changed_fields: fields,
    actor,
    request_id,
  };
};
