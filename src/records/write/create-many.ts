/**
 * Creates many records of one type with one statement, in the caller's transaction. If a record refers to a missing
 * record or has a unique value that is taken, it is skipped and reported. The other records are not affected.
 */

import { raw } from "sql-template-tag";
import type { Scope } from "../../audit/index.ts";
import { run, type Tx } from "../../platform/database/index.ts";
import { type AppError, ValidationError, type Issue } from "../../platform/errors/index.ts";
import type { JsonObject } from "../../platform/json/index.ts";
import type { RecordType } from "../types/index.ts";
import { findNames, missingIn, referencesOf } from "./references.ts";
import type { TakenValue } from "./conflicts.ts";
import { createDrafts, secretDraft, type SecretDraft } from "./write.ts";
import type { Writer } from "../store/index.ts";

/** The result of creating one record. */
export type Creation =
  | { readonly id: string }
  | { readonly issues: readonly Issue[] }
  | { readonly taken: readonly TakenValue[] }
  | { readonly refused: AppError };

/** The checked body of a new record. */
export interface NewInput {
  readonly input: JsonObject;
  /** When a deal was closed, in epoch seconds. */
  readonly closed_ts?: number | undefined;
}

/** New records, and the names of fields whose values must be checked for uniqueness. */
export interface Many {
  readonly inputs: readonly NewInput[];
  readonly unique: readonly string[];
  /** Whether to create as many records as the tenant's quota allows. If false, either all or none are created. */
  readonly isPartial: boolean;
}

/** A draft, or the issues that prevent it from being created. */
type Drafted = SecretDraft | { readonly issues: readonly Issue[] };

function draftedBy(writer: Writer, { input, closed_ts }: NewInput): Drafted {
  try {
    return secretDraft(writer, input, closed_ts);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return { issues: error.issues };
  }
}

const isDraft = (drafted: Drafted): drafted is SecretDraft => "draft" in drafted;

/**
 * Creates as many of the records as possible and returns the results in the same order. If two records have the same
 * unique value, the first one is created. If another transaction writes the same value at the same time, the caller's
 * transaction fails (23505) and must be retried. Throws 403 if the quota does not allow all records and `isPartial` is
 * false.
 */
export async function createMany(
  writer: Writer<Tx>,
  { inputs, unique, isPartial }: Many,
): Promise<readonly Creation[]> {
  const drafted = inputs.map((one) => draftedBy(writer, one));
  const created = await createDrafted(writer, {
    secrets: drafted.filter(isDraft),
    unique,
    isPartial,
  });
  let next = 0;
  return drafted.map((one) => (isDraft(one) ? (created[next++] as Creation) : one));
}

interface Drafts extends Omit<Many, "inputs"> {
  readonly secrets: readonly SecretDraft[];
}

async function createDrafted(
  writer: Writer<Tx>,
  { secrets, unique, isPartial }: Drafts,
): Promise<readonly Creation[]> {
  if (secrets.length === 0) return [];
  const { scope, type } = writer;
  const missing = await withoutReferences(scope, type, secrets);
  const sound = secrets.map((_, at) => at).filter((at) => !missing.has(at));
  const taken = await withTakenValues(scope, type, { secrets, unique }, sound);
  const wanted = sound.filter((at) => !taken.has(at));
  const room = await scope.quota?.room(scope);
  const open = wanted.slice(0, room?.records);
  const refusal =
    open.length < wanted.length
      ? room?.refusal(isPartial ? open.length : 0, isPartial ? 1 : wanted.length)
      : undefined;
  if (refusal !== undefined && !isPartial) throw refusal;
  const drafts = open.flatMap((at) => secrets[at] ?? []);
  const created = drafts.length === 0 ? [] : await createDrafts(writer, drafts);
  const ids = new Map(open.map((at, place) => [at, created[place] ?? ""]));
  return secrets.map((_, at): Creation => {
    const id = ids.get(at);
    if (id !== undefined) return { id };
    const issues = missing.get(at);
    if (issues !== undefined) return { issues };
    const claims = taken.get(at) ?? [];
    const isFree = claims.every(({ by }) => typeof by === "number" && !ids.has(by));
    if (refusal !== undefined && isFree) return { refused: refusal };
    return {
      taken: claims.map(({ name, value, by }) => ({
        name,
        value,
        existing_id: typeof by === "number" ? (ids.get(by) ?? "") : by,
      })),
    };
  });
}

export const bodyOf = (bytes: Buffer): JsonObject =>
  JSON.parse(bytes.toString("utf8")) as JsonObject;

/** Returns the id in a stored body. */
export const idOf = (bytes: Buffer): string => String(bodyOf(bytes)["_id"]);

/** Returns the issues of drafts that refer to missing records, by the position of the draft. */
async function withoutReferences(
  scope: Scope<Tx>,
  type: RecordType,
  secrets: readonly SecretDraft[],
): Promise<ReadonlyMap<number, readonly Issue[]>> {
  const named = secrets.map(({ draft }) => referencesOf(type, draft.values));
  const all = named.flat();
  if (all.length === 0) return new Map();
  const known = await findNames(scope, all);
  return new Map(
    named.flatMap((references, at) => {
      const issues = missingIn(known, references);
      return issues.length === 0 ? [] : [[at, issues] as const];
    }),
  );
}

/** A unique value that is taken by a record (given by id) or by an earlier draft (given by position). */
interface Claim {
  readonly name: string;
  readonly value: string;
  readonly by: string | number;
}

/** Finds the drafts whose unique values are taken by a record or an earlier draft. */
async function withTakenValues(
  scope: Scope<Tx>,
  type: RecordType,
  { secrets, unique }: Pick<Drafts, "secrets" | "unique">,
  places: readonly number[],
): Promise<ReadonlyMap<number, readonly Claim[]>> {
  const valuesOf = (name: string, at: number) => {
    const value = secrets[at]?.draft.values[name];
    return typeof value === "string" ? [value] : [];
  };
  const owners = new Map<string, Map<string, string | number>>();
  for (const name of unique) {
    const values = places.flatMap((at) => valuesOf(name, at));
    owners.set(name, await findOwners(scope, type, name, values));
  }
  const taken = new Map<number, readonly Claim[]>();
  for (const at of places) {
    const wanted = unique.flatMap((name) => valuesOf(name, at).map((value) => ({ name, value })));
    const claims = wanted.flatMap(({ name, value }): Claim[] => {
      const by = owners.get(name)?.get(value);
      return by === undefined ? [] : [{ name, value, by }];
    });
    if (claims.length > 0) taken.set(at, claims);
    else for (const { name, value } of wanted) owners.get(name)?.set(value, at);
  }
  return taken;
}

/** Returns the ids of the records that have these unique values, by value. */
async function findOwners(
  { db, tenantId }: Scope<Tx>,
  type: RecordType,
  name: string,
  values: readonly string[],
): Promise<Map<string, string | number>> {
  if (values.length === 0) return new Map();
  const rows = await run<{ id: string; value: string }[]>(db)`
    select id, ${raw(name)} as value from ${raw(type.table)}
     where tenant_id = ${tenantId} and ${raw(name)} = any(${values}::text[])`;
  return new Map(rows.map(({ id, value }) => [value, id]));
}
