/**
 * The terms that identify a person in text: addresses, numbers and names. The database finds text that may mention a
 * term, and this code confirms the mention.
 */

import sql, { raw, type Sql } from "sql-template-tag";
import { isObject, type Json, type JsonObject } from "../../platform/json/index.ts";
import { emailKey, nationalDigits } from "../../records/contact-details/index.ts";

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
    ...emails.flatMap(formsOf).map((email) => ["email", emailPattern(email)] as const),
    ...phones.map((phone) => ["phone", phonePattern(phone)] as const),
    ...names.flatMap(formsOf).map((name) => ["name", namePattern(name)] as const),
  ];
  const alternatives = [
    ...[...emails, ...names].flatMap(formsOf).map(textAnywhere),
    ...phones.map(numberAnywhere),
  ];
  const likely = Array.from({ length: Math.ceil(alternatives.length / AT_ONCE) }, (_, at) =>
    alternatives.slice(at * AT_ONCE, (at + 1) * AT_ONCE).join("|"),
  );
  return {
    mayMention: (column) =>
      likely.length === 0 ? undefined : sql`(${raw(column)}) collate "C" ~ any(${likely}::text[])`,
    kindsIn: (text) =>
      new Set(patterns.flatMap(([kind, pattern]) => (text.search(pattern) < 0 ? [] : [kind]))),
    replaced: (text) =>
      patterns.reduce((left, [, pattern]) => left.replace(pattern, REPLACEMENT), text),
  };
}

/** The number of terms in each of PostgreSQL's regular expressions. PostgreSQL caches 32 expressions. */
const AT_ONCE = 100;

/**
 * Returns the forms in which a text may contain the string: accents may be separate characters, and the text may be JSON.
 */
const formsOf = (text: string): readonly string[] => {
  const forms = [text, text.normalize("NFC"), text.normalize("NFD")];
  return distinct([...forms, ...forms.map((form) => JSON.stringify(form).slice(1, -1))]);
};

/**
 * Returns a regular expression for PostgreSQL that finds at least what the code finds. It allows any text between the
 * words of a name. It contains all variants of each letter, because the database's locale determines which letters
 * PostgreSQL considers equal if it ignores case.
 */
const textAnywhere = (text: string): string =>
  text
    .trim()
    .split(/\s+/)
    .map((word) => Array.from(word, oneOfVariants).join(""))
    .join(".*");

const oneOfVariants = (char: string): string => {
  const equal = variantsByKey().get(keyOf(char)) ?? [];
  return equal.length > 1 ? `[${equal.join("")}]` : escaped(char);
};

/** Characters that are equal if case is ignored have the same key. Some other characters do, too, such as ı and i. */
const keyOf = (char: string): string => char.toLowerCase().toUpperCase();

/** No character above this code point has upper and lower case. */
const LAST_CASED = 0x1ffff;

let variants: ReadonlyMap<string, readonly string[]> | undefined;

/** Returns all characters that have upper and lower case, by key. */
const variantsByKey = (): ReadonlyMap<string, readonly string[]> => {
  variants ??= Map.groupBy(
    Array.from({ length: LAST_CASED }, (_, code) => String.fromCodePoint(code)).filter((char) =>
      /\p{Changes_When_Casemapped}/u.test(char),
    ),
    keyOf,
  );
  return variants;
};

const numberAnywhere = (phone: string): string => {
  const national = nationalDigits(phone);
  return /^\d+$/.test(national) ? [...national].join(BETWEEN) : textAnywhere(phone);
};

/** Characters that people write between the digits of a number. */
const BETWEEN = String.raw`[ ()\-./+]{0,3}`;

/** Escapes a string for a regular expression. Hyphens are not escaped, because the `u` flag does not allow it. */
const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

const emailPattern = (email: string): RegExp =>
  new RegExp(String.raw`(?<![\w.%+\-])${escaped(email)}(?![\w\-]|\.\w)`, "giu");

const namePattern = (name: string): RegExp =>
  new RegExp(
    String.raw`(?<![\p{L}\p{M}\p{N}])${name
      .trim()
      .split(/\s+/)
      .map(escaped)
      .join(String.raw`(?:\s|\\[nrt])+`)}(?![\p{L}\p{M}\p{N}])`,
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
