/** Which statements of lists stay prepared, and which of them have their values in their text, so that their plans are reused. */

import type { Sql } from "sql-template-tag";
import type { TenantId } from "../../audit/index.ts";
import { isId } from "../../platform/clock/index.ts";
import { withConstants } from "../../platform/database/index.ts";
import { recordTypes } from "../types/index.ts";
import { pageSql } from "./list-sql.ts";
import type { ListPlan } from "./plan.ts";

export type Statement = Pick<Sql, "text" | "values">;

/** The values of all choices. Other texts in a filter can be personal data, and PostgreSQL logs the texts of statements. */
const CHOICES: ReadonlySet<string> = new Set(
  recordTypes.flatMap(({ fields }) =>
    Object.values(fields).flatMap((field) => (field.kind === "choice" ? field.of : [])),
  ),
);

/** From this many identical requests on, the statement of a list has its values in its text. */
const RECURS_AFTER = 3;
const HOUR_ms = 3_600_000;

/**
 * Chooses the texts that stay prepared in sessions: the first `most` texts of each hour. A session is closed within an
 * hour (`max_lifetime` of postgres.js), and so never has more than twice as many.
 */
function firstTexts(most: number): (statement: Statement) => boolean {
  let chosen = new Set<string>();
  let since_ms = performance.now();
  return ({ text }) => {
    const now_ms = performance.now();
    if (now_ms - since_ms > HOUR_ms) [chosen, since_ms] = [new Set(), now_ms];
    if (chosen.size < most) chosen.add(text);
    return chosen.has(text);
  };
}

/** Statements with parameters, which many lists share. */
export const isShared = firstTexts(200);
/** Statements of one list; each takes 20 KB of a session. */
export const isRecurring = firstTexts(200);

/** What a plan says in SQL to a tenant. */
export interface Statements {
  /** What its look-up by key finds, where it has one. */
  readonly found: Statement | undefined;
  readonly walked: () => Statement;
}

/** A list that was requested before: its statements for the tenant that requested it last. */
interface KnownList {
  readonly tenantId: TenantId;
  /** How often its first page was requested. */
  times: number;
  statements?: Statements;
  /** Its first page, and the pages after that, with the values in the text. */
  first?: Statement | undefined;
  after?: Statement | undefined;
}

const knownLists = new WeakMap<ListPlan, KnownList>();

export function knownOf(tenantId: TenantId, list: ListPlan): KnownList {
  let known = knownLists.get(list);
  if (known?.tenantId !== tenantId) knownLists.set(list, (known = { tenantId, times: 0 }));
  return known;
}

/**
 * The statement of a page with its values in its text. PostgreSQL takes as long to plan a page as to read it, and needs
 * the values for a good plan. So a page that is requested again and again is planned once in each session. So is one
 * range of an index, wherever it begins: only its place is a parameter.
 */
export function constantOf(known: KnownList, plan: ListPlan, limit: number): Statement | undefined {
  const { lookUp, isOneRange, place } = plan;
  const { tenantId } = known;
  const mayBeLogged = (text: string) => text === tenantId || isId(text) || CHOICES.has(text);
  const make = () => withConstants(pageSql(tenantId, plan, limit), mayBeLogged, place);
  if (lookUp !== undefined) return undefined;
  if (place !== undefined) {
    if (isOneRange) known.after ??= make();
    return known.after && { text: known.after.text, values: [...place] };
  }
  known.times += 1;
  if (known.times === (isOneRange ? 1 : RECURS_AFTER)) known.first = make();
  return known.first;
}
