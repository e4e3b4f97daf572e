/** The columns that each field is read from, and how to read them. Compiled once per mapping. */

import { once } from "../../platform/cache/index.ts";
import { type Field, isLongText } from "../../records/types/index.ts";
import type { Mapping } from "../columns/index.ts";
import type { ColumnStyle } from "../formats/index.ts";
import { DELETED } from "../headings/index.ts";
import { cellReader, type ReadCell } from "./cell.ts";

/** A target: a field, or a part of a record that files contain, such as the birth date or the close date. */
export interface TargetColumns {
  readonly target: string;
  readonly field: Field;
  readonly isLongText: boolean;
  /** The columns, best first. */
  readonly headings: readonly string[];
  /** The columns in the target's template. */
  readonly parts: readonly string[];
  /** Values of this field that show that a record is closed. Empty for other fields. */
  readonly closedValues: readonly string[];
  /** The formats and readers by column. The target itself stands for the result of its template. */
  readonly styles: ReadonlyMap<string, ColumnStyle>;
  readonly readers: ReadonlyMap<string, ReadCell>;
}

/** Returns how to read a column. The result of a template has the format of its first column. */
export function styleOf(target: string, heading: string, mapping: Mapping): ColumnStyle {
  const { styles, plainStyle, templates } = mapping;
  const [part] = heading === target ? (templates.get(target)?.parts ?? []) : [];
  return styles.get(heading) ?? styles.get(part ?? "") ?? plainStyle;
}

/** Returns the columns of all targets. */
export const targetColumns = once((mapping: Mapping): readonly TargetColumns[] => {
  const { sources, templates } = mapping;
  const targets = new Set([...templates.keys(), ...sources.keys()]);
  targets.delete(DELETED);
  return [...targets].map((target) => columnsOf(target, mapping));
});

function columnsOf(target: string, mapping: Mapping): TargetColumns {
  const { type, sources, templates } = mapping;
  const known = type.fields[target];
  // Targets that are not fields are dates.
  const field: Field = known ?? { kind: "epoch" };
  const headings = sources.get(target) ?? [];
  const closing = type.derived["close_date"];
  const isClosing = closing?.kind === "moment" && closing.field === target;
  const styles = new Map(
    [target, ...headings].map((name) => [name, styleOf(target, name, mapping)]),
  );
  const readers = [...styles].map(
    ([name, style]) => [name, cellReader(target, field, style, mapping)] as const,
  );
  return {
    target,
    field,
    isLongText: isLongText(known),
    headings,
    parts: templates.get(target)?.parts ?? [],
    closedValues: isClosing ? closing.values : [],
    styles,
    readers: new Map(readers),
  };
}
