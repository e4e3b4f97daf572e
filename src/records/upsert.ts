/**
 * Many inputs of one type at once: created, or updated where their external id is known (D10.5). In
 * the caller's transaction, with one statement for all that is new; an input that cannot be taken
 * costs nobody else.
 */

import sql, { raw } from "sql-template-tag";
import type { Scope } from "../audit/index.ts";
import type { Clock } from "../platform/clock.ts";
import { run, type Tx } from "../platform/db.ts";
import { ValidationError, type Issue } from "../platform/errors.ts";
import type { JsonObject } from "../platform/json.ts";
import { checker, type Check } from "../platform/validation.ts";
import { uniqueFields } from "./columns.ts";
import {
  createMany,
  firstOfEach,
  type Creation,
  type NewInput,
  type Taken,
} from "./create-many.ts";
import type { RecordType } from "./define.ts";
import { currentByExternalIds } from "./old-ids.ts";
import { recordRules } from "./rules.ts";
import { checkedSchema, LIST_MAX } from "./schemas.ts";
import { holdStored, type Stored } from "./stored.ts";
import { meaningfulInput, patchStored } from "./patch.ts";
import type { Author, WriteDeps } from "./write.ts";

/** A body that was checked as that of a create operation. */
export interface UpsertInput extends NewInput {
  /** Fields that were filled for want of a value; a record that is there keeps its own. */
  readonly onlyNew?: readonly string[];
}

/** What became of an input. */
export type Outcome = "created" | "updated" | "unchanged" | { readonly issues: readonly Issue[] };

/** Finds everything that is wrong with the body of a create operation, references apart. */
export const createCheck = (type: RecordType, clock: Clock): Check =>
  // A list may be as long as that of the record that is updated.
  checker(recordRules(clock))(checkedSchema(type, "create", LIST_MAX));

/** An input on its way, with its place among the others. */
interface Pending extends UpsertInput {
  readonly at: number;
  readonly external_id: string | undefined;
}

/**
 * Creates or updates records; one outcome for each input, in their order. Of inputs with the same
 * external id each later one updates what the one before it made. A duplicate that somebody else
 * writes at the same moment fails the transaction (23505): it is to be run anew.
 */
export async function upsertRecords(
  scope: Scope<Tx>,
  deps: WriteDeps,
  author: Author,
  type: RecordType,
  inputs: readonly UpsertInput[],
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  let pending: readonly Pending[] = inputs.map((given, at): Pending => {
    const { external_id } = given.input;
    return { ...given, at, external_id: typeof external_id === "string" ? external_id : undefined };
  });
  while (pending.length > 0) {
    const { first, later: rest } = firstOfEach(pending, ({ external_id }) =>
      external_id === undefined ? [] : [external_id],
    );
    const stored = await findByExternalIds(scope, type, first);
    const isNew = ({ external_id }: Pending) =>
      external_id === undefined || !stored.has(external_id);
    const created = await createNew(scope, deps, author, type, first.filter(isNew));
    for (const [at, outcome] of created) outcomes[at] = outcome;
    const later = [...rest];
    const taken = new Set<Stored>();
    for (const one of first) {
      const found = one.external_id === undefined ? undefined : stored.get(one.external_id);
      if (found === undefined) continue;
      if (taken.has(found)) {
        later.push(one);
        continue;
      }
      taken.add(found);
      outcomes[one.at] = await updateOne(scope, deps, author, type, found, one);
    }
    pending = later;
  }
  return outcomes;
}

/**
 * The records that hold these external ids, or into which records were merged that held them, locked
 * in the order of their ids. One record may be found by several.
 */
async function findByExternalIds(
  scope: Scope<Tx>,
  type: RecordType,
  pending: readonly Pending[],
): Promise<ReadonlyMap<string, Stored>> {
  const present = await findPresent(scope, type, pending);
  const missing = pending.flatMap(({ external_id }) =>
    external_id === undefined || present.has(external_id) ? [] : [external_id],
  );
  const current = await currentByExternalIds(scope, type, missing);
  if (current.size === 0) return present;
  const byId = new Map([...present.values()].map((one) => [String(one.body["_id"]), one]));
  const open = [...new Set(current.values())].filter((id) => !byId.has(id));
  for (const [id, one] of await holdStored(scope, type, open)) byId.set(id, one);
  const merged = [...current].flatMap(([external_id, id]) => {
    const found = byId.get(id);
    return found === undefined ? [] : [[external_id, found] as const];
  });
  return new Map([...present, ...merged]);
}

async function findPresent(
  { db, tenantId }: Scope<Tx>,
  type: RecordType,
  pending: readonly Pending[],
): Promise<ReadonlyMap<string, Stored>> {
  const ids = pending.flatMap(({ external_id }) => external_id ?? []);
  if (ids.length === 0) return new Map();
  const rows = await run(
    db,
    sql`select external_id, body, internal from ${raw(type.table)}
         where tenant_id = ${tenantId} and external_id = any(${ids}::text[])
         order by id for update`,
  );
  return new Map(
    rows.map((row) => {
      const body = row["body"] as JsonObject;
      const internal = (row["internal"] ?? {}) as Stored["internal"];
      return [row["external_id"] as string, { body, internal, version: Number(body["version"]) }];
    }),
  );
}

/** Creates those that are new; external ids were looked up before. */
async function createNew(
  scope: Scope<Tx>,
  deps: WriteDeps,
  author: Author,
  type: RecordType,
  pending: readonly Pending[],
): Promise<readonly (readonly [at: number, outcome: Outcome])[]> {
  const creations = await createMany(scope, deps, author, type, {
    inputs: pending,
    unique: uniqueFields(type).filter((name) => name !== "external_id"),
    isPartial: false,
  });
  return pending.map(({ at }, place) => [at, outcomeOf(type, creations[place] as Creation)]);
}

function outcomeOf(type: RecordType, creation: Creation): Outcome {
  if ("id" in creation) return "created";
  if ("issues" in creation) return creation;
  if ("refused" in creation) throw creation.refused;
  return { issues: creation.taken.map((taken) => takenIssue(type, taken)) };
}

const takenIssue = (type: RecordType, { name, value }: Taken): Issue => ({
  type: "conflict",
  loc: ["body", name],
  msg: `There is already an ${type.name} with the ${name} "${value}"`,
  input: value,
});

async function updateOne(
  scope: Scope<Tx>,
  deps: WriteDeps,
  author: Author,
  type: RecordType,
  found: Stored,
  { input, closed_ts, onlyNew = [] }: Pending,
): Promise<Outcome> {
  try {
    // A record that is found by what another was called keeps its own external id.
    const kept = found.body["external_id"] === input["external_id"] ? [] : ["external_id"];
    const silent = new Set([...onlyNew, ...kept]);
    const said = Object.entries(input).filter(([name]) => !silent.has(name));
    const sent = meaningfulInput(type, Object.fromEntries(said));
    const done = await patchStored(scope, deps, author, type, { found, sent, closed_ts });
    if (done === undefined) throw new Error("A record that is locked was changed");
    return done === "unchanged" ? "unchanged" : "updated";
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return { issues: error.issues };
  }
}
