/** Creating and changing records: input → draft → body → one statement (D3, D1.7–D1.8). */

import { setTimeout as delay } from "node:timers/promises";
import { changedFields, type ChangedFields, type Scope } from "../audit/index.ts";
import { epochSeconds, type Clock } from "../platform/clock.ts";
import { isDuplicate, transaction, type Db, type Tx } from "../platform/db.ts";
import { AppError, ValidationError, type Issue } from "../platform/errors.ts";
import type { MakeId } from "../platform/ids.ts";
import { sameJson, type Json, type JsonObject } from "../platform/json.ts";
import type { Sealer } from "../platform/sealing.ts";
import { uniqueFields } from "./columns.ts";
import type { RecordType } from "./define.ts";
import type { CountryCode } from "./phone.ts";
import {
  draftOf,
  patchedDraft,
  patchInput,
  present,
  storedDraft,
  type Draft,
  type Internal,
  type Values,
} from "./present.ts";
import {
  findNames,
  namesIn,
  referencesOf,
  resolveReferences,
  type KnownNames,
} from "./references.ts";
import { isFollowed, queueRename } from "./renames.ts";
import { dateFaults } from "./rules.ts";
import { frozenNames, readOnlyNames } from "./schemas.ts";
import { isMasked, isSsn, openSsn, sealSsn, spellSsn } from "./ssn.ts";
import {
  findByUnique,
  findStored,
  insertRecords,
  takeNumber,
  updateRecord,
  type Stored,
  type Writing,
} from "./store.ts";

/** What writing needs beside the scope. */
export interface WriteDeps {
  readonly clock: Clock;
  readonly makeId: MakeId;
  readonly sealer: Sealer;
}

/** On whose behalf: the tenant's country, and the person who owns what is created. */
export interface Author {
  readonly country: CountryCode;
  readonly person: { readonly id: string; readonly name: string };
}

/** How often a PATCH is tried anew when others change the record at the same time. */
const ATTEMPTS = 12;
const LOCKED_FROM = 3;

/** Creates one record of checked input; its body as bytes. Throws 409 and, for references, 422. */
export async function createRecord(
  scope: Scope,
  deps: WriteDeps,
  author: Author,
  type: RecordType,
  input: JsonObject,
): Promise<Buffer> {
  const [bytes] = await createDrafts(scope, deps, author, type, [secretDraft(type, input)]);
  return bytes as Buffer;
}

/** The draft of checked input. A moment of closing that is given is kept (D10.4). */
export function secretDraft(type: RecordType, input: JsonObject, closed_ts?: number): SecretDraft {
  // What other operations set stays theirs: nobody creates a lead that a partner is paid for.
  const readOnly = new Set(readOnlyNames(type));
  const sent = Object.fromEntries(Object.entries(input).filter(([name]) => !readOnly.has(name)));
  return { draft: closedAt(draftOf(type, sent), closed_ts), ssn: ssnOf(type, sent) };
}

/** A draft of a deal that was closed at a known moment, which is kept (D10.4). */
const closedAt = (draft: Draft, closed_ts: number | undefined): Draft =>
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

/** Creates records of one type in one statement: all of them, or none. */
export async function createDrafts(
  scope: Scope,
  deps: WriteDeps,
  author: Author,
  type: RecordType,
  drafts: readonly SecretDraft[],
): Promise<readonly Buffer[]> {
  const numbered = await takeNumbers(scope, type, drafts);
  const needsLocks = numbered.some(
    ({ draft }) => referencesOf(type, draft.values).length > 0 || isForeign(draft, author),
  );
  const write = async (within: Scope): Promise<readonly Buffer[]> => {
    const around = await surroundingsOf(within, author, type, numbered);
    const writings = numbered.map((secret) =>
      writingOf(within, deps, author, type, secret, around),
    );
    return insertRecords(within, deps.makeId, type, writings);
  };
  try {
    return needsLocks && !isTx(scope)
      ? await transaction(scope.db as Db, (tx) => write({ ...scope, db: tx }))
      : await write(scope);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw await conflictOf(
      scope,
      type,
      drafts.map(({ draft }) => draft.values),
      error,
    );
  }
}

/** Whether a scope is inside a transaction already: only a pool can begin one. */
export const isTx = (scope: Scope): scope is Scope<Tx> => !("begin" in scope.db);

/** A task for somebody else than the person who creates it (D7). */
const isForeign = ({ values }: Draft, { person }: Author): boolean =>
  typeof values["userid"] === "string" && values["userid"] !== person.id;

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
  const known = references.length === 0 ? new Map() : await findNames(scope as Scope<Tx>, references);
  const foreign = drafts.filter(({ draft }) => isForeign(draft, author));
  const userids = foreign.map(({ draft }) => String(draft.values["userid"]));
  return { known, people: await findPeople(scope, userids) };
}

function writingOf(
  scope: Scope,
  deps: WriteDeps,
  author: Author,
  type: RecordType,
  { draft, ssn }: SecretDraft,
  { known, people }: SharedSurroundings,
): Writing {
  const id = deps.makeId();
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

async function findPeople({ db, tenantId }: Scope, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, string>();
  const rows = await db<{ id: string; name: string }[]>`
    select id, name from people where tenant_id = ${tenantId} and id = any(${[...ids]}::text[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The person a record belongs to; a name is known only for persons of the tenant. */
function ownerIn(people: ReadonlyMap<string, string>, { values }: Draft, { person }: Author) {
  const userid = values["userid"] ?? null;
  if (typeof userid !== "string" || userid === person.id) {
    return { userid: person.id, user_name: person.name };
  }
  return { userid, user_name: people.get(userid) ?? null };
}

const ownerOf = async (scope: Scope, draft: Draft, author: Author) =>
  ownerIn(
    await findPeople(scope, isForeign(draft, author) ? [String(draft.values["userid"])] : []),
    draft,
    author,
  );

/** What the history tells: the fields that changed, without copies and without what is empty. */
function loggedFields(type: RecordType, before: JsonObject, after: JsonObject): ChangedFields {
  const changed = changedFields(before, after);
  const told = Object.entries(changed).filter(([name, [old, now]]) => {
    if (name === "_id" || name === "id" || type.derived[name]?.kind === "copy") return false;
    return !(old === null && Array.isArray(now) && now.length === 0);
  });
  return Object.fromEntries(told);
}

/** A value that must be unique was there already: which, and whose (D1.5). */
async function conflictOf(
  scope: Scope,
  type: RecordType,
  values: readonly Values[],
  error: unknown,
): Promise<unknown> {
  if (isTx(scope)) return error;
  for (const name of uniqueFields(type)) {
    for (const { [name]: value } of values) {
      if (typeof value !== "string") continue;
      const existing_id = await findByUnique(scope, type, name, value);
      if (existing_id === undefined) continue;
      const detail = `There is already a record of this type with this ${name}`;
      return new AppError("conflict", { detail, members: { existing_id } });
    }
  }
  return new AppError("conflict", { detail: "Two of the records share a value that is unique" });
}

/** Names in a PATCH that say nothing (D1.7); what is left decides whether it is empty (D1.8). */
export function meaningfulInput(type: RecordType, input: JsonObject): Values {
  return patchInput(type, input, new Set(readOnlyNames(type)));
}

/** Changes a record of checked input; its body as bytes. Throws 404, 409, and 422. */
export async function patchRecord(
  scope: Scope<Db>,
  deps: WriteDeps,
  author: Author,
  type: RecordType,
  id: string,
  input: JsonObject,
): Promise<Buffer> {
  const sent = meaningfulInput(type, input);
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (attempt > 0) await delay(Math.random() * 2 ** attempt);
      // Crowded records are queued for, instead of being tried for ever.
      const bytes =
        attempt >= LOCKED_FROM || reachesOthers(type, sent)
          ? await transaction(scope.db, (tx) =>
              tryPatch({ ...scope, db: tx }, deps, author, type, id, sent),
            )
          : await tryPatch(scope, deps, author, type, id, sent);
      if (bytes !== undefined) return bytes;
    }
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw await conflictOf(scope, type, [sent], error);
  }
  throw new AppError("conflict", { detail: "The record is being changed by others; try again" });
}

/** Whether a change looks at other records, or others must follow it: then it is a transaction. */
const reachesOthers = (type: RecordType, sent: Values): boolean =>
  Object.keys(sent).some(
    (name) =>
      type.fields[name]?.kind === "reference" ||
      name === type.subject?.type ||
      name === type.subject?.id ||
      (name === "name" && isFollowed(type)),
  );

/** One attempt; undefined where somebody else changed the record in between. */
async function tryPatch(
  scope: Scope,
  deps: WriteDeps,
  author: Author,
  type: RecordType,
  id: string,
  sent: Values,
): Promise<Buffer | undefined> {
  const found = await findStored(scope, type, id, { lock: isTx(scope) });
  if (found === undefined) throw new AppError("not_found");
  const done = await patchStored(scope, deps, author, type, { found, sent });
  return done === "unchanged" ? found.bytes : done;
}

/** A record as it was found, and what a PATCH of it says. */
export interface Patching {
  readonly found: Stored;
  readonly sent: Values;
  /** The moment at which a deal was closed, where an import knows it (D10.4); epoch seconds. */
  readonly closed_ts?: number | undefined;
}

/**
 * Changes a record that was found; undefined where somebody else changed it in between. Throws 422,
 * also where a reference names nothing.
 */
export async function patchStored(
  scope: Scope,
  deps: WriteDeps,
  author: Author,
  type: RecordType,
  { found, sent, closed_ts }: Patching,
): Promise<Buffer | "unchanged" | undefined> {
  const changes = await changesOf(scope, deps, type, found, sent, closed_ts);
  if (changes === undefined) return "unchanged";
  const { draft, internal } = changes;
  const id = String(found.body["_id"]);
  const references = referencesOf(type, draft.values);
  const names = isTx(scope) ? await resolveReferences(scope, references) : storedNames(type, found);
  const owner =
    "userid" in sent
      ? await ownerOf(scope, draft, author)
      : { userid: String(found.body["userid"]), user_name: found.body["user_name"] as string };
  const body = present(type, draft, {
    id,
    now_s: epochSeconds(deps.clock),
    country: author.country,
    owner,
    createdBy: String(found.body["created_by_userid"]),
    names,
    // A close date that is given stands, also where the deal was closed another way before.
    stored: closed_ts === undefined ? found.body : { ...found.body, close_date: null },
  });
  const { statusField } = type;
  if (isTx(scope) && isFollowed(type) && body["name"] !== found.body["name"]) {
    await queueRename(scope, deps.makeId, type, id);
  }
  return updateRecord(scope, deps.makeId, type, {
    stored: found,
    next: { id, body, internal, fields: patchedFields(type, found, { body, internal }) },
    touch: { updated: true, status: body[statusField] !== found.body[statusField] },
    action: "updated",
  });
}

/** The stored body without its stamps against the new one. */
function patchedFields(
  type: RecordType,
  before: Stored,
  after: { readonly body: Values; readonly internal: Internal },
): ChangedFields {
  const kept = Object.entries(before.body).filter(([name]) => name in after.body);
  const fields = loggedFields(type, Object.fromEntries(kept), after.body);
  // Two numbers may share their mask; that one took the other's place is told all the same.
  return before.internal.ssn === after.internal.ssn
    ? fields
    : { ...fields, ssn: [before.body["ssn"] ?? null, after.body["ssn"] ?? null] };
}

const storedNames = (type: RecordType, { body }: Stored): Readonly<Record<string, string | null>> =>
  Object.fromEntries(
    Object.entries(type.derived).flatMap(([name, derived]) =>
      derived.kind === "name_of" ? [[derived.reference, body[name] as string | null]] : [],
    ),
  );

/** What a PATCH changes: the new draft, or undefined where nothing differs (D1.8). */
async function changesOf(
  scope: Scope,
  { sealer }: WriteDeps,
  type: RecordType,
  stored: Stored,
  sent: Values,
  closed_ts: number | undefined,
): Promise<{ draft: Draft; internal: Internal } | undefined> {
  refuseFrozen(type, stored.body, sent);
  const { ssn: secret, ...plain } = sent;
  const seal = "ssn" in sent ? newSeal(scope, sealer, stored, secret ?? null) : undefined;
  const before = storedDraft(type, stored.body, stored.internal);
  const differing = Object.fromEntries(
    Object.entries(plain).filter(([name, value]) => differs(type, before, name, value)),
  );
  const isMoved = closed_ts !== undefined && before.values["close_date"] !== closed_ts;
  if (Object.keys(differing).length === 0 && seal === undefined && !isMoved) return undefined;
  const patched = patchedDraft(type, before, {
    ...differing,
    ...(seal !== undefined && { ssn: secret ?? null }),
  });
  const draft = closedAt(patched, closed_ts);
  const faults = dateFaults(draft.values);
  if (faults.length > 0) {
    throw new ValidationError(
      faults.map(({ at = "", ...fault }): Issue => ({
        loc: ["body", at],
        input: draft.values[at] ?? null,
        ...fault,
      })),
    );
  }
  const { ssn: sealed, stands: _, ...rest } = stored.internal;
  const kept = seal === undefined ? sealed : (seal ?? undefined);
  return {
    draft,
    internal: {
      ...rest,
      ...(kept !== undefined && { ssn: kept }),
      ...(draft.stands.length > 0 && { stands: draft.stands }),
    },
  };
}

/** Whether a sent value is another than the stored one, as it would be stored. */
function differs(type: RecordType, before: Draft, name: string, value: Json): boolean {
  const { values } = patchedDraft(type, { values: {}, stands: [] }, { [name]: value });
  // null lets a value that stands follow again (D3.6), whatever it is now.
  if (value === null && before.stands.includes(name)) return true;
  return !sameJson(values[name] ?? null, before.values[name] ?? null);
}

/** The new seal; null where the number is cleared, undefined where it stays. */
function newSeal(
  { tenantId }: Scope,
  sealer: Sealer,
  { body, internal }: Stored,
  sent: Json,
): string | null | undefined {
  const id = String(body["_id"]);
  if (sent === null) return internal.ssn === undefined ? undefined : null;
  const text = String(sent);
  if (isMasked(text)) {
    if (text === body["ssn"]) return undefined;
    throw new ValidationError([frozenIssue("ssn", sent)]);
  }
  const same =
    internal.ssn !== undefined && openSsn(sealer, tenantId, id, internal.ssn) === spellSsn(text);
  return same ? undefined : sealSsn(sealer, tenantId, id, text);
}

/** A field that is sent on create only may come back unchanged (D1.7). */
function refuseFrozen(type: RecordType, body: JsonObject, sent: Values): void {
  const issues = frozenNames(type, "patch").flatMap((name) => {
    if (!(name in sent) || sameJson(sent[name], body[name] ?? null)) return [];
    return [frozenIssue(name, sent[name] ?? null)];
  });
  if (issues.length > 0) throw new ValidationError(issues);
  for (const name of frozenNames(type, "patch")) delete sent[name];
}

const frozenIssue = (name: string, input: Json): Issue => ({
  type: "frozen_field",
  loc: ["body", name],
  msg: "Field is frozen: it cannot be changed after creation",
  input,
});
