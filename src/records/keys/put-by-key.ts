/**
 * `PUT /crm/<type>/by/<key>/<value>`: the record that has the key is changed, or created if there is
 * none. Concurrent requests for the same key wait, so that they create one record.
 */

import type { Tx } from "../../platform/database/index.ts";
import type { Conditions } from "../../platform/operations/index.ts";
import { AppError, ValidationError, type Issue } from "../../platform/errors/index.ts";
import type { Json, JsonObject } from "../../platform/json/index.ts";
import { valueError, type Check } from "../../platform/validation/index.ts";
import { changeFound, type Written } from "./change-found.ts";
import {
  type CountryCode,
  emailKey,
  hasMain,
  isPhone,
  listedKeys,
  phoneKey,
} from "../shape/index.ts";
import {
  createDraft,
  etagOf,
  findStored,
  secretDraft,
  retryOnConflict,
  type Writer,
} from "../write/index.ts";
import { addressKeys, keyText, lockAndFind, type KeyKind, type RecordKey } from "./find-by-key.ts";

/** A key in a path. */
export interface GivenKey {
  readonly kind: KeyKind;
  readonly text: string;
}

const WANTED: Readonly<Record<Exclude<KeyKind, "external_id">, string>> = {
  email: "an e-mail address",
  phone: "a telephone number, with its country code or as it is dialled in the tenant's country",
};

/** What is wrong with the key in the path, and with the same field of the body if it differs. */
export function keyIssues(
  { kind, text }: GivenKey,
  body: JsonObject,
  country: CountryCode,
): readonly Issue[] {
  const sent = body[kind] ?? null;
  if (kind !== "external_id" && !isUnderstood({ kind, text }, country)) {
    return [{ loc: ["path", kind], input: text, ...valueError(`this must be ${WANTED[kind]}`) }];
  }
  if (typeof sent !== "string") return [];
  return comparedBy(kind, sent, country) === keyOf({ kind, text }, country).value
    ? []
    : [{ loc: ["body", kind], input: sent, ...valueError(`this must be the ${kind} of the path`) }];
}

/** Looser than what is deliverable, so that what is stored can be found; `<a@x.com>` is no address. */
const EMAIL_KEY = /^[^\s<>]+@[^\s<>]+$/;

const isUnderstood = ({ kind, text }: GivenKey, country: CountryCode): boolean =>
  kind === "email" ? EMAIL_KEY.test(text.trim()) : isPhone(text, country);

/** What a record is found by whose field holds this text. */
function comparedBy(kind: KeyKind, text: string, country: CountryCode): string {
  if (kind === "external_id") return text;
  return kind === "email" ? emailKey(text) : phoneKey(text, country);
}

/** The text of a path as a field would hold it: spaces around it belong to an external id alone. */
const fieldText = ({ kind, text }: GivenKey): string =>
  kind === "external_id" ? text : text.trim();

const keyOf = (given: GivenKey, country: CountryCode): RecordKey => ({
  kind: given.kind,
  value: comparedBy(given.kind, fieldText(given), country),
});

/** What is put: the fields that were sent, under a key, and what a creation is checked by. */
export interface Putting {
  readonly given: GivenKey;
  readonly input: JsonObject;
  readonly check: Check;
  readonly conditions: Conditions;
}

/**
 * Creates or changes the record of a key. Throws 409 with `existing_ids` if several have it, 409, 412
 * and 422 as a PATCH does, and 422 as a creation does if there is none yet; 412 also if there is none and
 * `If-Match` is sent, or one and `If-None-Match` is.
 */
export async function putByKey(writer: Writer, putting: Putting): Promise<Written> {
  const { given, input } = putting;
  // A plain creation takes no lock: one of this external id may have been in between.
  const onConflict = { looksAgain: given.kind === "external_id", values: { ...input } };
  return retryOnConflict(writer, onConflict, (within) => putOnce(within, putting));
}

async function putOnce(
  writer: Writer<Tx>,
  { given, input: body, check, conditions }: Putting,
): Promise<Written | undefined> {
  const { scope, type } = writer;
  const { country } = writer.author;
  const { kind } = given;
  const key = keyOf(given, country);
  const input = withKey(body, given, key, country);
  const held = [key, ...addressKeys(input, country)];
  const ids = (await lockAndFind(scope, type, { held, sought: [key] })).get(keyText(key)) ?? [];
  const [id, another] = ids;
  if (another !== undefined) throw severalHave(kind, ids);
  // The key of a record is not cleared by the request that names it.
  const { [kind]: sent = null, ...rest } = input;
  const ifMatch = conditions["if-match"];
  if (id !== undefined) {
    if (conditions["if-none-match"] !== undefined) throw await exists(writer, kind, id);
    return changeFound(writer, { id, key, input: sent === null ? rest : input, ifMatch });
  }
  if (ifMatch !== undefined) throw isMissing(kind);
  const isListed = kind !== "external_id" && hasMain(input[`${kind}_list`]);
  const whole = {
    ...rest,
    ...((sent !== null || !isListed) && { [kind]: sent ?? fieldText(given) }),
  };
  const issues = check(whole);
  if (issues.length > 0) throw new ValidationError(issues);
  return { bytes: await createDraft(writer, secretDraft(writer, whole)), result: "created" };
}

/** The body with the key in its list, where it has one: the request that names a key does not remove it. */
function withKey(
  body: JsonObject,
  given: GivenKey,
  { value }: RecordKey,
  country: CountryCode,
): JsonObject {
  if (given.kind === "external_id") return body;
  const name = `${given.kind}_list`;
  const list = body[name];
  if (list === undefined || list === "") return body;
  const items = (list ?? []) as readonly Json[];
  return listedKeys(given.kind, items, country).includes(value)
    ? body
    : { ...body, [name]: [fieldText(given), ...items] };
}

async function exists({ scope, type }: Writer, kind: KeyKind, id: string) {
  const stored = await findStored(scope, type, id);
  return new AppError("precondition_failed", {
    detail: `There is a record with this ${kind} already`,
    members: { changed_fields: null, version: stored?.version ?? null, existing_id: id },
    ...(stored !== undefined && { headers: { etag: etagOf(stored.bytes) } }),
  });
}

const isMissing = (kind: KeyKind): AppError =>
  new AppError("precondition_failed", {
    detail: `There is no record with this ${kind}, and so none of this version`,
    members: { changed_fields: null, version: null },
  });

const severalHave = (kind: KeyKind, existing_ids: readonly string[]): AppError =>
  new AppError("conflict", {
    detail: `Several records have this ${kind}: change one of them by its id`,
    members: { existing_ids },
  });
