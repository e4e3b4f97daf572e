/**
 * Decides which list statements stay prepared, and which ones contain their values as text so that PostgreSQL can reuse
 * their plans.
 */

import type { Sql } from "sql-template-tag";
import type { TenantId } from "../../audit/index.ts";
import { isId } from "../../platform/ids/index.ts";
import { VARIABLE, withConstants } from "../../platform/database/index.ts";
import type { RecordType } from "../types/index.ts";
import { pageSql } from "./list-sql.ts";
import type { ListPlan } from "./plan.ts";
import type { KeyValue, Place } from "./sort.ts";
import { once } from "../../platform/cache/index.ts";

export type Statement = Pick<Sql, "text" | "values">;

/**
 * Returns the values of a type's choice fields. Other strings in filters may be personal data. Because PostgreSQL logs the text of
 * statements, that text must not contain them.
 */
const choicesOf = once(
  ({ fields }: RecordType): ReadonlySet<string> =>
    new Set(Object.values(fields).flatMap((field) => (field.kind === "choice" ? field.of : []))),
);

/** After this many identical requests, a list's values become part of its statement's text. */
const RECURS_AFTER = 3;
const HOUR_ms = 3_600_000;

/**
 * Selects the statements that stay prepared in sessions: the first `most` distinct ones in each hour. Sessions are
 * closed within an hour (`LIFETIME_ms` in platform/pool/session.ts), so a session never has more than twice that many.
 */
function firstTexts(most: number): (statement: Statement) => boolean {
  let chosen = new Set<string>();
  let since_ms = performance.now();
  return ({ text }) => {
    const now_ms = performance.now();
    if (now_ms - since_ms > HOUR_ms) {
      chosen = new Set();
      since_ms = now_ms;
    }
    if (chosen.size < most) chosen.add(text);
    return chosen.has(text);
  };
}

/** Chooses statements with parameters, which many lists share. */
export const isShared = firstTexts(200);
/** Chooses statements that serve a single list. Each takes 20 KB per session. */
export const isRecurring = firstTexts(200);

/** The SQL statements of a list plan for a tenant. */
export interface Statements {
  /** The lookup by key, if the plan has one. */
  readonly found: Statement | undefined;
  readonly walked: () => Statement;
}

/** A list that was requested before, with its statements for the tenant that requested it last. */
interface KnownList {
  readonly tenantId: TenantId;
  /** How many times the list's first page has been requested. */
  times: number;
  statements?: Statements;
  /** The texts of the statements for the first page and for later pages. They contain the values. */
  first?: string | undefined;
  after?: string | undefined;
}

const knownLists = new WeakMap<ListPlan, KnownList>();

export function knownOf(tenantId: TenantId, list: ListPlan): KnownList {
  let known = knownLists.get(list);
  if (known?.tenantId !== tenantId) knownLists.set(list, (known = { tenantId, times: 0 }));
  return known;
}

/**
 * Returns a page's statement with the values in its text. Planning a page takes as long as reading it, and a good plan
 * depends on the values. A page that is requested repeatedly is therefore planned only once per session. If a list is a
 * single index range, there is one plan for all later pages, because the position is their only parameter.
 */
export function constantOf(known: KnownList, plan: ListPlan, limit: number): Statement | undefined {
  const { type, lookup, isOneRange, place } = plan;
  const { tenantId } = known;
  const mayBeLogged = (text: string) =>
    text === tenantId || isId(text) || choicesOf(type).has(text);
  const make = (at?: Place) => withConstants(pageSql(tenantId, plan, limit, at), mayBeLogged);
  if (lookup !== undefined) return undefined;
  if (place !== undefined) {
    if (isOneRange) known.after ??= make(place.map(() => VARIABLE));
    return textWith(known.after, place);
  }
  known.times += 1;
  if (known.times === (isOneRange ? 1 : RECURS_AFTER)) known.first = make();
  return textWith(known.first, []);
}

const textWith = (text: string | undefined, values: readonly KeyValue[]): Statement | undefined =>
  text === undefined ? undefined : { text, values: [...values] };
