/** Operations that read records of any type: lists, single records, and histories. */

import { type Caller, grants, scopeOf } from "../../access/index.ts";
import { readChanges } from "../../audit/index.ts";
import { epochSeconds } from "../../platform/clock/index.ts";
import { idIn } from "../../platform/ids/index.ts";
import { remember, once } from "../../platform/cache/index.ts";
import { AppError } from "../../platform/errors/index.ts";
import { operation } from "../../platform/operations/index.ts";
import { linkNext, PAGE_PARAMETERS } from "../../platform/paging/index.ts";
import type { ConcurrencyLimit } from "../../platform/http/index.ts";
import {
  sendList,
  fieldsParameterOf,
  LIST_PARAMETERS,
  type ListPlan,
  type ListQuery,
  nextStart,
  planList,
  planPage,
  withRecords,
} from "../list/index.ts";
import { aNoun, type Listing, type RecordType } from "../types/index.ts";
import { findBody, findId } from "../store/index.ts";
import { findByAnyId, knownEtag, revealSsn } from "../write/index.ts";
import {
  answering,
  idPath,
  nounOf,
  partsFor,
  reading,
  recordRef,
  typeFor,
  wordOf,
  type RecordOperation,
  type RecordsDeps,
} from "./record-operation.ts";
import { restoredIds } from "../merge/index.ts";

/** The maximum age of the settled time that a window uses. */
const SETTLED_ms = 1000;

/** Maximum number of cached list plans. Polling clients send the same request repeatedly. */
const PLANS_MAX = 1000;

const NEXT_START_HEADER = {
  "X-Next-Start-Date": "The `start_date` for the next poll, so that it does not miss records.",
} as const;

/** The summaries of window operations in openapi.json, by the name of the list. */
const WINDOW_TITLES: Readonly<Record<string, (words: string) => string>> = {
  created: (words) => `List recently created ${words}`,
  updated: (words) => `List recently updated ${words}`,
  status_updated: (words) => `List ${words} with a recent status change`,
};

/** Returns the summary and description of a list operation for openapi.json. */
function listTexts(name: string, { path, on, windowHours }: Listing) {
  const words = wordOf(path);
  if (windowHours === undefined) {
    return {
      summary: `List ${words}`,
      description: `Returns a page of ${words}, newest first by default.`,
    };
  }
  const hours = windowHours === 1 ? "hour" : `${windowHours} hours`;
  return {
    summary: WINDOW_TITLES[name]?.(words) ?? `List ${words} by ${on}`,
    description:
      `Returns ${words} from the last ${hours}, or from \`start_date\` to \`end_date\`, by \`${on}\`. ` +
      "All of them are returned at once unless you send `page_size`, `page_num` or `cursor`.",
  };
}

/** Returns the `sort_dict` parameter with the list's default order. */
const sortParameter = ({ windowHours, on }: Listing) => ({
  ...LIST_PARAMETERS.sort_dict,
  fallback: JSON.stringify({ [windowHours === undefined ? "_id" : on]: -1 }),
});

/** Windows have no defaults for paging, because without these parameters all of a window is returned. */
const WINDOW_PAGING = {
  page_size: {
    ...LIST_PARAMETERS.page_size,
    fallback: undefined,
    description:
      "The number of entries per page. Default: 50 with `page_num` or `cursor`, otherwise all entries.",
  },
  page_num: { ...LIST_PARAMETERS.page_num, fallback: undefined },
};

/** Returns the parameters of a list. */
const listParameters = (type: RecordType, listing: Listing) => ({
  ...LIST_PARAMETERS,
  sort_dict: sortParameter(listing),
  ...(listing.windowHours !== undefined && WINDOW_PAGING),
  ...fieldsParameterOf(type),
});

export function listOf(
  deps: RecordsDeps,
  type: RecordType,
  [name, listing]: readonly [name: string, listing: Listing],
  /** Limits the number of concurrent windows without paging. */
  running: ConcurrencyLimit,
): RecordOperation {
  const envelope = name === "all" ? type.envelope : undefined;
  // A restored record gets a new updated_ts but keeps its other timestamps, so windows by these timestamps would miss
  // it.
  const missesRestored =
    type.sameBy !== undefined && listing.windowHours !== undefined && listing.on !== "updated_ts";
  const listingOf = ({ lists }: RecordType): Listing => lists[name] ?? listing;
  const plansOf = once(() => remember<ListPlan>(PLANS_MAX));
  const planOf = (query: ListQuery, caller: Caller): ListPlan => {
    const { tenant } = caller;
    const country = tenant.default_country;
    const tenantType = typeFor(caller, type);
    const planned = { type: tenantType, listing: listingOf(tenantType), country };
    const make = (asked: ListQuery): ListPlan =>
      planList({ ...planned, query: asked, now_s: epochSeconds(deps.clock) });
    // The list's plan can be cached only if it does not depend on the current time.
    const isTimeless =
      listing.windowHours === undefined &&
      query.start_date === undefined &&
      query.end_date === undefined;
    if (!isTimeless) return make(query);
    const first: ListQuery = { ...query, cursor: undefined };
    const list = plansOf(tenantType)(`${tenant.id} ${country} ${JSON.stringify(first)}`, () => {
      // Plan with the cursor first, so that one response reports all invalid parameters.
      if (query.cursor !== undefined) make(query);
      return make(first);
    });
    return planPage(list, query);
  };
  return operation({
    ...reading(type),
    method: "GET",
    url: listing.path,
    id: `list_${wordOf(listing.path)}${name === "all" ? "" : `_${name}`}`,
    ...listTexts(name, listing),
    isCounted: true,
    ...partsFor(type, (type) => ({ query: listParameters(type, listingOf(type)) })),
    answer:
      envelope === undefined
        ? { type: "array", items: recordRef(type) }
        : { $ref: `${type.schemaName}ResponseList#` },
    ...(listing.windowHours !== undefined && { answerHeaders: NEXT_START_HEADER }),
    run: async ({ caller, query, request, reply }) => {
      const scope = scopeOf(deps.db.lists, caller);
      const planned = planOf(query, caller);
      const { stall_ms } = deps;
      if (planned.pageSize === undefined) running.enter(caller, reply);
      // Query the settled time before the list, because it applies only to snapshots taken after it.
      const isBegin = listing.windowHours !== undefined && planned.place === undefined;
      const settled = isBegin ? await deps.horizon.settled({ maxAge_ms: SETTLED_ms }) : undefined;
      const plan = missesRestored
        ? withRecords(planned, await restoredIds(scope, planned.type, planned.span))
        : planned;
      const next_s = settled === undefined ? plan.next_s : nextStart(plan.span, settled.at_s);
      return sendList(
        { tenantId: scope.tenantId, db: deps.db },
        // Pass the same plan object where possible, because its statements are cached by object identity.
        next_s === plan.next_s ? plan : { ...plan, next_s },
        { envelope, request, reply, stall_ms },
      );
    },
  });
}

const REVEAL = {
  reveal: {
    kind: "choice",
    of: ["ssn"],
    description:
      "`ssn` returns the full number. Requires the `ssn:read` permission and is recorded in the audit log.",
  },
} as const;

export function readOf(deps: RecordsDeps, type: RecordType, path: string): RecordOperation {
  const hasSecret = type.fields["ssn"] !== undefined;
  return operation({
    ...reading(type),
    method: "GET",
    url: `${path}/:${type.idName}`,
    id: `get_${nounOf(path)}`,
    summary: `Get ${aNoun(nounOf(path))}`,
    path: idPath(type),
    ...(hasSecret && { query: REVEAL }),
    ...answering(type),
    conditions: ["if-none-match"],
    run: async ({ caller, path: names, query, conditions, reply }) => {
      const id = idIn(names, type.idName);
      const tenantType = typeFor(caller, type);
      if (query.reveal !== undefined) {
        if (!grants(caller.permissions, "ssn:read")) throw lacking("ssn:read");
        reply.header("cache-control", "no-store");
        return revealSsn({ scope: scopeOf(deps.db.sql, caller), deps, type: tenantType }, id);
      }
      const scope = scopeOf(deps.db.reads, caller);
      const find = (at: string) => findBody(scope, tenantType, at);
      const body = await findByAnyId(scope, tenantType, id, find);
      if (body === undefined) throw new AppError("not_found");
      reply.header("etag", knownEtag(body, id, conditions["if-none-match"]));
      return body;
    },
  });
}

const lacking = (permission: string): AppError =>
  new AppError("not_permitted", { detail: `This token lacks the ${permission} permission` });

export function historyOf(deps: RecordsDeps, type: RecordType, path: string): RecordOperation {
  return operation({
    ...reading(type),
    method: "GET",
    url: `${path}/:${type.idName}/history`,
    id: `get_${nounOf(path)}_history`,
    summary: `Get ${nounOf(path)} history`,
    description: `Lists the changes to the ${nounOf(path)}, newest first.`,
    path: idPath(type),
    query: PAGE_PARAMETERS,
    answer: { type: "array", items: { $ref: "Change#" } },
    run: async ({ caller, path: names, query, request, reply }) => {
      const scope = scopeOf(deps.db.reads, caller);
      const given = idIn(names, type.idName);
      const tenantType = typeFor(caller, type);
      const id = await findByAnyId(scope, tenantType, given, (at) => findId(scope, tenantType, at));
      if (id === undefined) throw new AppError("not_found");
      const { entries, next } = await readChanges(deps.db.reads, caller.tenant.id, {
        ...query,
        subject_type: type.name,
        subject_id: id,
      });
      linkNext(request, reply, next);
      return entries;
    },
  });
}
