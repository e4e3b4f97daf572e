/**
 * Finds the records that refer to other records, and changes their references. A merge moves references to the
 * survivor, undoing the merge moves them back, and an erasure clears them. Each change updates the referring record,
 * including the name that it shows for the reference.
 */

import sql, { raw, type Sql } from "sql-template-tag";
import type { Scope } from "../../audit/index.ts";
import { run, type Tx } from "../../platform/database/index.ts";
import type { Json, JsonObject } from "../../platform/json/index.ts";
import {
  type RecordName,
  type RecordType,
  type RecordTypes,
  subjectWord,
  typesOf,
} from "../types/index.ts";
import {
  inGroups,
  readStored,
  type Stored,
  type StoreContext,
  UNREAD,
  type Unread,
  store,
  type Writer,
} from "../store/index.ts";
import { mustColumn, referenceFields } from "../columns/index.ts";
import { withoutStamps } from "../schemas/index.ts";

/** A field that contains the ids of another type's records. */
interface Referrer {
  readonly type: RecordType;
  readonly field: string;
  /** The value of `subject_type` if the field is a task's subject. */
  readonly word?: string;
}

/** The record that references are moved to. Some referring records show its name. */
export interface Target {
  readonly id: string | null;
  readonly name: Json;
}

/** A reference that a merge moved: the record, the field, and the previous id. */
export interface Moved {
  readonly type: RecordName;
  readonly id: string;
  readonly field: string;
  readonly old: string;
}

const referrersOf = (types: RecordTypes, name: RecordName): readonly Referrer[] =>
  Object.values(types).flatMap((type): readonly Referrer[] => {
    const fields = referenceFields(type).filter(({ to }) => to === name);
    return [
      ...fields.map(({ field }) => ({ type, field })),
      ...(type.subject === undefined
        ? []
        : [{ type, field: type.subject.id, word: subjectWord(name) }]),
    ];
  });

/** Returns the column of a reference field. */
const placeOf = (type: RecordType, field: string): Sql => raw(mustColumn(type, field).name);

/** A referring record that stays locked until the transaction ends. It has not been read yet. */
interface LockedReferrer extends Unread {
  readonly referrer: Referrer;
  /** The id in its field. */
  readonly from: string;
}

/**
 * Locks up to `limit` records that refer to any of these records, plus one to detect that there are more. Fails (55P03)
 * if another transaction has locked one of them, because a merge does not wait for referring records.
 */
export async function lockReferrers(
  scope: Scope<Tx>,
  name: RecordName,
  ids: readonly string[],
  limit: number,
): Promise<readonly LockedReferrer[]> {
  const { db, tenantId } = scope;
  const held: LockedReferrer[] = [];
  for (const referrer of referrersOf(typesOf(scope), name)) {
    const place = placeOf(referrer.type, referrer.field);
    const rows = await run<(Unread & { readonly from: string })[]>(db)`
          select ${UNREAD}, ${place} as "from" from ${raw(referrer.type.table)}
           where tenant_id = ${tenantId} and ${place} = any(${ids}::text[])
             and ${place} is not null ${asSubject(referrer)}
           order by id limit ${limit + 1 - held.length} for update nowait`;
    held.push(...rows.map((row) => ({ ...row, referrer })));
    if (held.length > limit) break;
  }
  return held;
}

const asSubject = ({ type, word }: Referrer): Sql =>
  word === undefined || type.subject === undefined
    ? raw("")
    : sql`and ${raw(type.subject.type)} = ${word}`;

/**
 * Locks the records whose references a merge has moved, if they still refer to the survivor. Fails like
 * `lockReferrers`.
 */
export async function lockMoved(
  scope: Scope<Tx>,
  moved: readonly Moved[],
  into: string,
): Promise<readonly (LockedReferrer & { readonly old: string })[]> {
  const { db, tenantId } = scope;
  const held: (LockedReferrer & { readonly old: string })[] = [];
  for (const { type, field, oldOf } of byField(typesOf(scope), moved)) {
    const rows = await run<Unread[]>(db)`select ${UNREAD} from ${raw(type.table)}
           where tenant_id = ${tenantId} and id = any(${[...oldOf.keys()]}::text[])
             and ${placeOf(type, field)} = ${into}
           order by id for update nowait`;
    const referrer = { type, field };
    held.push(
      ...rows.map((row) => ({ ...row, referrer, from: into, old: oldOf.get(row.id) ?? "" })),
    );
  }
  return held;
}

/** Groups moved references by their field, with the previous ids by record. */
const byField = (types: RecordTypes, moved: readonly Moved[]) =>
  [...Map.groupBy(moved, ({ type, field }) => `${type} ${field}`)].map(([key, group]) => {
    const [name, field] = key.split(" ") as [RecordName, string];
    return {
      type: types[name],
      field,
      oldOf: new Map(group.map(({ id, old }) => [id, old])),
    };
  });

/**
 * Moves references back in records that were themselves merged after a merge had moved them to `into`. If those merges
 * are undone, the records are restored with their previous references. Skips records that have been erased meanwhile.
 */
export async function moveMergedBack(
  scope: Scope<Tx>,
  moved: readonly Moved[],
  into: string,
): Promise<void> {
  const { db, tenantId } = scope;
  for (const { type, field, oldOf } of byField(typesOf(scope), moved)) {
    const rows = await run<Unread[]>(db)`
      select old_id as id, octet_length(body::text) as bytes from merged_records
       where tenant_id = ${tenantId} and type = ${type.name}
         and old_id = any(${[...oldOf.keys()]}::text[]) and body->>${field} = ${into}`;
    for (const group of inGroups(rows)) {
      const stored = await run<{ id: string; body: JsonObject }[]>(db)`
        select old_id as id, body from merged_records
         where tenant_id = ${tenantId} and type = ${type.name}
           and old_id = any(${group.map(({ id }) => id)}::text[])
           and body->>${field} = ${into}
         order by old_id
           for update`;
      const next = stored.map(({ id, body }) =>
        JSON.stringify({ ...body, [field]: oldOf.get(id) ?? null }),
      );
      await run(db)`
        update merged_records r set body = n.body::json
          from unnest(${stored.map(({ id }) => id)}::text[], ${next}::text[]) as n(id, body)
         where r.tenant_id = ${tenantId} and r.type = ${type.name} and r.old_id = n.id`;
    }
  }
}

/** Moves references in locked records to other records. Returns the references that changed. */
export async function moveReferences<H extends LockedReferrer>(
  writer: Writer<Tx>,
  held: readonly H[],
  targetOf: (one: H) => Target,
): Promise<readonly Moved[]> {
  await changeReferrers(writer, held, "updated", (one, stored) =>
    pointedAt(one, stored, targetOf(one)),
  );
  return held.map(({ referrer: { type, field }, id, from }) => ({
    type: type.name,
    id,
    field,
    old: from,
  }));
}

type Pointed = ReturnType<typeof pointedAt>;

/** Reads and changes locked records in groups. */
async function changeReferrers<H extends LockedReferrer>(
  context: Omit<StoreContext, "type">,
  held: readonly H[],
  action: string,
  changeOf: (one: H, stored: Stored) => Pointed,
): Promise<void> {
  for (const [{ type }, all] of Map.groupBy(held, ({ referrer }) => referrer)) {
    for (const group of inGroups(all)) {
      const ids = group.map(({ id }) => id);
      const stored = await readStored(context.scope, type, ids);
      const records = group.map((one) => changeOf(one, stored.get(one.id) as Stored));
      await store({ ...context, type }, { kind: "updated", records, action });
    }
  }
}

/** Returns a referring record with its reference moved to the target. */
function pointedAt({ referrer: { type, field } }: LockedReferrer, stored: Stored, target: Target) {
  const { body, internal } = stored;
  const shown = Object.entries(type.derived).flatMap(([name, derived]) =>
    derived.kind === "name_of" && derived.reference === field ? [[name, target.name] as const] : [],
  );
  const next: Readonly<Record<string, Json>> = { [field]: target.id, ...Object.fromEntries(shown) };
  const fields = Object.entries(next)
    .filter(([name, value]) => body[name] !== value)
    .map(([name, value]) => [name, [body[name] ?? null, value] as const]);
  return {
    stored,
    next: {
      id: String(body["_id"]),
      body: { ...withoutStamps(body), ...next },
      internal,
      fields: Object.fromEntries(fields),
    },
  };
}

/** A record in which references were cleared. */
export interface Cleared {
  readonly type: RecordName;
  readonly id: string;
}

/**
 * Clears references to erased records in at most `limit` records, and returns those records. Their log entries contain
 * the cleared fields but not the names that were shown. Fails (55P03) if another transaction has locked one of the
 * records.
 */
export async function clearReferences(
  context: Omit<StoreContext<Tx>, "type">,
  { name, ids, limit }: { name: RecordName; ids: readonly string[]; limit: number },
): Promise<readonly Cleared[]> {
  const found = (await lockReferrers(context.scope, name, ids, limit)).slice(0, limit);
  // A record may have several such references. The next call clears the remaining ones.
  const held = [...new Map(found.map((one) => [one.id, one])).values()];
  await changeReferrers(context, held, "cleared", (one, stored) => {
    const { next } = pointedAt(one, stored, { id: null, name: null });
    const { converted: _, ...internal } = next.internal;
    const fields = Object.keys(next.fields).map((field) => [
      field,
      [field === one.referrer.field ? one.from : null, null] as const,
    ]);
    return { stored, next: { ...next, internal, fields: Object.fromEntries(fields) } };
  });
  return held.map(({ referrer, id }) => ({ type: referrer.type.name, id }));
}
