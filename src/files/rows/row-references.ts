/** The records that a row names → what to look up: by id, external id, domain, address or name. */

import { type RecordName, SUBJECT_TYPES } from "../../records/index.ts";
import { type Mapping, plainName, subjectTypes, type Template } from "../columns/index.ts";
import { cellText, mapped, rendered } from "./row-cells.ts";
import type { Row } from "../read/index.ts";

/** A record that a field is to name. */
export interface WantedReference {
  readonly field: string;
  /** What the row says, best first. */
  readonly names: readonly ReferenceName[];
  /** Whether this is the default account and not a word of the row. */
  readonly byDefault: boolean;
}

/** What a row calls a record: an id, an external id, a domain, an address or an exact name. */
export interface ReferenceName {
  readonly to: RecordName;
  readonly text: string;
  /** Its column, for messages and notes. */
  readonly heading: string;
  readonly kind: "id" | "domain" | "address" | "name";
}

/** What became of a reference; `created` for the row for which its record was created. */
export const LINK_OUTCOMES = ["matched", "created", "not_found", "ambiguous"] as const;

export interface Link {
  readonly field: string;
  readonly outcome: (typeof LINK_OUTCOMES)[number];
}

/** What a reader would call the record: its name rather than its id. */
export const calledIn = ({ names }: WantedReference): string =>
  (names.find(({ kind }) => kind === "name") ?? names[0])?.text ?? "";

/**
 * The types of the records that a column of this target names; undefined if it names no record. The
 * subject of a task is of the type that the row says, else of one that the column's name allows.
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
  const known = SUBJECT_TYPES.get(word) ?? SUBJECT_TYPES.values().find(({ name }) => name === word);
  return known && (() => [known.name]);
}

/** What a row says its subject is, by a template or a column. */
function subjectTypeIn(row: Row, mapping: Mapping): string {
  const [heading] = mapping.sources.get("subject_type") ?? [];
  const cell = heading === undefined ? "" : cellText(row, heading, mapping);
  return mapped(mapping, "subject_type", rendered(row, "subject_type", mapping) || cell).trim();
}

interface NamedRecord {
  readonly target: string;
  readonly typesOf: (heading: string) => readonly RecordName[];
}

/** The reference of a row in a field, by its template or columns; undefined if the row names no record there. */
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

/** What a row has for a reference: the text of its template, else its filled columns. */
function textsIn(row: Row, target: string, mapping: Mapping): readonly NamedText[] {
  const made = rendered(row, target, mapping).trim();
  if (made !== "") {
    // A template of one column alone names what that column names.
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

/** A column of ids may hold several of them: "77;78". The whole text may also be one id, and goes first. */
function idsIn(text: string): readonly string[] {
  const ids = text.split(/[;,|]/, IDS_MAX).map((id) => id.trim());
  return ids.filter((id) => id !== "");
}
