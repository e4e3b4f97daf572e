/**
 * Looks up the records that a record refers to. This is done in the write's transaction and locks them until it ends,
 * so that copied names are never outdated.
 */

import type { Scope } from "../../audit/index.ts";
import type { Tx } from "../../platform/database/index.ts";
import { ValidationError, type Issue } from "../../platform/errors/index.ts";
import { once } from "../../platform/cache/index.ts";
import { type RecordName, type RecordType, SUBJECT_TYPES, typeOf } from "../types/index.ts";
import { currentIds, findAllByAnyId } from "./old-ids.ts";
import type { Values } from "../body/index.ts";
import { recordNames } from "../store/index.ts";

interface Reference {
  readonly field: string;
  readonly to: RecordName;
  readonly id: string;
}

const referring = once(({ fields }: RecordType): readonly Omit<Reference, "id">[] =>
  Object.entries(fields).flatMap(([field, described]) =>
    described.kind === "reference" ? [{ field, to: described.to }] : [],
  ),
);

/** Returns the references in these values. */
export function referencesOf(type: RecordType, values: Values): readonly Reference[] {
  const references = referring(type).flatMap(({ field, to }) => {
    const id = values[field];
    return typeof id === "string" ? [{ field, to, id }] : [];
  });
  if (type.subject === undefined) return references;
  const to = SUBJECT_TYPES.get(String(values[type.subject.type]));
  const id = values[type.subject.id];
  if (to === undefined || typeof id !== "string") return references;
  return [...references, { field: type.subject.id, to, id }];
}

/** A referenced record. If the reference contains a merged record's id, this is the survivor. */
interface Named {
  readonly id: string;
  readonly name: string | null;
}

/** The referenced records that exist, by type and by the id in the reference. */
export type KnownNames = ReadonlyMap<RecordName, ReadonlyMap<string, Named>>;

/** Looks up referenced records with one query per type. */
export async function findNames(
  scope: Scope<Tx>,
  references: readonly Reference[],
): Promise<KnownNames> {
  const ids = new Map<RecordName, Set<string>>();
  for (const { to, id } of references) ids.set(to, (ids.get(to) ?? new Set()).add(id));
  const known = new Map<RecordName, ReadonlyMap<string, Named>>();
  for (const [to, wanted] of ids) known.set(to, await findNamed(scope, typeOf(scope, to), wanted));
  return known;
}

async function findNamed(
  scope: Scope<Tx>,
  type: RecordType,
  wanted: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Named>> {
  const found = await findAllByAnyId(scope, type, wanted, async (ids) => {
    const names = await recordNames(scope, type, ids, { lock: true });
    return new Map([...names].map(([id, name]): [string, Named] => [id, { id, name }]));
  });
  return new Map([...found].flatMap(([id, named]) => [[id, named] as const, [named.id, named]]));
}

/** Returns the names for one record's references, by field. Throws 422 if a referenced record does not exist. */
export function namesIn(
  known: KnownNames,
  references: readonly Reference[],
): Readonly<Record<string, string | null>> {
  const issues = missingIn(known, references);
  if (issues.length > 0) throw new ValidationError(issues);
  return Object.fromEntries(
    references.map(({ field, to, id }) => [field, known.get(to)?.get(id)?.name ?? null]),
  );
}

/** Returns the issues of references to missing records. */
export const missingIn = (known: KnownNames, references: readonly Reference[]): readonly Issue[] =>
  references.flatMap(({ field, to, id }) =>
    known.get(to)?.has(id) === true ? [] : [missing(field, to, id)],
  );

/** Replaces the ids of merged records in the values with current ids. */
export function withKnownIds(known: KnownNames, type: RecordType, values: Values): Values {
  const ids = referencesOf(type, values).flatMap(({ field, to, id }) => {
    const now = known.get(to)?.get(id)?.id;
    return now === undefined || now === id ? [] : [[field, now] as const];
  });
  return ids.length === 0 ? values : { ...values, ...Object.fromEntries(ids) };
}

/**
 * Returns the input with current ids in place of old ones. Old ids that the record already contains are not replaced.
 */
export async function withCurrentIds(
  scope: Scope,
  type: RecordType,
  sent: Values,
  stored: Values,
): Promise<Values> {
  const values = { ...sent };
  for (const { field, to, id } of referencesOf(type, { ...stored, ...sent })) {
    if (!(field in sent) || stored[field] === id) continue;
    values[field] = (await currentIds(scope, typeOf(scope, to), [id])).get(id) ?? id;
  }
  return values;
}

const missing = (field: string, to: RecordName, id: string): Issue => ({
  type: "value_error",
  loc: ["body", field],
  msg: `Value error, there is no ${to} with this id`,
  input: id,
  ctx: { error: {} },
});
