/**
 * Creates or updates many records of one type. If an external id exists, the input updates that record. Everything is
 * written in the caller's transaction, and new records are inserted with one statement. A rejected input does not
 * affect the others.
 */

import { raw } from "sql-template-tag";
import type { Scope } from "../../audit/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { run, type Tx } from "../../platform/database/index.ts";
import { ValidationError, type Issue } from "../../platform/errors/index.ts";
import type { JsonObject } from "../../platform/json/index.ts";
import { checker, type Check } from "../../platform/validation/index.ts";
import { checkedSchema, recordRules } from "../schemas/index.ts";
import { uniqueFields } from "../columns/index.ts";
import { withAddedEntries } from "../body/index.ts";
import { type RecordType } from "../types/index.ts";
import {
  groupReader,
  lockUnread,
  type Stored,
  UNREAD,
  type Unread,
  type Writer,
} from "../store/index.ts";
import {
  createMany,
  currentByExternalIds,
  currentIds,
  findAllByAnyId,
  meaningfulInput,
  type NewInput,
  patchStored,
  type TakenValue,
} from "../write/index.ts";
import { writeMany } from "./write-many.ts";

/** A body that has passed the checks for a new record. */
export interface UpsertInput extends NewInput {
  /** Fields that contain default values. An existing record keeps its own values in these fields. */
  readonly onlyNew?: readonly string[];
  /** Lists for which the input contains only some entries. They are added to the entries of an existing record. */
  readonly partialLists?: readonly string[];
  /** A text field that contains only notes. Its lines are appended to an existing record's text. */
  readonly notesIn?: string | undefined;
  /** Returns the input for an existing record, if it depends on the record. Throws ValidationError. */
  readonly forStored?: (body: JsonObject) => Omit<UpsertInput, "forStored">;
}

/** The result of writing one input. */
export type Outcome = UpsertResult | { readonly issues: readonly Issue[] };
type UpsertResult =
  | { readonly result: "created"; readonly id: string }
  | ({ readonly result: "unchanged" } & Noted)
  | ({ readonly result: "updated"; readonly id: string; readonly example?: UpdateExample } & Noted);

/** The values of an updated record that an example shows. */
export interface UpdateExample {
  readonly name: string | null;
  readonly before: JsonObject;
  readonly after: JsonObject;
}

interface Noted {
  /** Whether notes were omitted because they do not fit in the record's text field. */
  readonly isNoteOmitted: boolean;
}

/** What to write: only new records, only changes to existing records, or both. */
export const WRITE_MODES = ["create", "update", "upsert"] as const;
export type WriteMode = (typeof WRITE_MODES)[number];

export interface WriteOptions {
  readonly mode: WriteMode;
  /** Whether to look up an external id as a record id if no record has it as its external id. */
  readonly byId?: boolean | undefined;
  /** Creates the example of an update. If omitted, there are none. Whole bodies would take too much memory. */
  readonly exampleOf?: ((before: JsonObject, after: Buffer) => UpdateExample) | undefined;
}

/** Creates the check for bodies in this mode. It finds all issues except references to missing records. */
export const writeCheck = (type: RecordType, mode: WriteMode, clock: Clock): Check =>
  // The length of lists is checked later, because a list may be as long as the stored list that it replaces.
  checker(recordRules(clock))(checkedSchema(type, mode === "update" ? "patch" : "create", true));

interface Pending extends UpsertInput {
  readonly external_id: string | undefined;
}

/**
 * Creates or updates records. Returns one outcome per input, in the same order. Inputs with the same external id or for
 * the same record are written one after another. If another transaction writes the same unique value at the same time,
 * the caller's transaction fails (23505) and must be retried.
 */
export function upsertRecords(
  writer: Writer<Tx>,
  inputs: readonly UpsertInput[],
  { mode, byId = false, exampleOf }: WriteOptions,
): Promise<readonly Outcome[]> {
  const { scope, type } = writer;
  const changed = new Set<Unread>();
  let read = groupReader(scope, type, []);
  const pending = inputs.map((given): Pending => {
    const { external_id } = given.input;
    return { ...given, external_id: typeof external_id === "string" ? external_id : undefined };
  });
  return writeMany<Pending, Unread, Outcome>(pending, {
    keysOf: ({ external_id }) => (external_id === undefined ? [] : [external_id]),
    find: async (some) => {
      const locked = await findByExternalIds(writer, some, byId);
      const foundFor = ({ external_id }: Pending) =>
        external_id === undefined ? undefined : locked.get(external_id);
      read = groupReader(scope, type, new Set(some.flatMap((one) => foundFor(one) ?? [])));
      return foundFor;
    },
    create: async (fresh) =>
      mode === "update"
        ? fresh.map(({ external_id }) => unknownId(type, external_id))
        : createNew(writer, fresh),
    change: async (one, found) => {
      if (mode === "create") return existingId(type, one, found);
      // An earlier input has changed the record since it was looked up, so it must be looked up again.
      if (changed.has(found)) return undefined;
      changed.add(found);
      return updateOne(writer, await read(found), { ...one, exampleOf });
    },
  });
}

function existingId(type: RecordType, { external_id }: Pending, { id }: Unread): Outcome {
  const key = external_id === id ? "this _id" : `the external_id "${external_id}"`;
  const msg = `existing_id: the ${type.name} ${id} already has ${key}`;
  return { issues: [{ type: "value_error", loc: ["body"], msg, input: external_id ?? null }] };
}

const unknownId = (type: RecordType, external_id: string | undefined): Outcome => ({
  issues: [
    {
      type: "value_error",
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
 * Finds the records with these external ids. If a merged record had one of them, finds its survivor. With `byId`,
 * external ids that are not found are looked up as record ids. Locks the records in the order of their ids. Several
 * external ids may refer to the same record.
 */
async function findByExternalIds(
  { scope, type }: Writer<Tx>,
  pending: readonly Pending[],
  byId: boolean,
): Promise<ReadonlyMap<string, Unread>> {
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
  const known = new Map([...present.values()].map((one) => [one.id, one]));
  const found = await findAllByAnyId(scope, type, new Set(current.values()), async (some) => {
    const open = some.filter((id) => !known.has(id));
    for (const [id, one] of await lockUnread(scope, type, open)) known.set(id, one);
    return known;
  });
  const others = [...current].flatMap(([external_id, id]) => {
    const one = found.get(id);
    return one === undefined ? [] : [[external_id, one] as const];
  });
  return new Map([...present, ...others]);
}

async function findPresent(
  { db, tenantId }: Scope<Tx>,
  type: RecordType,
  pending: readonly Pending[],
): Promise<ReadonlyMap<string, Unread>> {
  const ids = pending.flatMap(({ external_id }) => external_id ?? []);
  if (ids.length === 0) return new Map();
  const rows = await run<(Unread & { readonly external_id: string })[]>(db)`
        select external_id, ${UNREAD} from ${raw(type.table)}
         where tenant_id = ${tenantId} and external_id = any(${ids}::text[])
         order by id for update`;
  return new Map(rows.map((row) => [row.external_id, row]));
}

/** Creates records. Their external ids have already been looked up. */
async function createNew(
  writer: Writer<Tx>,
  inputs: readonly Pending[],
): Promise<readonly Outcome[]> {
  const unique = uniqueFields(writer.type).filter((name) => name !== "external_id");
  const created = await createMany(writer, { inputs, unique, isPartial: false });
  return created.map((one): Outcome => {
    if ("id" in one) return { result: "created", id: one.id };
    if ("issues" in one) return one;
    if ("refused" in one) throw one.refused;
    return { issues: one.taken.map((taken) => takenIssue(writer.type, taken)) };
  });
}

const takenIssue = (type: RecordType, { name, value }: TakenValue): Issue => ({
  type: "conflict",
  loc: ["body", name],
  msg: `Another ${type.name} already has the ${name} "${value}"`,
  input: value,
});

async function updateOne(
  writer: Writer<Tx>,
  found: Stored,
  { exampleOf, ...given }: Pending & Pick<WriteOptions, "exampleOf">,
): Promise<Outcome> {
  const { type, author } = writer;
  try {
    const own = given.forStored?.(found.body) ?? given;
    const { input, closed_ts, onlyNew = [], partialLists: partial = [], notesIn } = own;
    // If a record was found by a merged record's external id, it keeps its own external id.
    const old = found.body["external_id"] === input["external_id"] ? [] : ["external_id"];
    const silent = new Set([...onlyNew, ...old]);
    const said = Object.entries(input).filter(([name]) => !silent.has(name));
    const { isNoteOmitted, noted } = withNotes(type, found.body, input, notesIn);
    const meant = meaningfulInput(type, { ...Object.fromEntries(said), ...noted });
    const { country } = author;
    const sent = withAddedEntries(type, found.body, meant, { partial, country });
    const done = await patchStored(writer, { found, sent, closed_ts });
    if (done === "unchanged") return { result: done, isNoteOmitted };
    const id = String(found.body["_id"]);
    const example = exampleOf && { example: exampleOf(found.body, done) };
    return { result: "updated", isNoteOmitted, id, ...example };
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return { issues: error.issues };
  }
}

/** Appends missing lines of the notes to the record's text field. If they do not fit, leaves the field unchanged. */
function withNotes(
  type: RecordType,
  before: JsonObject,
  input: JsonObject,
  name = "",
): Noted & { readonly noted: JsonObject } {
  const text = before[name];
  const notes = input[name];
  if (typeof notes !== "string" || typeof text !== "string" || text === "") {
    return { isNoteOmitted: false, noted: {} };
  }
  const present = new Set(text.split("\n"));
  const missing = notes.split("\n").filter((line) => !present.has(line));
  const whole = [text, ...missing].join("\n");
  const field = type.fields[name];
  const isNoteOmitted = field?.kind === "text" && [...whole].length > field.max;
  return { isNoteOmitted, noted: { [name]: isNoteOmitted ? text : whole } };
}
