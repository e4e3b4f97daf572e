/**
 * Completes a row: a name from other values, the default account, the day a deal was closed, and
 * notes for values that could not be imported.
 */

import { once } from "../../platform/clock/index.ts";
import { isLongText, type RecordType } from "../../records/index.ts";
import type { Mapping } from "../columns/index.ts";

import { displayNameOf, type WantedReference } from "./row-references.ts";
import type { Warning } from "./row-warnings.ts";

/** A row while its body is built. */
export interface Draft {
  readonly body: Record<string, unknown>;
  readonly references: WantedReference[];
  readonly warnings: Warning[];
  /** Values of the file that no field could take. */
  readonly notes: string[];
  /** Lists for which the row contains only some entries; an existing record keeps its others. */
  readonly partialLists: string[];
}

export interface Completion {
  /** Why the row is rejected in the end. */
  readonly refusal?: string;
  readonly closed_ts?: number;
  /** Fields for which the row does not contain enough to change an existing record. */
  readonly onlyNew: readonly string[];
  /** The notes field, unless the row itself has text for it. */
  readonly notesIn?: string;
}

/** Adds a note to the record. */
export function keepNote(type: RecordType, body: Record<string, unknown>, note: string): void {
  const field = noteField(type);
  if (field !== undefined) addNote(body, field, note);
}

/** The field that stores notes. */
const noteField = once(({ fields }: RecordType): string | undefined =>
  Object.keys(fields).find((name) => isLongText(fields[name])),
);

const requiredFields = once(({ fields }: RecordType) =>
  Object.keys(fields).filter((name) => fields[name]?.required === true),
);

/** Flags that mirror the value of another field, and the timestamps that records get with it. */
const mirrors = once(({ fields, derived }: RecordType) => {
  const all = Object.entries(derived);
  const moments = all.filter(([, { kind }]) => kind === "moment").map(([name]) => name);
  return all.flatMap(([flag, mirror]) =>
    mirror.kind === "mirror" && flag in fields ? [{ flag, mirror, moments }] : [],
  );
});

/** Returns the fields from which a record without a name gets its name, best first. */
const namedBy = (type: RecordType): readonly string[] =>
  type.imports?.namedBy ?? [noteField(type)].filter((name) => name !== undefined);

/** A name generated from longer text is its beginning. The text itself is stored completely. */
const MADE_NAME_CHARACTERS = 100;

export function completeRow(draft: Draft, mapping: Mapping): Completion {
  const { type } = mapping;
  const isUpdate = mapping.mode === "update";
  const isPartOfName = joinName(draft, isUpdate);
  if (!isUpdate) {
    takeDefaultAccount(draft, mapping);
    nameUnnamed(draft, type);
    makeLine(draft, type);
  }
  settleMirror(draft, type);
  settleConditional(draft, type, isUpdate);
  const closed_ts = settleClosing(draft, type);
  const field = noteField(type);
  const isFree = field !== undefined && draft.body[field] === undefined;
  for (const note of draft.notes) keepNote(type, draft.body, note);
  const refusal = isUpdate ? undefined : missing(draft, type);
  return {
    ...(refusal === undefined ? {} : { refusal }),
    ...(closed_ts === undefined ? {} : { closed_ts }),
    ...(isFree && { notesIn: field }),
    onlyNew: isPartOfName ? ["name"] : [],
  };
}

/** Adds a line to free text. */
export function addNote(body: Record<string, unknown>, field: string, note: string): void {
  const before = body[field];
  body[field] = typeof before === "string" && before !== "" ? `${before}\n${note}` : note;
}

/**
 * Joins first and last name if the file has no full name. Returns whether only one of them exists,
 * in which case an existing record, which may have both, must not be renamed.
 */
function joinName({ body }: Draft, isUpdate: boolean): boolean {
  if (body["name"] !== undefined) return false;
  const parts = [body["first_name"], body["last_name"]].filter((part) => part !== undefined);
  if (parts.length > (isUpdate ? 1 : 0)) body["name"] = parts.join(" ");
  return parts.length === 1;
}

/** Applies the default account to rows without one, if the type needs it. */
function takeDefaultAccount({ references }: Draft, { type, defaultAccount }: Mapping): void {
  if (defaultAccount === undefined || !("account_id" in type.fields)) return;
  const links = type.oneOf ?? ["account_id"];
  if (references.some(({ field }) => links.includes(field))) return;
  references.push({
    field: "account_id",
    names: [{ to: "account", text: defaultAccount, heading: "default account", kind: "name" }],
    byDefault: true,
  });
}

function nameUnnamed({ body, references, warnings }: Draft, type: RecordType): void {
  if (type.fields["name"]?.required !== true || body["name"] !== undefined) return;
  for (const field of namedBy(type)) {
    const wanted = references.find((reference) => reference.field === field);
    const text = wanted === undefined ? body[field] : displayNameOf(wanted);
    if (typeof text !== "string") continue;
    const name = beginningOf(text);
    body["name"] = name;
    warnings.push({ kind: "made_name", field: "name", word: name });
    return;
  }
}

function beginningOf(text: string): string {
  const line = text.trim().split(/[\r\n]/, 1)[0] ?? "";
  if (line.length <= MADE_NAME_CHARACTERS) return line;
  return `${line.slice(0, MADE_NAME_CHARACTERS).replace(/\s+\S*$/, "")}…`;
}

/** An invoice in a flat file has a single line, whose amount is the total. */
function makeLine({ body, warnings }: Draft, type: RecordType): void {
  const name = "invoice_line_list";
  if (type.fields[name]?.required !== true || body[name] !== undefined) return;
  if (typeof body["total_amount"] !== "number") return;
  const description = body["description"] ?? body["invoice_num"];
  body[name] = [{ description, amount: body["total_amount"] }];
  warnings.push({ kind: "made_line" });
}

/**
 * If the status is given, the flag that mirrors it is ignored. Its timestamp is kept only with the
 * matching status.
 */
function settleMirror({ body, notes, warnings }: Draft, type: RecordType): void {
  for (const { flag, mirror, moments } of mirrors(type)) {
    if (body[mirror.field] !== undefined) delete body[flag];
    const reached = body[mirror.field] === mirror.value || body[flag] === true;
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
 * A string that is too long, or that the rest of the row contradicts, is kept as a note: other
 * systems keep the lost reason of a deal that was reopened. In an update, the other field may come
 * from the record, which then decides.
 */
function settleConditional(
  { body, notes, warnings }: Draft,
  { fields, onlyWhile = {} }: RecordType,
  isUpdate: boolean,
): void {
  for (const [name, { field, is }] of Object.entries(onlyWhile)) {
    const word = body[name];
    if (typeof word !== "string") continue;
    const text = fields[name];
    const isTooLong = text?.kind === "text" && [...word].length > text.max;
    const isInPlace = body[field] === is || (isUpdate && body[field] === undefined);
    if (isInPlace && !isTooLong) continue;
    notes.push(`${name} in the file: ${word}`);
    warnings.push({ kind: isTooLong ? "too_long" : "unreadable_value", field: name, word });
    delete body[name];
  }
}

/** For a closed deal, this column of the file is the close date. For an open deal, it is the expected close date. */
function settleClosing({ body }: Draft, type: RecordType): number | undefined {
  const closing = type.derived["close_date"];
  const date = body["close_date"];
  if (date !== undefined) delete body["close_date"];
  if (closing?.kind !== "moment" || typeof date !== "number") return undefined;
  if (closing.values.includes(String(body[closing.field]))) return date;
  body["expected_close_date"] ??= date;
  return undefined;
}

/** Returns the error for the required parts that a row lacks. */
function missing({ body, references }: Draft, type: RecordType): string | undefined {
  const has = (name: string) =>
    body[name] !== undefined || references.some(({ field }) => field === name);
  const lacking = requiredFields(type).filter((name) => !has(name));
  if (lacking.includes("name")) {
    const others = namedBy(type).map((name) => name.replace(/_id$/, "").replaceAll("_", " "));
    return `the row has no name, and no value to name it after (${others.join(", ")})`;
  }
  if (lacking.length > 0) return `the row has no ${lacking.join(" and no ")}`;
  if (type.oneOf === undefined || type.oneOf.some(has)) return undefined;
  return `the row has no account and no contact`;
}
