/** Determines from a column's name which fields the column could be read into, and how well it fits each of them. */

import { once } from "../../platform/cache/index.ts";
import { type RecordName, type RecordType, SUBJECT_TYPES } from "../../records/types/index.ts";
import { contactColumn, socialPlatform, type ContactColumn } from "./contact-headings.ts";
import { DELETED, listedNames, prefixesOf } from "./heading-names.ts";

/** A field that a column could be read into. */
export interface Meaning {
  readonly target: string;
  /** How well the column fits. The lowest rank fits best, and 0 means the field's own name. */
  readonly rank: number;
}

/** Normalizes names: `E-mail 1`, `e_mail1` and `EMAIL 1 (%)` are equal. */
export const plainName = (heading: string): string => lettersOf(withoutBrackets(heading));

/** Normalizes names but keeps the text in brackets, which distinguishes "Email (home)" from "Email (work)". */
export const wholeName = (heading: string): string => lettersOf(heading);

const lettersOf = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");

/**
 * Removes text in brackets. Does not search the text after the last closing bracket, because the regular expression
 * would otherwise scan it to the end for each opening bracket.
 */
function withoutBrackets(text: string): string {
  const end = text.lastIndexOf(")") + 1;
  return text.slice(0, end).replace(/\([^)]*\)/g, "") + text.slice(end);
}

/** Returns all targets that options can assign columns to. */
export function targetsOf(type: RecordType): readonly string[] {
  const extra = [
    ...("birth_year" in type.fields ? ["birth_date"] : []),
    ...("close_date" in type.derived ? ["close_date"] : []),
    DELETED,
  ];
  return [...Object.keys(type.fields), ...extra];
}

/** The known names of a type. */
interface KnownNames {
  /** All targets. If a column fits several, the first of them gets it. */
  readonly targets: readonly string[];
  readonly byName: ReadonlyMap<string, readonly Meaning[]>;
}

const knownNames = once((type: RecordType): KnownNames => {
  const byName = new Map<string, Meaning[]>();
  const listed = namesByTarget(type);
  for (const [target, names] of listed) {
    for (const [rank, name] of names.entries()) {
      byName.set(name, [...(byName.get(name) ?? []), { target, rank }]);
    }
  }
  return { targets: [...listed.keys()], byName };
});

/** Returns the targets of a type. If a column fits several, the first one gets it. */
export const rankedTargets = (type: RecordType): readonly string[] => knownNames(type).targets;

function namesByTarget(type: RecordType): ReadonlyMap<string, readonly string[]> {
  const known = new Map(listedNames(type));
  for (const [alias, field] of Object.entries(type.aliases)) {
    known.set(field, [plainName(alias), ...(known.get(field) ?? [])]);
  }
  const withOwn = [...known].map(([target, names]): [string, readonly string[]] => {
    const own = plainName(target);
    return [target, [...new Set(names.includes(own) ? names : [own, ...names])]];
  });
  return new Map(withOwn);
}

/**
 * Maps each column to the fields that it could be read into. `byHand` lists the fields that options assign columns to.
 */
export function meaningsOf(
  type: RecordType,
  headings: readonly string[],
  byHand: readonly string[],
): ReadonlyMap<string, readonly Meaning[]> {
  const named = headings.map((heading) => [heading, namesOf(type, heading)] as const);
  const present = new Set([
    ...named.flatMap(([, { name, shorter }]) => [name, ...shorter]),
    ...byHand.map(plainName),
  ]);
  return new Map(
    named.map(([heading, names]) => [
      heading,
      meaningsIn(type, names).filter(({ target, rank }) => {
        // A task's "Subject" is its title, unless another column contains the type of its subject.
        const isSubject = rank === 0 && target === type.subject?.id;
        if (isSubject && !present.has(plainName(type.subject.type))) return false;
        // Columns named "Birthday" contain dates, but a column named `birth_day` contains the field with this name.
        return target in type.fields || target === DELETED || !(heading in type.fields);
      }),
    ]),
  );
}

/** The normalized forms of a column's name. */
interface ColumnNames {
  readonly name: string;
  readonly whole: string;
  /** The name without a leading record type. Several types may be possible. */
  readonly shorter: readonly string[];
}

/**
 * Returns a column's meanings. Its complete name takes precedence over individual words, and both take precedence over
 * the name without the record type.
 */
function meaningsIn(type: RecordType, names: ColumnNames): readonly Meaning[] {
  const { byName } = knownNames(type);
  const listed = byName.get(names.name);
  const inBrackets = names.whole === names.name ? undefined : byWords(type, names.whole);
  if (inBrackets !== undefined) return inBrackets;
  if (listed !== undefined) return listed;
  const worded = byWords(type, names.name);
  if (worded !== undefined) return worded;
  const shortened = names.shorter.flatMap((name) => byName.get(name) ?? []);
  return shortened.map(({ target, rank }) => ({ target, rank: rank + 0.5 }));
}

function byWords(type: RecordType, name: string): readonly Meaning[] | undefined {
  const column = contactColumn(name);
  if (column !== undefined) return contactMeanings(type, column);
  const isSocial = "social_dict_list" in type.fields && socialPlatform(name) !== undefined;
  return isSocial ? [{ target: "social_dict_list", rank: 1 }] : undefined;
}

/**
 * Returns the meanings of an email or phone column. If the type has no email field, an email address identifies the
 * contact or account that the record refers to.
 */
function contactMeanings(type: RecordType, column: ContactColumn): readonly Meaning[] | undefined {
  const { field, rank, isCompany } = column;
  if (field in type.fields) {
    const own = isCompany && type.isCompany ? rank - 60 : rank;
    return [{ target: field, rank: 1 + own / 1000 }];
  }
  if (field === "phone") return undefined;
  const reference = isCompany ? "account_id" : "contact_id";
  const target = reference in type.fields ? reference : "subject";
  return target in type.fields ? [{ target, rank: 0.5 }] : undefined;
}

/** Caches normalized column names, because all columns of an NDJSON file are matched again for each new member name. */
const namesIn = once(() => new Map<string, ColumnNames>());
const NAMES_MAX = 5000;
const NAMED_CHARACTERS = 200;

function namesOf(type: RecordType, heading: string): ColumnNames {
  const known = namesIn(type);
  const found = known.get(heading);
  if (found !== undefined) return found;
  if (known.size === NAMES_MAX) known.clear();
  const names = readNames(type, heading);
  if (heading.length <= NAMED_CHARACTERS) known.set(heading, names);
  return names;
}

/** Dynamics adds this prefix to columns for its own use: "(Do Not Modify) Account". */
const NOT_TO_MODIFY = /^\(Do Not Modify\)\s*/i;
/** Some APIs nest a record's fields: `properties.email`. */
const CONTAINER = /^(?:properties|attributes|fields)[./]\s*/i;

function readNames(type: RecordType, heading: string): ColumnNames {
  const text = heading
    .replace(/ \(\d+\)$/, "")
    .replace(/__c$/, "")
    .replace(NOT_TO_MODIFY, "do not modify ")
    .replace(CONTAINER, "");
  const name = plainName(text);
  const shorter = prefixesOf(type)
    .filter((prefix) => name.startsWith(prefix) && name.length > prefix.length)
    .map((prefix) => name.slice(prefix.length));
  return { name, whole: wholeName(text), shorter };
}

/** Returns the record types that a task's subject can have if it is read from this column. */
export function subjectTypes(type: RecordType, heading: string): readonly RecordName[] {
  const { name, shorter } = namesOf(type, heading);
  const listed = [name, ...shorter].flatMap((known) => {
    const found = type.imports?.subjects?.find(({ names }) => names.includes(known));
    const others = found?.hasOthers ? SUBJECT_TYPES.values() : [];
    return [...(found?.types ?? []), ...others];
  });
  if (listed.length > 0) return [...new Set(listed)];
  return contactColumn(name)?.isCompany === true ? ["account"] : ["contact", "lead"];
}

/** Returns the field with this name or alias in an option, or undefined if the type has none. */
export function targetOf(type: RecordType, name: string): string | undefined {
  const field = type.aliases[name] ?? name;
  return targetsOf(type).includes(field) ? field : undefined;
}
