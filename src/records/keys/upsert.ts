/**
 * Many inputs of one type at once: created, or updated if a record has their external id. They are written
 * in the caller's transaction, with one statement for all new records. A rejected input does not affect
 * the others.
 */

import { raw } from "sql-template-tag";
import type { Scope } from "../../audit/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { run, type Tx } from "../../platform/database/index.ts";
import { ValidationError, type Issue } from "../../platform/errors/index.ts";
import type { JsonObject } from "../../platform/json/index.ts";
import { checker, type Check } from "../../platform/validation/index.ts";
import { checkedSchema, recordRules, uniqueFields, withAddedEntries } from "../shape/index.ts";
import { type RecordType } from "../types/index.ts";
import {
  type Author,
  createMany,
  type Creation,
  currentByExternalIds,
  currentIds,
  firstOfEach,
  holdStored,
  meaningfulInput,
  type NewInput,
  patchStored,
  type Stored,
  type Taken,
  type WriteDeps,
} from "../write/index.ts";

/** A body that was checked as that of a create operation. */
export interface UpsertInput extends NewInput {
  /** Fields that were filled for want of a value; a record that is there keeps its own. */
  readonly onlyNew?: readonly string[];
  /** Lists of entries of which the input holds some: they are added to those of a record that is there. */
  readonly partialLists?: readonly string[];
  /** A text field whose value is notes alone: its lines are added to the text of a record that is there. */
  readonly notesIn?: string | undefined;
}

/** What became of an input. */
export type Outcome = "created" | "updated" | "unchanged" | { readonly issues: readonly Issue[] };

/** What is written: new records only, changes of existing records only, or both. */
export const WRITE_MODES = ["create", "update", "upsert"] as const;
export type WriteMode = (typeof WRITE_MODES)[number];

export interface WriteOptions {
  readonly mode: WriteMode;
  /** Whether external ids that no record has may be ids of records. */
  readonly byId?: boolean | undefined;
  /**
   * Called once for each existing record that changes, with the place of the first input that changes it.
   * Not called for a record that an earlier one of these inputs created.
   */
  readonly onChange?: ((at: number, before: JsonObject, after: JsonObject) => void) | undefined;
  /** Called with the place of each input whose notes do not fit into the text of its record. */
  readonly onNotesOmitted?: ((at: number) => void) | undefined;
}

/** Finds everything that is wrong with a body that will be written in this mode, except for references. */
export const writeCheck = (type: RecordType, mode: WriteMode, clock: Clock): Check =>
  // A list may be as long as that of the record that is updated.
  checker(recordRules(clock))(checkedSchema(type, mode === "update" ? "patch" : "create", true));

/** An input on its way, with its place among the others. */
interface Pending extends UpsertInput {
  readonly at: number;
  readonly external_id: string | undefined;
}

/**
 * Creates or updates records; one outcome for each input, in their order. Inputs with the same external id
 * are written one after the other. A duplicate that another transaction writes at the same moment fails
 * this one (23505); run it again.
 */
export async function upsertRecords(
  scope: Scope<Tx>,
  deps: WriteDeps,
  author: Author,
  type: RecordType,
  inputs: readonly UpsertInput[],
  { mode, byId = false, onChange, onNotesOmitted }: WriteOptions,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  let pending: readonly Pending[] = inputs.map((given, at): Pending => {
    const { external_id } = given.input;
    return { ...given, at, external_id: typeof external_id === "string" ? external_id : undefined };
  });
  const createdKeys = new Set<string | undefined>();
  const changedIds = new Set<string>();
  while (pending.length > 0) {
    const { first, later: rest } = firstOfEach(pending, ({ external_id }) =>
      external_id === undefined ? [] : [external_id],
    );
    const stored = await findByExternalIds(scope, type, first, byId);
    const isNew = ({ external_id }: Pending) =>
      external_id === undefined || !stored.has(external_id);
    const fresh = first.filter(isNew);
    if (mode === "update") {
      for (const { at, external_id } of fresh) outcomes[at] = unknownId(type, external_id);
    } else {
      const created = await createNew(scope, deps, author, type, fresh);
      for (const [at, outcome] of created) outcomes[at] = outcome;
      for (const { external_id } of fresh) createdKeys.add(external_id);
    }
    const later = [...rest];
    const taken = new Set<Stored>();
    for (const one of first) {
      const found = one.external_id === undefined ? undefined : stored.get(one.external_id);
      if (found === undefined) continue;
      if (mode === "create") {
        outcomes[one.at] = existingId(type, one, found);
        continue;
      }
      if (taken.has(found)) {
        later.push(one);
        continue;
      }
      taken.add(found);
      const id = String(found.body["_id"]);
      const isTold = createdKeys.has(one.external_id) || changedIds.has(id);
      const outcome = await updateOne(scope, deps, author, type, found, one, {
        onChange: isTold ? undefined : onChange,
        onNotesOmitted,
      });
      if (outcome === "updated") changedIds.add(id);
      outcomes[one.at] = outcome;
    }
    pending = later;
  }
  return outcomes;
}

function existingId(type: RecordType, { external_id }: Pending, { body }: Stored): Outcome {
  const id = String(body["_id"]);
  const key = external_id === id ? "this _id" : `the external_id "${external_id}"`;
  const msg = `existing_id: the ${type.name} ${id} already has ${key}`;
  return { issues: [{ type: "existing_id", loc: ["body"], msg, input: external_id ?? null }] };
}

const unknownId = (type: RecordType, external_id: string | undefined): Outcome => ({
  issues: [
    {
      type: "unknown_id",
      loc: ["body"],
      msg:
        external_id === undefined
          ? "unknown_id: the row has no key"
          : `unknown_id: no ${type.name} has the external_id "${external_id}"`,
      input: external_id ?? null,
    },
  ],
});

/**
 * The records that have these external ids, or into which records with them were merged; with `byId` also
 * the records of which they are the ids. They are locked in the order of their ids. One record may be
 * found by several.
 */
async function findByExternalIds(
  scope: Scope<Tx>,
  type: RecordType,
  pending: readonly Pending[],
  byId: boolean,
): Promise<ReadonlyMap<string, Stored>> {
  const present = await findPresent(scope, type, pending);
  const missing = pending.flatMap(({ external_id }) =>
    external_id === undefined || present.has(external_id) ? [] : [external_id],
  );
  const merged = await currentByExternalIds(scope, type, missing);
  const ids = byId ? await currentIds(scope, type, missing) : new Map<string, string>();
  const current = new Map([
    ...(byId ? missing.map((id) => [id, id] as const) : []),
    ...ids,
    ...merged,
  ]);
  if (current.size === 0) return present;
  const known = new Map([...present.values()].map((one) => [String(one.body["_id"]), one]));
  const open = [...new Set(current.values())].filter((id) => !known.has(id));
  for (const [id, one] of await holdStored(scope, type, open)) known.set(id, one);
  const others = [...current].flatMap(([external_id, id]) => {
    const found = known.get(id);
    return found === undefined ? [] : [[external_id, found] as const];
  });
  return new Map([...present, ...others]);
}

async function findPresent(
  { db, tenantId }: Scope<Tx>,
  type: RecordType,
  pending: readonly Pending[],
): Promise<ReadonlyMap<string, Stored>> {
  const ids = pending.flatMap(({ external_id }) => external_id ?? []);
  if (ids.length === 0) return new Map();
  const rows = await run(db)`select external_id, body, internal from ${raw(type.table)}
         where tenant_id = ${tenantId} and external_id = any(${ids}::text[])
         order by id for update`;
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
  { at, input, closed_ts, onlyNew = [], partialLists: partial = [], notesIn }: Pending,
  { onChange, onNotesOmitted }: Pick<WriteOptions, "onChange" | "onNotesOmitted">,
): Promise<Outcome> {
  try {
    // A record that is found by what another was called keeps its own external id.
    const kept = found.body["external_id"] === input["external_id"] ? [] : ["external_id"];
    const silent = new Set([...onlyNew, ...kept]);
    const said = Object.entries(input).filter(([name]) => !silent.has(name));
    const noted =
      notesIn === undefined
        ? {}
        : withNotes(type, found.body, input, notesIn, () => onNotesOmitted?.(at));
    const given = meaningfulInput(type, { ...Object.fromEntries(said), ...noted });
    const { country } = author;
    const sent = withAddedEntries(type, found.body, given, { partial, country });
    const done = await patchStored(scope, deps, author, type, { found, sent, closed_ts });
    if (done === undefined) throw new Error("A record that is locked was changed");
    if (done === "unchanged") return "unchanged";
    onChange?.(at, found.body, JSON.parse(done.toString("utf8")) as JsonObject);
    return "updated";
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return { issues: error.issues };
  }
}

/** The text that a record has, and the lines of the notes that it lacks; without them if they do not fit. */
function withNotes(
  type: RecordType,
  before: JsonObject,
  input: JsonObject,
  name: string,
  onOmitted: () => void,
): JsonObject {
  const [text, notes] = [before[name], input[name]];
  if (typeof notes !== "string" || typeof text !== "string" || text === "") return {};
  const present = new Set(text.split("\n"));
  const missing = notes.split("\n").filter((line) => !present.has(line));
  const whole = [text, ...missing].join("\n");
  const field = type.fields[name];
  if (field?.kind !== "text" || [...whole].length <= field.max) return { [name]: whole };
  onOmitted();
  return { [name]: text };
}
