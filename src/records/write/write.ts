/** Creates records: input → draft → body → one statement. */

import { setImmediate as nextTurn } from "node:timers/promises";
import { changedFields, type ChangedFields, isInTx } from "../../audit/index.ts";
import { epochSeconds } from "../../platform/clock/index.ts";
import { inOrder } from "../../platform/database/index.ts";
import { isDuplicate } from "../../platform/failed-statements/index.ts";
import { ValidationError, type Issue } from "../../platform/errors/index.ts";
import type { Fault } from "../../platform/validation/index.ts";
import type { JsonObject } from "../../platform/json/index.ts";
import { isSsn } from "../kinds/index.ts";
import { type RecordType } from "../types/index.ts";
import { conditionFaults, readOnlyNames } from "../schemas/index.ts";
import {
  type Draft,
  draftOf,
  type Internal,
  present,
  type Values,
  sealSsn,
} from "../body/index.ts";
import { takeNumber } from "./counters.ts";
import { uniqueFields } from "../columns/index.ts";
import { conflictOf, hasUnique } from "./conflicts.ts";
import { findPeople, isForeign, ownerIn } from "./owners.ts";
import { findNames, namesIn, referencesOf, withKnownIds, type KnownNames } from "./references.ts";
import {
  inTransaction,
  isWriterInTx,
  type NewRecord,
  participantsIn,
  type RecordWrite,
  store,
  type Writer,
} from "../store/index.ts";

/**
 * Creates a record from checked input and returns its body as bytes. Throws 409 for a unique value that is taken, and
 * 422 for references to missing records.
 */
export async function createRecord(writer: Writer, input: JsonObject): Promise<Buffer> {
  const { type } = writer;
  const secret = secretDraft(writer, input);
  try {
    // Inside a transaction, use a savepoint, so that the conflicting record can be looked up after a failure.
    return await (isWriterInTx(writer) && hasUnique(type, secret.draft.values)
      ? inTransaction(writer, (within) => createDraft(within, secret))
      : createDraft(writer, secret));
  } catch (error) {
    throw isDuplicate(error) ? await conflictOf(writer, [secret.draft.values]) : error;
  }
}

/** Creates a record from a draft and returns its body as bytes. Fails like `createDrafts`. */
export async function createDraft(writer: Writer, secret: SecretDraft): Promise<Buffer> {
  const numbered = await takeNumbers(writer, [secret]);
  return inTransactionFor(writer, numbered, async (within) => {
    const records = await newRecords(within, numbered);
    const stored = await store(within, { kind: "created", records: records.map(build) });
    return stored.body;
  });
}

/**
 * Returns the draft for checked input, with the close time if one is given. Throws 422 for lists that contradict other
 * members, and for values that another field's value rules out.
 */
export function secretDraft(
  { type, author }: Pick<Writer, "type" | "author">,
  input: JsonObject,
  closed_ts?: number,
): SecretDraft {
  // Callers cannot set values that only other operations set, such as a lead's partner.
  const readOnly = readOnlyNames(type);
  const own = Object.fromEntries(Object.entries(input).filter(([name]) => !readOnly.has(name)));
  const draft = draftOf(type, own, author.country);
  refuseFaults(draft.values, conditionFaults(type, draft.values));
  return { draft: closedAt(draft, closed_ts), ssn: ssnOf(type, own) };
}

/** Throws 422 if there are faults in a record's values. */
export function refuseFaults(values: Values, faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  throw new ValidationError(
    faults.map(({ at = "", ...fault }): Issue => ({
      loc: ["body", at],
      input: values[at] ?? null,
      ...fault,
    })),
  );
}

/** Returns a deal's draft with the given close time. */
export const closedAt = (draft: Draft, closed_ts: number | undefined): Draft =>
  closed_ts === undefined
    ? draft
    : {
        values: { ...draft.values, close_date: closed_ts },
        stands: [...new Set([...draft.stands, "close_date"])],
      };

/** A draft and its SSN. The draft's values contain the SSN only in masked form. */
export interface SecretDraft {
  readonly draft: Draft;
  readonly ssn: string | undefined;
}

const ssnOf = (type: RecordType, input: JsonObject): string | undefined => {
  const value = type.fields["ssn"] === undefined ? undefined : input["ssn"];
  return typeof value === "string" && isSsn(value) ? value : undefined;
};

/**
 * Creates records of one type and returns their ids in the order of the drafts. If a unique value is taken, the
 * transaction fails with the database's error (23505). Records are inserted in the order of their unique values, so
 * that two transactions that write the same values cannot deadlock.
 */
export async function createDrafts(
  writer: Writer,
  drafts: readonly SecretDraft[],
): Promise<readonly string[]> {
  const numbered = await takeNumbers(writer, drafts);
  return inTransactionFor(writer, numbered, async (within) => {
    const records = await newRecords(within, numbered);
    await storeInTurn(within, inOrderOfUnique(writer.type, records));
    return records.map(({ id }) => id);
  });
}

/** Records per statement. The next records are built while PostgreSQL inserts these. */
const AT_ONCE = 100;

/** Stores new records. More than AT_ONCE records require a transaction. */
async function storeInTurn(writer: Writer, records: readonly Prepared[]): Promise<void> {
  const sent: Promise<unknown>[] = [];
  for (let at = 0; at < records.length; at += AT_ONCE) {
    const built = records.slice(at, at + AT_ONCE).map(build);
    const stored = store(writer, { kind: "created", records: built });
    // If an insert fails, the error is thrown when all inserts are awaited. Until then, prevent an unhandled rejection.
    stored.catch(() => undefined);
    sent.push(stored);
    await nextTurn();
  }
  await inOrder(...sent);
}

function inOrderOfUnique<R extends NewRecord>(
  type: RecordType,
  records: readonly R[],
): readonly R[] {
  const names = uniqueFields(type);
  const keyOf = ({ draft: { values } }: R): string =>
    names.map((name) => String(values[name] ?? "")).join("\0");
  return records
    .map((record) => ({ record, key: keyOf(record) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
    .map(({ record }) => record);
}

/** Runs `work` in a transaction if the drafts need more than one statement. */
function inTransactionFor<T>(
  writer: Writer,
  drafts: readonly SecretDraft[],
  work: (within: Writer) => Promise<T>,
): Promise<T> {
  const { type, author } = writer;
  const needsTx =
    drafts.length > 1 ||
    participantsIn(writer, "complete").length > 0 ||
    drafts.some(
      ({ draft }) => referencesOf(type, draft.values).length > 0 || isForeign(draft, author),
    );
  return needsTx && !isWriterInTx(writer) ? inTransaction(writer, work) : work(writer);
}

/** A new record. Its body is built just before it is stored. */
interface Prepared extends NewRecord {
  readonly build: () => RecordWrite;
}

const build = (record: Prepared): RecordWrite => record.build();

/** Converts drafts to records. Looks up shared data only once. */
async function newRecords(
  writer: Writer,
  drafts: readonly SecretDraft[],
): Promise<readonly Prepared[]> {
  const { type, deps } = writer;
  const around = await surroundingsOf(writer, drafts);
  let records = drafts.map(({ ssn, draft: { values, stands } }) => ({
    id: deps.makeId(),
    draft: { values: withKnownIds(around.known, type, values), stands },
    ssn,
  }));
  if (isWriterInTx(writer)) {
    for (const complete of participantsIn(writer, "complete")) {
      const added = await complete(writer, records);
      records = records.map((record, at) => withValues(record, added[at]));
    }
  }
  return records.map((record) => ({ ...record, build: () => writingOf(writer, record, around) }));
}

const withValues = <R extends NewRecord>(record: R, values: Values = {}): R => ({
  ...record,
  draft: { ...record.draft, values: { ...record.draft.values, ...values } },
});

async function takeNumbers(
  { scope, type }: Writer,
  drafts: readonly SecretDraft[],
): Promise<readonly SecretDraft[]> {
  const sequence = Object.entries(type.derived).find(([, { kind }]) => kind === "sequence");
  if (sequence === undefined) return drafts;
  const [name, derived] = sequence;
  if (derived.kind !== "sequence") return drafts;
  const last = await takeNumber(scope, `${type.name}.${name}`, derived.start, drafts.length);
  return drafts.map(({ draft, ssn }, at) => {
    const number = `${derived.prefix}${last - drafts.length + 1 + at}`;
    return { draft: { ...draft, values: { ...draft.values, [name]: number } }, ssn };
  });
}

/** Data from other records that the bodies of the new records contain. Looked up once for all of them. */
interface SharedSurroundings {
  readonly known: KnownNames;
  /** The names of the owners, by id. */
  readonly people: ReadonlyMap<string, string>;
}

async function surroundingsOf(
  { scope, author, type }: Writer,
  drafts: readonly SecretDraft[],
): Promise<SharedSurroundings> {
  const references = drafts.flatMap(({ draft }) => referencesOf(type, draft.values));
  const isReferring = references.length > 0 && isInTx(scope);
  const known = isReferring ? await findNames(scope, references) : new Map();
  const foreign = drafts.filter(({ draft }) => isForeign(draft, author));
  const userids = foreign.map(({ draft }) => String(draft.values["userid"]));
  return { known, people: await findPeople(scope, userids) };
}

function writingOf(
  { scope, deps, author, type }: Writer,
  { id, draft, ssn }: SecretDraft & NewRecord,
  { known, people }: SharedSurroundings,
): RecordWrite {
  const names = namesIn(known, referencesOf(type, draft.values));
  const body = present(type, draft, {
    id,
    now_s: epochSeconds(deps.clock),
    owner: ownerIn(people, draft, author),
    createdBy: author.person.id,
    names,
  });
  const internal: Internal = {
    ...(ssn !== undefined && { ssn: sealSsn(deps.sealer, scope.tenantId, id, ssn) }),
    ...(draft.stands.length > 0 && { stands: draft.stands }),
  };
  return { id, body, internal, fields: loggedFields(type, {}, body) };
}

/** Returns the changed fields to log, without copied members and empty values. */
export const loggedFields = (
  type: RecordType,
  before: JsonObject,
  after: JsonObject,
): ChangedFields =>
  changedFields(before, after, (name, old, now) => {
    if (name === "_id" || name === "id" || type.derived[name]?.kind === "copy") return false;
    return !(old === null && Array.isArray(now) && now.length === 0);
  });
