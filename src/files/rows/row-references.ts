/** Determines how to look up the records that a row refers to: by id, external id, domain, email address or name. */

import { type RecordName, SUBJECT_TYPES } from "../../records/types/index.ts";
import type { Mapping, Template } from "../columns/index.ts";
import { plainName, subjectTypes } from "../headings/index.ts";
import { cellText, mapped, rendered } from "./row-texts.ts";
import type { Row } from "../read/index.ts";

/** A record that a field refers to. */
export interface WantedReference {
  readonly field: string;
  /** The values in the row that identify the record, best first. */
  readonly names: readonly ReferenceName[];
  /** Whether this is the default account rather than a value from the row. */
  readonly byDefault: boolean;
}

/** A string in a row that identifies a record: an id, an external id, a domain, an email address or an exact name. */
export interface ReferenceName {
  readonly to: RecordName;
  readonly text: string;
  /** The column of the string, for messages and notes. */
  readonly heading: string;
  readonly kind: "id" | "domain" | "address" | "name";
}

/**
 * The outcome of looking up a reference. The first row that refers to a newly created record has the outcome `created`.
 */
export const LINK_OUTCOMES = ["matched", "created", "not_found", "ambiguous"] as const;

export interface Link {
  readonly field: string;
  readonly outcome: (typeof LINK_OUTCOMES)[number];
}

/** Returns the name that users know the record by. If the row has no name, returns its id, domain or address. */
export const displayNameOf = ({ names }: WantedReference): string =>
  (names.find(({ kind }) => kind === "name") ?? names[0])?.text ?? "";

/**
 * Returns a function that maps a column name to the record types that the target can refer to. Returns undefined if the
 * target is not a reference. The type of a task's subject comes from the row if possible, and otherwise from the column
 * name.
 */
export function referredTypes(
  row: Row,
  target: string,
  mapping: Mapping,
): ((heading: string) => readonly RecordName[]) | undefined {
  const { type } = mapping;
  const field = type.fields[target];
  if (field?.kind === "reference") return () => [field.to];
  if (target !== "subject") return undefined;
  const subjectType = subjectTypeIn(row, mapping);
  if (subjectType === "") return (heading) => subjectTypes(type, heading);
  const word = subjectType.toLowerCase();
  const known = SUBJECT_TYPES.get(word) ?? SUBJECT_TYPES.values().find((name) => name === word);
  return known && (() => [known]);
}

/** Returns the type of the row's subject, from its template or column. */
function subjectTypeIn(row: Row, mapping: Mapping): string {
  const [heading] = mapping.sources.get("subject_type") ?? [];
  const cell = heading === undefined ? "" : cellText(row, heading, mapping);
  return mapped(mapping, "subject_type", rendered(row, "subject_type", mapping) || cell).trim();
}

interface NamedRecord {
  readonly target: string;
  readonly typesOf: (heading: string) => readonly RecordName[];
}

/** Returns the reference in one field of a row, from its template or columns, or undefined if it is empty. */
export function referenceIn(
  row: Row,
  { target, typesOf }: NamedRecord,
  mapping: Mapping,
): WantedReference | undefined {
  const names = new Map<string, ReferenceName>();
  for (const { heading, text, kind } of textsIn(row, target, mapping)) {
    for (const part of kind === "id" ? [text, ...idsIn(text)] : [text]) {
      const name = mapped(mapping, target, part);
      for (const to of typesOf(heading)) {
        const key = `${to} ${name}`;
        if (!names.has(key)) names.set(key, { to, text: name, heading, kind });
      }
    }
  }
  if (names.size === 0) return undefined;
  return { field: target, names: [...names.values()], byDefault: false };
}

type NamedText = Omit<ReferenceName, "to">;

/**
 * Returns the values that identify a reference: the result of its template or, if that is empty, all non-empty columns.
 */
function textsIn(row: Row, target: string, mapping: Mapping): readonly NamedText[] {
  const made = rendered(row, target, mapping).trim();
  if (made !== "") {
    // If a template consists of a single column, its result identifies records in the same way as that column.
    const { parts, literals } = mapping.templates.get(target) as Template;
    const [column] = literals.every((literal) => literal.trim() === "") ? parts : [];
    return [{ heading: column ?? target, text: made, kind: kindOf(column ?? "", made) }];
  }
  return (mapping.sources.get(target) ?? []).flatMap((heading) => {
    const text = cellText(row, heading, mapping).trim();
    return text === "" ? [] : [{ heading, text, kind: kindOf(heading, text) }];
  });
}

function kindOf(heading: string, text: string): ReferenceName["kind"] {
  const name = plainName(heading);
  if (/(?:ids?|uuid|guid)$/.test(name)) return "id";
  if (/domain|website|url$/.test(name)) return "domain";
  return text.includes("@") ? "address" : "name";
}

const IDS_MAX = 20;

/**
 * Splits a cell that may contain several ids, such as "77;78". The caller tries the whole string first, because it may
 * also be a single id.
 */
function idsIn(text: string): readonly string[] {
  const ids = text.split(/[;,|]/, IDS_MAX).map((id) => id.trim());
  return ids.filter((id) => id !== "");
}
