/**
 * Plans a list: converts its parameters to a single query. This is the last step that can fail with 422. It needs no
 * database, so it is easy to test.
 */

import sql, { join, raw, type Sql } from "sql-template-tag";
import { gatherIssues } from "../../platform/validation/index.ts";
import { queryError, refuseCursorWithPageNum } from "../../platform/paging/index.ts";
import { type Listing, type RecordType } from "../types/index.ts";
import { type Cursor, fingerprintOf, readCursor, writeCursor } from "./cursor.ts";
import { compileFilter, type KeyLookup } from "../filter/index.ts";
import type { CountryCode } from "../contact-details/index.ts";
import { stampColumn } from "../columns/index.ts";
import { type Shown, shownOf } from "./show-fields.ts";
import { defaultOrder, readOrder, type KeyValue, type Order } from "./sort.ts";
import { spanOf, type Span } from "./window.ts";
import { type ListQuery, PAGE_SIZE } from "./list-parameters.ts";

const FILTER_MAX = 65_536;

export interface ListPlan {
  readonly type: RecordType;
  readonly listing: Listing;
  /** The plan of the first page, from which the plans of later pages are derived. */
  readonly first?: ListPlan;
  readonly where: Sql;
  /** Conditions for records in the time span. Each record in the list meets exactly one of them. */
  readonly spans: readonly Sql[];
  /** The part of each record to return: either its body, or those requested members that the caller may see. */
  readonly shown: Shown;
  /** A lookup by key whose results include all records in the list. */
  readonly lookup: KeyLookup | undefined;
  /** Whether checking a record that the lookup found takes almost no time. */
  readonly isPlain: boolean;
  /** Whether each page is a range of an index, in index order. If so, nothing needs to be skipped or sorted. */
  readonly isOneRange: boolean;
  readonly order: Order;
  readonly span: Span;
  /** The sort keys of the last record on the previous page. */
  readonly place: readonly KeyValue[] | undefined;
  /** Records per page. Undefined if a whole window is returned. */
  readonly pageSize: number | undefined;
  readonly offset: number;
  readonly page: number;
  /** The start_date for the next poll of a window. The first page returns it, and cursors contain it. */
  readonly next_s: number | undefined;
  /** Identifies the list in its cursors. Computed on first use. */
  readonly fingerprint: () => string;
}

export interface PlanInput {
  readonly type: RecordType;
  readonly listing: Listing;
  readonly query: ListQuery;
  readonly country: CountryCode;
  readonly now_s: number;
  /** Limits the list to records that the caller may see. The tenant restriction also applies. */
  readonly within?: Sql;
  /** The visible members of a record, unless the caller may see all of it. */
  readonly shown?: Shown;
}

/** Plans a list. Throws one error that reports all invalid parameters. */
export function planList(asking: PlanInput): ListPlan {
  const { type, listing, query, country, now_s, within } = asking;
  const { attempt, finish } = gatherIssues();
  const {
    match_filter_dict: filter,
    sort_dict: sort,
    eval_object_id: evalObjectId = false,
  } = query;
  const matching = attempt(
    () =>
      filter === undefined
        ? undefined
        : compileFilter(shortEnough(filter), { type, listing, evalObjectId, country }),
    undefined,
  );
  const order = attempt(
    () => (sort === undefined ? defaultOrder(listing) : readOrder(sort, type, listing)),
    defaultOrder(listing),
  );
  const span = attempt(() => spanOf(listing, query, now_s), {});
  let known: string | undefined;
  const fingerprint = (): string =>
    (known ??= fingerprintOf([
      listing.path,
      filter,
      evalObjectId,
      sort,
      query.start_date,
      query.end_date,
      ...(query.fields ?? []),
    ]));
  const cursor = attempt(() => cursorOf(query, fingerprint, order), undefined);
  finish();
  const conditions = [matching?.condition, within];
  const isWhole =
    listing.windowHours !== undefined &&
    query.page_size === undefined &&
    query.page_num === undefined;
  const pageSize = query.page_size ?? PAGE_SIZE;
  const page = query.page_num ?? 1;
  const list: ListPlan = {
    type,
    listing,
    shown: asking.shown ?? shownOf(type, query.fields),
    where: allOf(conditions.filter((part) => part !== undefined)),
    spans: [allOf(spanSql(listing, span))],
    lookup: matching?.lookups[0],
    isPlain: matching?.isPlain !== false,
    isOneRange:
      matching?.isOneRange !== false &&
      within === undefined &&
      order[0]?.column.name === "id" &&
      isUnbounded(span) &&
      page === 1,
    order,
    span,
    place: undefined,
    pageSize: isWhole ? undefined : pageSize,
    offset: (page - 1) * pageSize,
    page,
    next_s: undefined,
    fingerprint,
  };
  return cursor === undefined ? list : continued(list, cursor);
}

/** Returns the plan for the page that the cursor points to, or for the first page. */
export function planPage(list: ListPlan, query: ListQuery): ListPlan {
  const cursor = cursorOf(query, list.fingerprint, list.order);
  return cursor === undefined ? list : continued(list, cursor);
}

const continued = (list: ListPlan, { span, place, page, next_s }: Cursor): ListPlan => ({
  ...list,
  first: list,
  spans: [allOf(spanSql(list.listing, span))],
  isOneRange: list.isOneRange && isUnbounded(span),
  span,
  place,
  page,
  next_s,
  pageSize: list.pageSize ?? PAGE_SIZE,
});

export const isUnbounded = ({ from, to }: Span): boolean => from === undefined && to === undefined;

const allOf = (conditions: readonly Sql[]): Sql => join([raw("true"), ...conditions], " and ");

/** Returns a plan that also includes these records, even if they are outside its time span. */
export function withRecords(plan: ListPlan, ids: readonly string[]): ListPlan {
  const [span = raw("true")] = plan.spans;
  if (ids.length === 0) return plan;
  return { ...plan, spans: [span, sql`id = any(${ids}::text[]) and not (${span})`] };
}

function shortEnough(filter: string): string {
  if (Buffer.byteLength(filter) <= FILTER_MAX) return filter;
  throw queryError(
    "match_filter_dict",
    filter,
    `match_filter_dict can have at most ${FILTER_MAX} bytes`,
  );
}

function cursorOf({ cursor, page_num }: ListQuery, fingerprint: () => string, order: Order) {
  if (cursor === undefined) return undefined;
  refuseCursorWithPageNum({ cursor, page_num });
  return readCursor(cursor, fingerprint(), order);
}

function spanSql({ on }: Listing, { from, to }: Span): Sql[] {
  const column = raw(stampColumn(on));
  return [
    ...(from === undefined ? [] : [sql`${column} >= ${from}::bigint`]),
    ...(to === undefined ? [] : [sql`${column} <= ${to}::bigint`]),
  ];
}

export const cursorAfter = (
  { fingerprint, span, page, next_s }: ListPlan,
  place: readonly KeyValue[],
): string => writeCursor({ fingerprint: fingerprint(), span, place, page: page + 1, next_s });
