/**
 * `GET /crm/<type>/{id}/duplicates`: returns records of the same type with the same address or number, most similar
 * first. Ignores addresses and numbers that hundreds of records share, such as info@ or a switchboard number.
 */

import sql, { join, raw, type Sql } from "sql-template-tag";
import type { Scope } from "../../audit/index.ts";
import { run, runRaw } from "../../platform/database/index.ts";
import type { Schema } from "../../platform/validation/index.ts";
import { described, number, objectSchema } from "../../platform/schemas/index.ts";
import { joinBodies } from "../list/index.ts";
import { mustColumn } from "../columns/index.ts";
import type { RecordType } from "../types/index.ts";
import { inGroups, UNREAD, type Unread } from "../store/index.ts";

/** An address or number is ignored if more than this many records have it. */
const HOLDERS_MAX = 300;
const RETURNED_MAX = 100;
/**
 * Maximum number of records to compare, newest first. A record may have many addresses, each of which hundreds of
 * records share.
 */
const READ_MAX = 1000;

/**
 * The range of scores for records that share either an address or a number. The more similar their names, the higher
 * the score.
 */
const ONE_KEY_SCORE = { from: 0.5, to: 0.9 };

export interface Duplicates {
  /** The duplicates in groups. Each group can be read at once (`duplicatesJson`). */
  readonly groups: readonly (readonly Duplicate[])[];
  /** The kinds of keys (`email`, `phone`) of which some were ignored because too many records share them. */
  readonly tooCommon: readonly string[];
}

/** Finds possible duplicates of the record with this id, which must exist. Reads only their names and sizes. */
export async function findDuplicates(
  scope: Scope,
  type: RecordType,
  id: string,
): Promise<Duplicates> {
  const { ways, tooCommon } = await findHolders(scope, type, id);
  const newest = [...ways.keys()].toSorted().slice(-READ_MAX);
  const names = await readNames(scope, type, [id, ...newest]);
  const own = names.get(id);
  names.delete(id);
  const count = Object.keys(type.sameBy ?? {}).length;
  const candidates = [...names].map(([other, name]) => {
    const matched_on = ways.get(other) ?? [];
    const { from, to } = ONE_KEY_SCORE;
    const score = matched_on.length === count ? 1 : from + (to - from) * similarityOf(own, name);
    return { id: other, score: Math.round(score * 100) / 100, matched_on };
  });
  const best = candidates.toSorted(bestFirst).slice(0, RETURNED_MAX);
  const sizes = await readSizes(
    scope,
    type,
    best.map((one) => one.id),
  );
  const found = best.flatMap((one): readonly Duplicate[] => {
    const bytes = sizes.get(one.id);
    return bytes === undefined ? [] : [{ ...one, bytes }];
  });
  return { groups: inGroups(found), tooCommon };
}

/** Returns a group's elements as JSON. Omits records that no longer exist. */
export async function duplicatesJson(
  { db, tenantId }: Scope,
  type: RecordType,
  group: readonly Duplicate[],
): Promise<readonly Buffer[]> {
  const rows = await runRaw(db)`select id, body from ${raw(type.table)}
         where tenant_id = ${tenantId} and id = any(${group.map(({ id }) => id)}::text[])`;
  const bodies = new Map(rows.map((row) => [String(row.column(0)), row.column(1) as Buffer]));
  return group.flatMap(({ id, score, matched_on }) => {
    const body = bodies.get(id);
    const open = `${JSON.stringify({ score, matched_on }).slice(0, -1)},"record":`;
    return body === undefined ? [] : [joinBodies(open, [body], "}")];
  });
}

interface Candidate {
  readonly id: string;
  readonly score: number;
  readonly matched_on: readonly string[];
}

export interface Duplicate extends Candidate, Unread {}

/** Sorts by score. Records with equal scores are sorted by age, newest first. */
const bestFirst = (a: Candidate, b: Candidate): number =>
  b.score - a.score || (a.id < b.id ? 1 : -1);

type Name = string | null | undefined;

/** Returns the similarity of two names, from 0 to 1: the share of words that they have in common, in any order. */
function similarityOf(a: Name, b: Name): number {
  const one = wordsOf(a);
  const other = wordsOf(b);
  const shared = [...one].filter((word) => other.has(word)).length;
  return shared === 0 ? 0 : (2 * shared) / (one.size + other.size);
}

/** Combining marks are part of a word: in many scripts, they are its vowels. */
const wordsOf = (name: Name): Set<string> =>
  new Set(
    (name ?? "")
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu),
  );

/**
 * Finds other records that share an address or number with this record. Returns the kinds of shared keys by record id.
 */
async function findHolders({ db, tenantId }: Scope, type: RecordType, id: string) {
  const parts = Object.entries(type.sameBy ?? {}).map(([way, column]) =>
    holdersBy(tenantId, raw(type.table), { way, column: raw(column), id }),
  );
  const rows = await run<{ way: string; ids: string[] }[]>(db)`${join(parts, " union all ")}`;
  const ways = new Map<string, string[]>();
  const tooCommon = new Set<string>();
  for (const { way, ids } of rows) {
    if (ids.length > HOLDERS_MAX) {
      tooCommon.add(way);
      continue;
    }
    for (const other of ids) {
      const known = ways.get(other) ?? [];
      if (other !== id && !known.includes(way)) ways.set(other, [...known, way]);
    }
  }
  return { ways, tooCommon: [...tooCommon] };
}

/** Placeholders such as "n/a" or "unknown" do not count as addresses or numbers. */
const PLAUSIBLE: Readonly<Record<string, string>> = { email: "@", phone: "[0-9]" };

const holdersBy = (
  tenantId: string,
  table: Sql,
  { way, column, id }: { readonly way: string; readonly column: Sql; readonly id: string },
): Sql => sql`
  select ${way}::text as way,
         array(select h.id from ${table} h
                where h.tenant_id = ${tenantId} and h.${column} @> array[k.key]
                limit ${HOLDERS_MAX + 1}) as ids
    from (select distinct unnest(t.${column}) as key from ${table} t
           where t.tenant_id = ${tenantId} and t.id = ${id}) k
   where k.key ~ ${PLAUSIBLE[way] ?? ""}::text`;

async function readNames(
  { db, tenantId }: Scope,
  type: RecordType,
  ids: readonly string[],
): Promise<Map<string, string | null>> {
  const rows = await run<{ id: string; name: string | null }[]>(db)`
    select id, ${raw(mustColumn(type, "name").name)} as name from ${raw(type.table)}
     where tenant_id = ${tenantId} and id = any(${ids}::text[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

async function readSizes(
  { db, tenantId }: Scope,
  type: RecordType,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await run<Unread[]>(db)`select ${UNREAD} from ${raw(type.table)}
         where tenant_id = ${tenantId} and id = any(${ids}::text[])`;
  return new Map(rows.map(({ id, bytes }) => [id, bytes]));
}

/** Returns the schema of a possible duplicate. */
export const duplicateSchema = (type: RecordType, record: Schema): Schema =>
  objectSchema({
    score: number("The similarity, from 0 to 1.", { minimum: 0.5, maximum: 1 }),
    matched_on: {
      type: "array",
      items: { type: "string", enum: Object.keys(type.sameBy ?? {}) },
      description: "The fields that match.",
    },
    record: described(record, "The record."),
  });
