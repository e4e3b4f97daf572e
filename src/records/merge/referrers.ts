/**
 * The records that refer to others, by field, and how their references are moved: by a merge to the
 * survivor, by its undoing back. Each move is an update of the referring record; a name that it
 * shows follows at once.
 */

import sql, { raw, type Sql } from "sql-template-tag";
import type { Scope } from "../../audit/index.ts";
import { run, type Tx } from "../../platform/database/index.ts";
import type { Json } from "../../platform/json/index.ts";
import {
  RECORD_TYPES,
  type RecordName,
  type RecordType,
  recordTypes,
  subjectWord,
} from "../types/index.ts";
import { storedIn, type Stored, updateRecords, type Writer } from "../write/index.ts";
import { mustColumn, referenceFields, withoutStamps } from "../shape/index.ts";

/** A field of a type that holds the id of a record of another type. */
interface Referrer {
  readonly type: RecordType;
  readonly field: string;
  /** The word in `subject_type` that says so, where it is the subject of a task. */
  readonly word?: string;
}

/** A record to be pointed at: its name is shown by some of those that refer to it. */
export interface Target {
  readonly id: string;
  readonly name: Json;
}

/** A reference that a merge moved: the record, the field, and the id that it had. */
export interface Moved {
  readonly type: RecordName;
  readonly id: string;
  readonly field: string;
  readonly old: string;
}

const referrersOf = (name: RecordName): readonly Referrer[] =>
  recordTypes.flatMap((type): readonly Referrer[] => {
    const fields = referenceFields(type).filter(({ to }) => to === name);
    return [
      ...fields.map(({ field }) => ({ type, field })),
      ...(type.subject === undefined
        ? []
        : [{ type, field: type.subject.id, word: subjectWord(RECORD_TYPES[name]) }]),
    ];
  });

/** The column of a field that holds ids. */
const placeOf = (type: RecordType, field: string): Sql => raw(mustColumn(type, field).name);

/** A referring record that is held until the transaction ends. */
interface Held {
  readonly referrer: Referrer;
  readonly stored: Stored;
}

/**
 * Holds the records that refer to any of these, at most `limit` of them and one more. Fails (55P03)
 * if another transaction holds one: a merge does not wait for them.
 */
export async function holdReferrers(
  { db, tenantId }: Scope<Tx>,
  name: RecordName,
  ids: readonly string[],
  limit: number,
): Promise<readonly Held[]> {
  const held: Held[] = [];
  for (const referrer of referrersOf(name)) {
    const place = placeOf(referrer.type, referrer.field);
    const rows = await run(db)`select body, internal from ${raw(referrer.type.table)}
           where tenant_id = ${tenantId} and ${place} = any(${ids}::text[])
             and ${place} is not null ${asSubject(referrer)}
           order by id limit ${limit + 1 - held.length} for update nowait`;
    held.push(...rows.map((row) => ({ referrer, stored: storedIn(row) })));
    if (held.length > limit) break;
  }
  return held;
}

const asSubject = ({ type, word }: Referrer): Sql =>
  word === undefined || type.subject === undefined
    ? raw("")
    : sql`and ${raw(type.subject.type)} = ${word}`;

/** Holds what a merge moved and what still refers to the record that it was moved to, as above. */
export async function holdMoved(
  { db, tenantId }: Scope<Tx>,
  moved: readonly Moved[],
  into: string,
): Promise<readonly (Held & { readonly old: string })[]> {
  const held: (Held & { readonly old: string })[] = [];
  for (const [key, group] of Map.groupBy(moved, ({ type, field }) => `${type} ${field}`)) {
    const [name, field] = key.split(" ") as [RecordName, string];
    const type = RECORD_TYPES[name];
    const oldOf = new Map(group.map(({ id, old }) => [id, old]));
    const rows = await run(db)`select body, internal from ${raw(type.table)}
           where tenant_id = ${tenantId} and id = any(${[...oldOf.keys()]}::text[])
             and ${placeOf(type, field)} = ${into}
           order by id for update nowait`;
    for (const stored of rows.map(storedIn)) {
      const old = oldOf.get(String(stored.body["_id"])) ?? "";
      held.push({ referrer: { type, field }, stored, old });
    }
  }
  return held;
}

/** Points held references at other records; which they were. */
export async function moveReferences<H extends Held>(
  writer: Writer<Tx>,
  held: readonly H[],
  targetOf: (one: H) => Target,
): Promise<readonly Moved[]> {
  for (const [type, some] of Map.groupBy(held, ({ referrer }) => referrer.type)) {
    const changes = some.map((one) => pointedAt(one, targetOf(one)));
    await updateRecords({ ...writer, type }, changes, { action: "updated", isTouched: true });
  }
  return held.map(({ referrer: { type, field }, stored: { body } }) => ({
    type: type.name,
    id: String(body["_id"]),
    field,
    old: String(body[field]),
  }));
}

/** A referring record as it is with a reference to the target. */
function pointedAt({ referrer: { type, field }, stored }: Held, target: Target) {
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
