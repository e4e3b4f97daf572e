/** Creating records: input → draft → body → one statement (D3, D1.7). */

import { changedFields, isInTx, type ChangedFields, type Scope } from "../../audit/index.ts";
import { type Clock, epochSeconds, type MakeId } from "../../platform/clock/index.ts";
import { isDuplicate, transaction, type Tx } from "../../platform/database/index.ts";
import { AppError } from "../../platform/errors/index.ts";
import type { JsonObject } from "../../platform/json/index.ts";
import type { Sealer } from "../../platform/secrets/index.ts";
import { type RecordName, type RecordType } from "../types/index.ts";
import {
  type CountryCode,
  type Draft,
  draftOf,
  type Internal,
  isSsn,
  present,
  readOnlyNames,
  sealSsn,
  takeNumber,
  uniqueFields,
  type Values,
  withLists,
} from "../shape/index.ts";
import { findPeople, isForeign, ownerIn } from "./owners.ts";
import { findNames, namesIn, referencesOf, withKnownIds, type KnownNames } from "./references.ts";
import { insertRecord, insertRecords } from "./statements.ts";
import { findByUnique } from "./find-record.ts";
import type { Writing } from "./statement-values.ts";
import type { Author } from "./author.ts";

/** What writing needs beside the scope. */
export interface WriteDeps {
  readonly clock: Clock;
  readonly makeId: MakeId;
  readonly sealer: Sealer;
  readonly onCreation?: CreationHook | undefined;
}

/** A record that is about to be stored. */
export interface NewRecord {
  readonly id: string;
  readonly draft: Draft;
}

/**
 * What others than the records themselves know of new ones, in the transaction that stores them: it
 * answers, in the same order, the values that no caller sets (`set_elsewhere`).
 */
export interface CreationHook {
  readonly types: readonly RecordName[];
  readonly run: (
    scope: Scope<Tx>,
    type: RecordType,
    author: Author,
    records: readonly NewRecord[],
  ) => Promise<readonly Values[]>;
}

/** Creates one record of checked input; its body as bytes. Throws 409 and, for references, 422. */
export async function createRecord(
  scope: Scope,
  deps: WriteDeps,
  author: Author,
  type: RecordType,
  input: JsonObject,
): Promise<Buffer> {
  const secret = secretDraft(type, input, author.country);
  const create = (within: Scope) => createDraft(within, deps, author, type, secret);
  try {
    // Inside a transaction as a part of it, which can fail and the reason still be asked for.
    return await (isInTx(scope) && hasUnique(type, secret.draft.values)
      ? transaction(scope.db, (db) => create({ ...scope, db }))
      : create(scope));
  } catch (error) {
    throw isDuplicate(error) ? await conflictOf(scope, type, [secret.draft.values]) : error;
  }
}

/** Creates the record of a draft; its body as bytes. Fails as `createDrafts` does. */
export const createDraft = (
  scope: Scope,
  deps: WriteDeps,
  author: Author,
  type: RecordType,
  secret: SecretDraft,
): Promise<Buffer> =>
  withWritings(scope, deps, author, type, [secret], async (within, [only], writing) =>
    insertRecord(within, deps.makeId, type, writing(only as SecretDraft & NewRecord)),
  );

/** Whether a value is among these that another record may hold already. */
export const hasUnique = (type: RecordType, values: Values): boolean =>
  uniqueFields(type).some((name) => typeof values[name] === "string");

/**
 * The draft of checked input. A moment of closing that is given is kept (D10.4). Throws 422 for lists that
 * contradict the rest of it.
 */
export function secretDraft(
  type: RecordType,
  input: JsonObject,
  country: CountryCode,
  closed_ts?: number,
): SecretDraft {
  // What other operations set stays theirs: nobody creates a lead that a partner is paid for.
  const readOnly = readOnlyNames(type);
  const own = Object.fromEntries(Object.entries(input).filter(([name]) => !readOnly.has(name)));
  const sent = withLists(type, own, country);
  return { draft: closedAt(draftOf(type, sent), closed_ts), ssn: ssnOf(type, sent) };
}

/** A draft of a deal that was closed at a known moment, which is kept (D10.4). */
export const closedAt = (draft: Draft, closed_ts: number | undefined): Draft =>
  closed_ts === undefined
    ? draft
    : {
        values: { ...draft.values, close_date: closed_ts },
        stands: [...new Set([...draft.stands, "close_date"])],
      };

/** A draft with the secret that its values only show masked. */
export interface SecretDraft {
  readonly draft: Draft;
  readonly ssn: string | undefined;
}

const ssnOf = (type: RecordType, input: JsonObject): string | undefined => {
  const value = type.fields["ssn"] === undefined ? undefined : input["ssn"];
  return typeof value === "string" && isSsn(value) ? value : undefined;
};

/**
 * Creates records of one type; their ids, in the order of the drafts. A value that is there already and
 * must be unique fails the transaction as the database tells it (23505). They are inserted in the order of
 * their unique values, so that of two who write the same ones none waits crosswise.
 */
export const createDrafts = (
  scope: Scope,
  deps: WriteDeps,
  author: Author,
  type: RecordType,
  drafts: readonly SecretDraft[],
): Promise<readonly string[]> =>
  withWritings(scope, deps, author, type, drafts, async (within, records, writing) => {
    const ordered = inOrderOfUnique(type, records);
    await insertRecords(within, deps.makeId, type, ordered.values().map(writing));
    return records.map(({ id }) => id);
  });

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

/** Prepares new records, in a transaction where one is needed, and hands them on to be stored. */
async function withWritings<T>(
  scope: Scope,
  deps: WriteDeps,
  author: Author,
  type: RecordType,
  drafts: readonly SecretDraft[],
  store: (
    within: Scope,
    records: readonly (SecretDraft & NewRecord)[],
    writing: (record: SecretDraft & NewRecord) => Writing,
  ) => Promise<T>,
): Promise<T> {
  const numbered = await takeNumbers(scope, type, drafts);
  const hook = deps.onCreation?.types.includes(type.name) === true ? deps.onCreation : undefined;
  const needsTx =
    drafts.length > 1 ||
    hook !== undefined ||
    numbered.some(
      ({ draft }) => referencesOf(type, draft.values).length > 0 || isForeign(draft, author),
    );
  const write = async (within: Scope): Promise<T> => {
    const around = await surroundingsOf(within, author, type, numbered);
    const identified = numbered.map(({ ssn, draft: { values, stands } }) => ({
      id: deps.makeId(),
      draft: { values: withKnownIds(around.known, type, values), stands },
      ssn,
    }));
    const told = await hook?.run(within as Scope<Tx>, type, author, identified);
    const records = identified.map((record, at) => withValues(record, told?.[at]));
    return store(within, records, (record) =>
      writingOf(within, deps, author, type, record, around),
    );
  };
  return needsTx && !isInTx(scope)
    ? transaction(scope.db, (tx) => write({ ...scope, db: tx }))
    : write(scope);
}

const withValues = <R extends NewRecord>(record: R, values: Values = {}): R => ({
  ...record,
  draft: { ...record.draft, values: { ...record.draft.values, ...values } },
});

async function takeNumbers(
  scope: Scope,
  type: RecordType,
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

/** What the bodies of new records show of others, looked up once for all of them. */
interface SharedSurroundings {
  readonly known: KnownNames;
  /** Names of the persons who own records, by id. */
  readonly people: ReadonlyMap<string, string>;
}

async function surroundingsOf(
  scope: Scope,
  author: Author,
  type: RecordType,
  drafts: readonly SecretDraft[],
): Promise<SharedSurroundings> {
  const references = drafts.flatMap(({ draft }) => referencesOf(type, draft.values));
  const known =
    references.length === 0 ? new Map() : await findNames(scope as Scope<Tx>, references);
  const foreign = drafts.filter(({ draft }) => isForeign(draft, author));
  const userids = foreign.map(({ draft }) => String(draft.values["userid"]));
  return { known, people: await findPeople(scope, userids) };
}

function writingOf(
  scope: Scope,
  deps: WriteDeps,
  author: Author,
  type: RecordType,
  { id, draft, ssn }: SecretDraft & NewRecord,
  { known, people }: SharedSurroundings,
): Writing {
  const names = namesIn(known, referencesOf(type, draft.values));
  const body = present(type, draft, {
    id,
    now_s: epochSeconds(deps.clock),
    country: author.country,
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

/** What the history tells: the fields that changed, without copies and without what is empty. */
export const loggedFields = (
  type: RecordType,
  before: JsonObject,
  after: JsonObject,
): ChangedFields =>
  changedFields(before, after, (name, old, now) => {
    if (name === "_id" || name === "id" || type.derived[name]?.kind === "copy") return false;
    return !(old === null && Array.isArray(now) && now.length === 0);
  });

export const takenSentence = (name: string): string =>
  `There is already a record of this type with this ${name}`;

/** A value that must be unique was there already: which, and whose (D1.5). */
export async function conflictOf(
  scope: Scope,
  type: RecordType,
  values: readonly Values[],
): Promise<AppError> {
  for (const name of uniqueFields(type)) {
    for (const { [name]: value } of values) {
      if (typeof value !== "string") continue;
      const existing_id = await findByUnique(scope, type, name, value);
      if (existing_id === undefined) continue;
      return new AppError("conflict", { detail: takenSentence(name), members: { existing_id } });
    }
  }
  return new AppError("conflict", { detail: "Two of the records share a value that is unique" });
}
