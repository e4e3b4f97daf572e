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
import { referencesOf, resolveReferences } from "./references.ts";
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
  const [bytes] = await createDrafts(scope, deps, author, type, [
    { draft: draftOf(type, input), ssn: ssnOf(type, input) },
  ]);
  return bytes as Buffer;
}

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
    const writings: Writing[] = [];
    for (const secret of numbered) {
      writings.push(await writingOf(within, deps, author, type, secret));
    }
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

async function writingOf(
  scope: Scope,
  deps: WriteDeps,
  author: Author,
  type: RecordType,
  { draft, ssn }: SecretDraft,
): Promise<Writing> {
  const id = deps.makeId();
  const references = referencesOf(type, draft.values);
  const names =
    references.length === 0 ? {} : await resolveReferences(scope as Scope<Tx>, references);
  const body = present(type, draft, {
    id,
    now_s: epochSeconds(deps.clock),
    country: author.country,
    owner: await ownerOf(scope, draft, author),
    createdBy: author.person.id,
    names,
  });
  const internal: Internal = {
    ...(ssn !== undefined && { ssn: sealSsn(deps.sealer, scope.tenantId, id, ssn) }),
    ...(draft.stands.length > 0 && { stands: draft.stands }),
  };
  return { id, body, internal, fields: loggedFields(type, {}, body) };
}

/** The person a record belongs to; a name is known only for persons of the tenant. */
async function ownerOf({ db, tenantId }: Scope, { values }: Draft, { person }: Author) {
  const userid = values["userid"] ?? null;
  if (typeof userid !== "string" || userid === person.id) {
    return { userid: person.id, user_name: person.name };
  }
  const [found] = await db`
    select name from people where tenant_id = ${tenantId} and id = ${userid}`;
  return { userid, user_name: (found?.["name"] as string | undefined) ?? null };
}

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
  const changes = await changesOf(scope, deps, type, found, sent);
  if (changes === undefined) return found.bytes;
  const { draft, internal } = changes;
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
    stored: found.body,
  });
  const { statusField } = type;
  if (isTx(scope) && isFollowed(type) && body["name"] !== found.body["name"]) {
    await queueRename(scope, deps.makeId, type, id);
  }
  return updateRecord(scope, deps.makeId, type, {
    stored: found,
    next: { id, body, internal, fields: patchedFields(type, found.body, body) },
    touch: { updated: true, status: body[statusField] !== found.body[statusField] },
    action: "updated",
  });
}

/** The stored body without its stamps against the new one. */
function patchedFields(type: RecordType, before: JsonObject, after: Values): ChangedFields {
  const kept = Object.fromEntries(Object.entries(before).filter(([name]) => name in after));
  return loggedFields(type, kept, after);
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
): Promise<{ draft: Draft; internal: Internal } | undefined> {
  refuseFrozen(type, stored.body, sent);
  const { ssn: secret, ...plain } = sent;
  const seal = "ssn" in sent ? newSeal(scope, sealer, stored, secret ?? null) : undefined;
  const before = storedDraft(type, stored.body, stored.internal);
  const differing = Object.fromEntries(
    Object.entries(plain).filter(([name, value]) => differs(type, before, name, value)),
  );
  if (Object.keys(differing).length === 0 && seal === undefined) return undefined;
  const draft = patchedDraft(type, before, {
    ...differing,
    ...(seal !== undefined && { ssn: secret ?? null }),
  });
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
