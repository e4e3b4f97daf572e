/**
 * Completes a row. Adds a name derived from other values, the default account, a deal's close date, and notes for
 * values that could not be imported.
 */

import { once } from "../../platform/cache/index.ts";
import { isLongText, type RecordType } from "../../records/types/index.ts";
import type { Mapping } from "../columns/index.ts";

import { displayNameOf, type WantedReference } from "./row-references.ts";
import type { Warning } from "./row-warnings.ts";

/** A row whose body is being built. */
export interface Draft {
  readonly body: Record<string, unknown>;
  readonly references: WantedReference[];
  readonly warnings: Warning[];
  /** Values in the file that do not fit any field. */
  readonly notes: string[];
  /** Lists for which the row contains only some entries. An existing record keeps its other entries. */
  readonly partialLists: string[];
  /** Fields that are set only on new records. */
  readonly onlyNew: string[];
}

export interface Completion {
  /** The reason why the completed row is rejected. Missing if it is not rejected. */
  readonly refusal?: string;
  readonly closed_ts?: number;
  /** The field that the notes were written to, unless the row has its own text for that field. */
  readonly notesIn?: string;
}

export function keepNote(type: RecordType, body: Record<string, unknown>, note: string): void {
  const field = noteField(type);
  if (field !== undefined) addNote(body, field, note);
}

/** Returns the field that stores notes. */
const noteField = once(({ fields }: RecordType): string | undefined =>
  Object.keys(fields).find((name) => isLongText(fields[name])),
);

const requiredFields = once(({ fields }: RecordType) =>
  Object.keys(fields).filter((name) => fields[name]?.required === true),
);

/**
 * Returns the flags that mirror a certain value of another field, and the timestamps that are set together with that
 * value.
 */
const mirrors = once(({ fields, derived }: RecordType) => {
  const all = Object.entries(derived);
  const moments = all.filter(([, { kind }]) => kind === "moment").map(([name]) => name);
  return all.flatMap(([flag, mirror]) =>
    mirror.kind === "mirror" && flag in fields ? [{ flag, mirror, moments }] : [],
  );
});

/** Returns the fields that can provide a name for a record without one, best first. */
const namedBy = (type: RecordType): readonly string[] =>
  type.imports?.namedBy ?? [noteField(type)].filter((name) => name !== undefined);

/** A name generated from a text longer than this is truncated to this length. The text itself is stored in full. */
const MADE_NAME_CHARACTERS = 100;

/**
 * Whether the meaning of the row depends on the status of the record that it updates: the row has a value that fits only
 * some statuses, such as a close date, but no status.
 */
export const dependsOnStatus = ({ body }: Draft, { mode, type }: Mapping): boolean =>
  mode !== "create" &&
  body[type.statusField] === undefined &&
  statusFields(type).some((name) => body[name] !== undefined);

/** Returns the fields whose values fit only some statuses. */
const statusFields = once(({ derived, onlyWhile = {} }: RecordType): readonly string[] => [
  ...Object.keys(onlyWhile),
  ...Object.keys(derived).filter((name) => derived[name]?.kind === "moment"),
]);

/** Completes a row. `status` is the status of the record that it updates, if the row has none and it is known. */
export function completeRow(draft: Draft, mapping: Mapping, status?: string): Completion {
  const { type } = mapping;
  const isUpdate = mapping.mode === "update";
  joinName(draft);
  if (!isUpdate) {
    namePartly(draft);
    takeDefaultAccount(draft, mapping);
    nameUnnamed(draft, type);
    makeLine(draft, type);
  }
  const known = { isUpdate, stored: status };
  settleMirror(draft, type, known);
  settleConditional(draft, type, known);
  const closed_ts = settleClosing(draft, type, status);
  const field = noteField(type);
  const isFree = field !== undefined && draft.body[field] === undefined;
  for (const note of draft.notes) keepNote(type, draft.body, note);
  const refusal = isUpdate ? undefined : missing(draft, type);
  return {
    ...(refusal === undefined ? {} : { refusal }),
    ...(closed_ts === undefined ? {} : { closed_ts }),
    ...(isFree && { notesIn: field }),
  };
}

/** Adds a line to free text. */
export function addNote(body: Record<string, unknown>, field: string, note: string): void {
  const before = body[field];
  body[field] = typeof before === "string" && before !== "" ? `${before}\n${note}` : note;
}

/** Sets a field that the row does not contain. An existing record keeps its own value. */
function setOnNew({ body, onlyNew }: Draft, name: string, value: unknown): void {
  body[name] = value;
  onlyNew.push(name);
}

const NAME_PARTS = ["first_name", "last_name"];

/** Joins the first and last name if the row has both, but no full name. */
function joinName({ body }: Draft): void {
  const parts = NAME_PARTS.flatMap((part) => body[part] ?? []);
  if (parts.length === NAME_PARTS.length) body["name"] ??= parts.join(" ");
}

/** Names a new record after its first or last name. An existing record may already have both. */
function namePartly(draft: Draft): void {
  const part = NAME_PARTS.find((name) => draft.body[name] !== undefined);
  if (part === undefined || draft.body["name"] !== undefined) return;
  setOnNew(draft, "name", draft.body[part]);
}

/** Applies the default account to a row without an account if the type needs one. */
function takeDefaultAccount(
  { references, onlyNew }: Draft,
  { type, defaultAccount }: Mapping,
): void {
  if (defaultAccount === undefined || !("account_id" in type.fields)) return;
  const links = type.oneOf ?? ["account_id"];
  if (references.some(({ field }) => links.includes(field))) return;
  references.push({
    field: "account_id",
    names: [{ to: "account", text: defaultAccount, heading: "default account", kind: "name" }],
    byDefault: true,
  });
  onlyNew.push("account_id");
}

function nameUnnamed(draft: Draft, type: RecordType): void {
  const { body, references, warnings } = draft;
  if (type.fields["name"]?.required !== true || body["name"] !== undefined) return;
  for (const field of namedBy(type)) {
    const wanted = references.find((reference) => reference.field === field);
    const text = wanted === undefined ? body[field] : displayNameOf(wanted);
    if (typeof text !== "string") continue;
    const name = beginningOf(text);
    setOnNew(draft, "name", name);
    warnings.push({ kind: "made_name", field: "name", word: name });
    return;
  }
}

function beginningOf(text: string): string {
  const line = text.trim().split(/[\r\n]/, 1)[0] ?? "";
  if (line.length <= MADE_NAME_CHARACTERS) return line;
  return `${line.slice(0, MADE_NAME_CHARACTERS).replace(/\s+\S*$/, "")}…`;
}

/** For an invoice without lines, as in flat files, adds a single line with the total amount. */
function makeLine(draft: Draft, type: RecordType): void {
  const { body, warnings } = draft;
  const name = "invoice_line_list";
  if (type.fields[name]?.required !== true || body[name] !== undefined) return;
  if (typeof body["total_amount"] !== "number") return;
  const description = body["description"] ?? body["invoice_num"];
  setOnNew(draft, name, [{ description, amount: body["total_amount"] }]);
  warnings.push({ kind: "made_line" });
}

/** What is known about the record that a row updates. */
interface Known {
  readonly isUpdate: boolean;
  /** The stored status, if the row depends on it. In an update, it may not be known yet. */
  readonly stored: string | undefined;
}

/**
 * If the row contains the status that a flag mirrors, ignores the flag. Keeps the flag's timestamp only with the
 * matching status.
 */
function settleMirror(
  { body, notes, warnings }: Draft,
  type: RecordType,
  { isUpdate, stored }: Known,
): void {
  for (const { flag, mirror, moments } of mirrors(type)) {
    if (body[mirror.field] !== undefined) delete body[flag];
    const status = body[mirror.field] ?? stored;
    const isFitting = status === mirror.value || (isUpdate && status === undefined);
    const reached = body[flag] === undefined ? isFitting : body[flag] === true;
    for (const moment of moments) {
      if (reached || body[moment] === undefined) continue;
      const word = String(body[moment]);
      notes.push(`${moment} in the file: ${word}`);
      warnings.push({ kind: "unreadable_value", field: moment, word });
      delete body[moment];
    }
  }
}

/**
 * Some fields are allowed only if another field has a certain value. If the row contradicts this, or the text of such a
 * field is too long, the text becomes a note. For example, other systems keep the lost reason of a reopened deal. If the
 * row does not contain the other field, the stored value applies. In an update, such a row is rejected later if the
 * stored value does not fit.
 */
function settleConditional(
  { body, notes, warnings }: Draft,
  { fields, onlyWhile = {} }: RecordType,
  { isUpdate, stored }: Known,
): void {
  for (const [name, { field, is }] of Object.entries(onlyWhile)) {
    const word = body[name];
    if (typeof word !== "string") continue;
    const text = fields[name];
    const isTooLong = text?.kind === "text" && [...word].length > text.max;
    const isLeft = isUpdate && body[field] === undefined;
    const isInPlace = isLeft || (body[field] ?? stored) === is;
    if (isInPlace && !isTooLong) continue;
    notes.push(`${name} in the file: ${word}`);
    warnings.push({ kind: isTooLong ? "too_long" : "unreadable_value", field: name, word });
    delete body[name];
  }
}

/**
 * Removes the close date from the row's body. Returns it if the deal is closed. For an open deal, uses it as the
 * expected close date.
 */
function settleClosing({ body }: Draft, type: RecordType, stored?: string): number | undefined {
  const closing = type.derived["close_date"];
  const date = body["close_date"];
  if (date !== undefined) delete body["close_date"];
  if (closing?.kind !== "moment" || typeof date !== "number") return undefined;
  if (closing.values.includes(String(body[closing.field] ?? stored))) return date;
  body["expected_close_date"] ??= date;
  return undefined;
}

/** Returns an error message if required fields are missing from the row, or undefined if the row is complete. */
function missing({ body, references }: Draft, type: RecordType): string | undefined {
  const has = (name: string) =>
    body[name] !== undefined || references.some(({ field }) => field === name);
  const lacking = requiredFields(type).filter((name) => !has(name));
  if (lacking.includes("name")) {
    const others = namedBy(type).map((name) => name.replace(/_id$/, "").replaceAll("_", " "));
    return `the row has no name, and no value to use as a name (${others.join(", ")})`;
  }
  if (lacking.length > 0) return `the row has no ${lacking.join(" and no ")}`;
  if (type.oneOf === undefined || type.oneOf.some(has)) return undefined;
  return `the row has no account and no contact`;
}
