/**
 * The terms that identify a person in text: addresses, numbers and names. The database finds text that may mention a
 * term, and this code confirms the mention.
 */

import sql, { join, raw, type Sql } from "sql-template-tag";
import { isObject, type Json, type JsonObject } from "../../platform/json/index.ts";
import { emailKey, nationalDigits } from "../../records/index.ts";

export interface Terms {
  /** Email addresses, in lowercase. */
  readonly emails: readonly string[];
  /** Phone numbers as digits with the country code. Invalid numbers stay unchanged. */
  readonly phones: readonly string[];
  /** Names of two or more words. Searching for a single word would find too much unrelated text. */
  readonly names: readonly string[];
}

export const NO_TERMS: Terms = { emails: [], phones: [], names: [] };

export type TermKind = "email" | "phone" | "name";

/** The text that replaces a term. */
export const REPLACEMENT = "[erased]";

const isFullName = (name: string): boolean => /\S\s+\S/.test(name) && name.length <= 500;

const distinct = (texts: readonly string[]): readonly string[] => [...new Set(texts)];

export const joinTerms = (...all: readonly Terms[]): Terms => ({
  emails: distinct(all.flatMap(({ emails }) => emails)),
  phones: distinct(all.flatMap(({ phones }) => phones)),
  names: distinct(all.flatMap(({ names }) => names)),
});

/** Returns the terms in the stored values of a record or a pushed lead. */
export function termsIn(values: JsonObject): Terms {
  const entries = (name: string, member: string): readonly string[] =>
    ((values[name] ?? []) as readonly Json[]).flatMap((entry) => {
      const text = isObject(entry) ? entry[member] : null;
      return typeof text === "string" ? [text.trim()] : [];
    });
  const texts = (...names: readonly string[]): readonly string[] =>
    names.flatMap((name) => {
      const value = values[name];
      return typeof value === "string" && value.trim() !== "" ? [value.trim()] : [];
    });
  const [first = ""] = texts("first_name");
  const [last = ""] = texts("last_name");
  return {
    emails: distinct(
      [...texts("email", "email_key"), ...entries("email_list", "email")]
        .filter((text) => text.includes("@"))
        .map(emailKey),
    ),
    phones: distinct(
      [...texts("phone_key"), ...entries("phone_list", "phone")].filter((text) =>
        /\d{4}/.test(text),
      ),
    ),
    names: distinct([...texts("name"), `${first} ${last}`.trim()].filter(isFullName)),
  };
}

export interface Matcher {
  /** Returns an SQL condition that is true if a column may mention a term. Returns undefined if there are no terms. */
  readonly mayMention: (column: string) => Sql | undefined;
  readonly kindsIn: (text: string) => ReadonlySet<TermKind>;
  /** Returns the text with each term replaced. */
  readonly replaced: (text: string) => string;
}

/** Creates a matcher. It ignores case in addresses and names, and punctuation in numbers. */
export function matcherOf({ emails, phones, names }: Terms): Matcher {
  const patterns: readonly (readonly [TermKind, RegExp])[] = [
    ...emails.flatMap(inJson).map((email) => ["email", emailPattern(email)] as const),
    ...phones.map((phone) => ["phone", phonePattern(phone)] as const),
    ...names.flatMap(inJson).map((name) => ["name", namePattern(name)] as const),
  ];
  const likely = [...emails, ...names].flatMap(spellings).map(likePattern);
  const digits = phones.map(nationalDigits);
  const isAscii = likely.every((text) => /^[\x20-\x7e]*$/.test(text));
  const lower = raw(`lower(text${isAscii ? ' collate "C"' : ""})`);
  const conditions = [
    ...(likely.length === 0 ? [] : [sql`${lower} like any(${likely}::text[])`]),
    ...(digits.length === 0
      ? []
      : [
          sql`text like any(${digits.flatMap(lastGroups)}::text[])
              and translate(text, ${PUNCTUATION}, '') like any(${digits.map(likePattern)}::text[])`,
        ]),
  ];
  return {
    // The subquery evaluates the text once, even if there are several conditions.
    mayMention: (column) =>
      conditions.length === 0
        ? undefined
        : sql`(select ${join(conditions, " or ")} from (select ${raw(column)} as text offset 0) t)`,
    kindsIn: (text) =>
      new Set(patterns.flatMap(([kind, pattern]) => (text.search(pattern) < 0 ? [] : [kind]))),
    replaced: (text) =>
      patterns.reduce((left, [, pattern]) => left.replace(pattern, REPLACEMENT), text),
  };
}

/** Characters that people write between the digits of a number. */
const PUNCTUATION = " ()-./+";

/**
 * Returns patterns for the last four digits of a number, in the usual groupings. Searching for these patterns is fast.
 */
const lastGroups = (digits: string): readonly string[] => {
  const end = digits.slice(-4);
  if (!/^\d{4}$/.test(end)) return [likePattern(digits)];
  const [a, b, c, d] = end;
  return [`%${end}%`, `%${a}${b}_${c}${d}%`, `%${a}_${b}${c}${d}%`];
};

const BETWEEN = String.raw`[ ()\-./+]{0,3}`;

/** Returns the string itself and, if it differs, its JSON-escaped form. */
const inJson = (text: string): readonly string[] =>
  distinct([text, JSON.stringify(text).slice(1, -1)]);

/** Returns a string in lowercase, with each run of spaces reduced to one. */
const spellings = (text: string): readonly string[] =>
  inJson(text.toLowerCase().replaceAll(/\s+/g, " "));

/** Returns a pattern that allows any text between the words of a name. The code that confirms a match is stricter. */
const likePattern = (text: string): string =>
  `%${text.replaceAll(/[%_\\]/g, String.raw`\$&`).replaceAll(" ", "%")}%`;

/** Escapes a string for a regular expression. Hyphens are not escaped, because the `u` flag does not allow it. */
const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

const emailPattern = (email: string): RegExp =>
  new RegExp(String.raw`(?<![\w.%+\-])${escaped(email)}(?![\w\-]|\.\w)`, "giu");

const namePattern = (name: string): RegExp =>
  new RegExp(
    String.raw`(?<![\p{L}\p{N}])${name
      .trim()
      .split(/\s+/)
      .map(escaped)
      .join(String.raw`(?:\s|\\[nrt])+`)}(?![\p{L}\p{N}])`,
    "giu",
  );

function phonePattern(phone: string): RegExp {
  const national = nationalDigits(phone);
  if (!/^\d+$/.test(national)) return new RegExp(escaped(phone), "giu");
  const country = phone.endsWith(national) ? phone.slice(0, -national.length) : "";
  const prefix = country === "" ? "" : String.raw`(?:(?:\+|00)?${country}${BETWEEN})?`;
  const trunk = String.raw`(?:\(?0\)?${BETWEEN})?`;
  return new RegExp(
    String.raw`(?<!\d)${prefix}${trunk}\(?${[...national].join(BETWEEN)}(?!\d)`,
    "gu",
  );
}
