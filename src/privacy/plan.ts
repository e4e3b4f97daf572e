/** The first step of an erasure. Checks and removes the chosen records, and returns the work for the other steps. */

import sql, { raw } from "sql-template-tag";
import { type Scope, withoutLimit } from "../audit/index.ts";
import { erasePushed } from "../exchange/pushed-leads/index.ts";
import { epochSeconds } from "../platform/clock/index.ts";
import { run, type Tx } from "../platform/database/index.ts";
import { AppError, type Issue, ValidationError } from "../platform/errors/index.ts";
import type { JsonObject } from "../platform/json/index.ts";
import { RECORD_NAMES, type RecordName, TYPE_FACTS, typeOf } from "../records/types/index.ts";
import { store, type WriteDeps } from "../records/store/index.ts";
import type { StoredFound, StoredReport } from "./reports.ts";
import {
  joinTerms,
  type PlannedRecord,
  PUSHED_LEAD,
  REJECTED_ROW,
  rejectedPlace,
  REMOVED,
  type Terms,
  termsIn,
  termsOf,
} from "./person/index.ts";

export interface Plan {
  readonly records: readonly PlannedRecord[];
  /** The terms that the report searched for. */
  readonly searched: Terms;
  /** All terms that identify the person, including those in the removed records. */
  readonly known: Terms;
}

export interface Chosen {
  readonly record_ids: readonly string[];
  readonly review_ids: readonly string[];
}

/** The number of changed or removed rows, by table. */
export type Counts = Readonly<Record<string, number>>;

/**
 * Removes the chosen records in the transaction of `scope`, and returns the remaining work. Throws 422 for ids that are
 * not in the report, and 409 with the ids of records that have changed since the report was created.
 */
export async function planErasure(
  scope: Scope<Tx>,
  deps: WriteDeps,
  report: StoredReport,
  chosen: Chosen,
): Promise<{ readonly plan: Plan; readonly counts: Counts }> {
  const records = chosenIn(report, chosen.record_ids);
  const values = await holdChosen(scope, records);
  const searched = termsOf(report.keys);
  const copies = await mergedInto(scope, records);
  const known = joinTerms(
    searched,
    ...values.map(termsIn),
    ...copies.map(({ body }) => termsIn(body)),
  );
  const removed = records.filter(({ effect }) => effect === "erase");
  const counts = await removeChosen(scope, deps, removed);
  const reviewed = await reviewable(scope, chosen.review_ids);
  return {
    plan: {
      records: [
        ...records.map(({ type, id, effect }) => ({
          type,
          id,
          effect: effect === "erase" ? ("erase" as const) : ("clear" as const),
        })),
        ...copies.map(({ type, id }) => ({ type, id, effect: "erase" as const })),
        ...reviewed,
      ],
      searched,
      known,
    },
    counts,
  };
}

/**
 * Returns the chosen records of a report. Leaves out records that only refer to the person. Their references are
 * cleared when the referenced record is removed.
 */
function chosenIn({ records }: StoredReport, ids: readonly string[]): readonly StoredFound[] {
  const known = Map.groupBy(records, ({ id }) => id);
  const issues = ids.flatMap((id, at): readonly Issue[] =>
    known.has(id) ? [] : [unknownId("record_ids", at, id)],
  );
  if (issues.length > 0) throw new ValidationError(issues);
  return [...new Set(ids)]
    .flatMap((id) => known.get(id) ?? [])
    .filter(({ effect }) => effect !== "unlink");
}

const unknownId = (
  member: string,
  at: number,
  input: string,
  fault = "the report has no record with this id",
): Issue => ({
  type: "value_error",
  loc: ["body", member, at],
  msg: `Value error, ${fault}`,
  input,
  ctx: { error: {} },
});

/**
 * Locks the chosen records and returns their values. Skips deleted and erased records. Throws 409 if any record has
 * changed since the report was created.
 */
async function holdChosen(
  scope: Scope<Tx>,
  records: readonly StoredFound[],
): Promise<readonly JsonObject[]> {
  const { db, tenantId } = scope;
  const values: JsonObject[] = [];
  const changed: string[] = [];
  for (const [type, some] of Map.groupBy(records, (record) => record.type)) {
    const expected = new Map(some.map(({ id, version }) => [id, version]));
    const ids = [...expected.keys()];
    if (type === REJECTED_ROW) continue;
    const statement =
      type === PUSHED_LEAD
        ? sql`
            select id, (select max(c.id) from changes c
                         where c.tenant_id = p.tenant_id and c.subject_id = p.id) as version,
                   json_build_object('name', name, 'email_key', email_key, 'phone_key', phone_key,
                                     'email', email, 'phone', phone) as body
              from pushed_leads p
             where tenant_id = ${tenantId} and id = any(${ids}::text[]) and erased_ts is null
             order by id for update`
        : sql`
            select id, version, body from ${raw(TYPE_FACTS[type].table)}
             where tenant_id = ${tenantId} and id = any(${ids}::text[]) order by id for update`;
    const rows = await run<{ id: string; version: number | string; body: JsonObject }[]>(
      db,
      statement,
    );
    for (const { id, version, body } of rows) {
      const known = expected.get(id) ?? null;
      if (version !== known && (await wasChanged(scope, id, known))) changed.push(id);
      if (REMOVED.has(type)) values.push(body);
      expected.delete(id);
    }
    if (type !== PUSHED_LEAD) changed.push(...(await mergedSince(scope, type, expected)));
  }
  if (changed.length === 0) return values;
  const detail = "Some records have changed since the report was created; create another report";
  throw new AppError("conflict", { detail, members: { changed_ids: changed } });
}

/**
 * Whether a record or pushed lead has changed since the given version or change id. Changes by erasures do not count.
 */
async function wasChanged(
  { db, tenantId }: Scope<Tx>,
  id: string,
  known: number | string | null,
): Promise<boolean> {
  const after =
    typeof known === "number" ? sql`version > ${known}::integer` : sql`id > ${known ?? ""}::text`;
  const [row] = await run(db)`
    select from changes
     where tenant_id = ${tenantId} and subject_id = ${id} and ${after} and action <> 'cleared'
     limit 1`;
  return row !== undefined;
}

/** Returns the records that were merged into another record after the report was created. */
async function mergedSince(
  { db, tenantId }: Scope<Tx>,
  type: RecordName,
  gone: ReadonlyMap<string, number | string | null>,
): Promise<readonly string[]> {
  const ids = [...gone].flatMap(([id, version]) => (version === null ? [] : [id]));
  const rows = await run<{ id: string }[]>(db)`
    select old_id as id from merged_records
     where tenant_id = ${tenantId} and type = ${type} and old_id = any(${ids}::text[])`;
  return rows.map(({ id }) => id);
}

interface Copy {
  readonly type: RecordName;
  readonly id: string;
  readonly body: JsonObject;
}

/** Returns all records that were merged into the removed records, directly or through other records. */
export async function mergedInto(
  { db, tenantId }: Scope<Tx>,
  records: readonly (Pick<StoredFound, "type" | "id"> & { readonly effect: string })[],
): Promise<readonly Copy[]> {
  const copies = new Map<string, Copy>();
  for (const type of RECORD_NAMES) {
    let into = records
      .filter((record) => record.type === type && record.effect === "erase")
      .map(({ id }) => id);
    while (into.length > 0) {
      const rows = await run<{ id: string; body: JsonObject | null }[]>(db)`
        select old_id as id, body from merged_records
         where tenant_id = ${tenantId} and type = ${type} and into_id = any(${into}::text[])`;
      const next = rows.filter(({ id }) => !copies.has(`${type} ${id}`));
      for (const { id, body } of next) copies.set(`${type} ${id}`, { type, id, body: body ?? {} });
      into = next.map(({ id }) => id);
    }
  }
  return [...copies.values()];
}

/** Removes records in the transaction of `scope`. */
export async function removeChosen(
  scope: Scope<Tx>,
  deps: WriteDeps,
  records: readonly Pick<StoredFound, "type" | "id">[],
): Promise<Counts> {
  const counts: Record<string, number> = {};
  const unlimited = withoutLimit(scope);
  for (const [type, some] of Map.groupBy(records, (record) => record.type)) {
    const ids = some.map(({ id }) => id);
    if (type === PUSHED_LEAD) {
      const now_s = epochSeconds(deps.clock);
      counts["pushed_leads"] = await erasePushed(scope, deps.makeId, { ids, now_s });
    } else if (type === REJECTED_ROW) {
      counts["import_rejects"] = await removeRejected(scope, ids);
    } else {
      const erasing = { scope: unlimited, type: typeOf(scope, type), deps };
      const records = ids.map((id) => ({ id }));
      const { count } = await store(erasing, {
        kind: "deleted",
        records,
        action: "erased",
        fields: {},
      });
      counts[erasing.type.table] = count;
    }
  }
  return counts;
}

async function removeRejected(
  { db, tenantId }: Scope<Tx>,
  ids: readonly string[],
): Promise<number> {
  const places = ids.map(rejectedPlace);
  const { count } = await run(db)`
    delete from import_rejects r
     using unnest(${places.map(({ importId }) => importId)}::text[],
                  ${places.map(({ line }) => line)}::bigint[]) as given(import_id, line)
     where r.tenant_id = ${tenantId} and r.import_id = given.import_id and r.line = given.line`;
  return count;
}

/**
 * Returns the records in which an administrator confirmed a mention of the person. Invoices are never changed, so their
 * ids are invalid here.
 */
async function reviewable(
  { db, tenantId }: Scope<Tx>,
  ids: readonly string[],
): Promise<readonly PlannedRecord[]> {
  if (ids.length === 0) return [];
  const found: PlannedRecord[] = [];
  for (const type of RECORD_NAMES) {
    if (type === "invoice") continue;
    const { table } = TYPE_FACTS[type];
    const rows = await run<{ id: string }[]>(db)`
      select id from ${raw(table)} where tenant_id = ${tenantId} and id = any(${ids}::text[])`;
    found.push(...rows.map(({ id }) => ({ type, id, effect: "review" as const })));
  }
  const issues = ids.flatMap((id, at) =>
    found.some((record) => record.id === id)
      ? []
      : [unknownId("review_ids", at, id, "there is no record with this id that can be changed")],
  );
  if (issues.length > 0) throw new ValidationError(issues);
  return found;
}
