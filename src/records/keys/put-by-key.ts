/**
 * `PUT /crm/<type>/by/<key>/<value>`: updates the record with the key, or creates it. Concurrent requests with the same
 * key wait for each other, so that they create only one record.
 */

import type { Tx } from "../../platform/database/index.ts";
import type { Conditions } from "../../platform/operations/index.ts";
import { AppError, ValidationError, type Issue } from "../../platform/errors/index.ts";
import { type JsonObject, asList } from "../../platform/json/index.ts";
import { valueError, type Check } from "../../platform/validation/index.ts";
import { changeFound, type Written } from "./change-found.ts";
import {
  type CountryCode,
  isPhone,
  phoneKey,
  emailKey,
  hasMain,
  listedKeys,
} from "../contact-details/index.ts";
import { findStored, type Writer } from "../store/index.ts";
import { createDraft, etagOf, secretDraft, retryOnConflict } from "../write/index.ts";
import {
  addressKeys,
  isLongList,
  keyText,
  lockAndFind,
  type KeyKind,
  type RecordKey,
} from "./find-by-key.ts";

/** The key in a request's path, by which the record is found. */
export interface PathKey {
  readonly kind: KeyKind;
  readonly text: string;
}

const WANTED: Readonly<Record<Exclude<KeyKind, "external_id">, string>> = {
  email: "an email address",
  phone: "a phone number, with its country code or as dialed in the tenant's country",
};

/** Returns the issues of the key in the path. A different value for the same field in the body is also an issue. */
export function keyIssues(
  { kind, text }: PathKey,
  body: JsonObject,
  country: CountryCode,
): readonly Issue[] {
  const sent = body[kind] ?? null;
  if (kind !== "external_id" && !isReadable({ kind, text }, country)) {
    return [{ loc: ["path", kind], input: text, ...valueError(`this must be ${WANTED[kind]}`) }];
  }
  if (typeof sent !== "string") return [];
  return comparedBy(kind, sent, country) === keyOf({ kind, text }, country).value
    ? []
    : [
        {
          loc: ["body", kind],
          input: sent,
          ...valueError(`this must equal the ${kind} in the path`),
        },
      ];
}

/**
 * Less strict than the check for deliverable addresses, so that every stored address can be found. `<a@x.com>` is still
 * rejected. Each string can match in only one way, so this is fast.
 */
const EMAIL_KEY = /^[^\s<>][^\s<>@]*@[^\s<>]+$/;

const isReadable = ({ kind, text }: PathKey, country: CountryCode): boolean =>
  kind === "email" ? EMAIL_KEY.test(text.trim()) : isPhone(text, country);

/** Returns a field's value in the form used for comparison. */
function comparedBy(kind: KeyKind, text: string, country: CountryCode): string {
  if (kind === "external_id") return text;
  return kind === "email" ? emailKey(text) : phoneKey(text, country);
}

/** Converts the value in a path to a field value. Surrounding spaces are kept only in external ids. */
const fieldText = ({ kind, text }: PathKey): string =>
  kind === "external_id" ? text : text.trim();

const keyOf = (given: PathKey, country: CountryCode): RecordKey => ({
  kind: given.kind,
  value: comparedBy(given.kind, fieldText(given), country),
});

/** The key, the fields to write, and the check for a body that creates a record. */
export interface PutInput {
  readonly given: PathKey;
  readonly input: JsonObject;
  readonly check: Check;
  readonly conditions: Conditions;
}

/**
 * Creates or updates the record with a key. Throws 409 with `existing_ids` if several records have the key. If one
 * record has it, throws 409, 412 and 422 like a PATCH, and 412 if `If-None-Match` was sent. If no record has it, throws
 * 422 like a POST, and 412 if `If-Match` was sent.
 */
export async function putByKey(writer: Writer, putting: PutInput): Promise<Written> {
  const { given, input } = putting;
  // A plain POST takes no lock, so it may store the same external id in the meantime.
  const onConflict = { isRetried: given.kind === "external_id", values: { ...input } };
  return retryOnConflict(writer, onConflict, (within) => putOnce(within, putting));
}

async function putOnce(
  writer: Writer<Tx>,
  { given, input: body, check, conditions }: PutInput,
): Promise<Written | undefined> {
  const { scope, type } = writer;
  const { country } = writer.author;
  const { kind } = given;
  const key = keyOf(given, country);
  const input = withKey(body, given, key, country);
  const held = [key, ...addressKeys(input, country)];
  const ids = (await lockAndFind(scope, type, { held, sought: [key] })).get(keyText(key)) ?? [];
  const [id, another] = ids;
  if (another !== undefined) throw severalMatches(kind, ids);
  // If the body contains null for the field in the path, ignore it.
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

/** If the body contains a list, adds the key to it, so that the request does not remove its own key. */
function withKey(
  body: JsonObject,
  given: PathKey,
  { value }: RecordKey,
  country: CountryCode,
): JsonObject {
  if (given.kind === "external_id") return body;
  const name = `${given.kind}_list`;
  const list = body[name];
  if (list === undefined || list === "" || isLongList(list)) return body;
  const items = asList(list);
  return listedKeys(given.kind, items, country).includes(value)
    ? body
    : { ...body, [name]: [fieldText(given), ...items] };
}

async function exists({ scope, type }: Writer, kind: KeyKind, id: string) {
  const stored = await findStored(scope, type, id);
  return new AppError("precondition_failed", {
    detail: `There is already a record with this ${kind}`,
    members: { changed_fields: null, version: stored?.version ?? null, existing_id: id },
    ...(stored !== undefined && { headers: { etag: etagOf(stored.bytes) } }),
  });
}

const isMissing = (kind: KeyKind): AppError =>
  new AppError("precondition_failed", {
    detail: `There is no record with this ${kind}, so If-Match cannot match`,
    members: { changed_fields: null, version: null },
  });

const severalMatches = (kind: KeyKind, existing_ids: readonly string[]): AppError =>
  new AppError("conflict", {
    detail: `Several records have this ${kind}; change one of them by its id`,
    members: { existing_ids },
  });
