/** Which records the fields of a row refer to. They are looked up later, many rows at once. */

import type { RecordName } from "../records/index.ts";
import type { Mapping } from "./mapping.ts";
import type { Draft } from "./row-completion.ts";
import { cellText, mapped, rendered } from "./row-text.ts";
import type { Row } from "./rows.ts";

/** What the subject of a task can be. Other words are stored unchecked. */
const SUBJECTS: ReadonlyMap<string, RecordName> = new Map([
  ["", "contact"],
  ["lead", "lead"],
  ["contact", "contact"],
  ["account", "account"],
  ["deal", "deal"],
  ["opportunity", "deal"],
  ["invoice", "invoice"],
  ["order", "order"],
]);

/** The type of the record that a target names; undefined if it names none. */
export function referredType(row: Row, target: string, mapping: Mapping): RecordName | undefined {
  const field = mapping.type.fields[target];
  if (field?.kind === "reference") return field.to;
  if (target !== "subject") return undefined;
  const [heading] = mapping.sources.get("subject_type") ?? [];
  const cell = heading === undefined ? "" : cellText(row, heading, mapping);
  const word = mapped(mapping, "subject_type", rendered(row, "subject_type", mapping) || cell);
  return SUBJECTS.get(word.trim().toLowerCase());
}

/** Adds the records that a row names to its draft. */
export function wantReference(
  row: Row,
  { target, to }: { readonly target: string; readonly to: RecordName },
  mapping: Mapping,
  draft: Draft,
): void {
  const made = { heading: target, text: rendered(row, target, mapping).trim() };
  const cells = (mapping.sources.get(target) ?? []).map((heading) => ({
    heading,
    text: cellText(row, heading, mapping).trim(),
  }));
  const named = made.text === "" ? cells.filter(({ text }) => text !== "") : [made];
  const first = named[0];
  if (first === undefined) return;
  draft.references.push({
    field: target,
    to,
    texts: [...new Set(named.map(({ text }) => mapped(mapping, target, text)))],
    heading: first.heading,
    byDefault: false,
  });
}
