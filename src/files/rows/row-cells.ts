/** Finds the cells of a row that belong to a target, and determines what they are used for. */

import type { Mapping } from "../columns/index.ts";
import { DELETED } from "../headings/index.ts";
import { readFlag, readMoment } from "../formats/index.ts";
import type { Row } from "../read/index.ts";
import { referenceIn, referredTypes, type WantedReference } from "./row-references.ts";
import { cellText, mapped, rendered } from "./row-texts.ts";
import { styleOf, type TargetColumns } from "./target-columns.ts";

export interface Cell {
  readonly heading: string;
  /** The value in the file, or the result of a template. */
  readonly cell: unknown;
  /** The text after applying the column's value map. Empty for lists and objects. */
  readonly text: string;
}

/** A use of cells, in the order in which a target is read. */
export type CellUse =
  | { readonly as: "reference"; readonly wanted: WantedReference | undefined }
  /** The result of a template is read. */
  | { readonly as: "template"; readonly cell: Cell }
  /** The first cell with a value is read, and the others become notes if they contain lists or objects. */
  | { readonly as: "value"; readonly cells: readonly Cell[] }
  /** The texts are joined. */
  | { readonly as: "text"; readonly cells: readonly Cell[] }
  /** Lists and objects become notes, because the cells have been read as text. */
  | { readonly as: "note"; readonly cells: readonly Cell[] };

/** Returns the uses of a row's cells for a target. */
export function cellUses(row: Row, columns: TargetColumns, mapping: Mapping): readonly CellUse[] {
  const { target, headings, parts } = columns;
  const cellsOf = (names: readonly string[]): readonly Cell[] =>
    names.map((heading) => ({
      heading,
      cell: row.cells.get(heading),
      text: cellText(row, heading, mapping),
    }));
  const typesOf = referredTypes(row, target, mapping);
  const others = headings.filter((heading) => !parts.includes(heading));
  if (typesOf !== undefined) {
    const wanted = referenceIn(row, { target, typesOf }, mapping);
    return [
      { as: "reference", wanted },
      { as: "note", cells: cellsOf([...parts, ...others]) },
    ];
  }
  const made = rendered(row, target, mapping);
  if (made !== "") {
    return [
      {
        as: "template",
        cell: { heading: target, cell: made, text: mapped(mapping, target, made) },
      },
      { as: "note", cells: cellsOf(parts) },
      // Free text from other columns is appended.
      { as: columns.isLongText ? "text" : "note", cells: cellsOf(others) },
    ];
  }
  const isJoined = columns.isLongText && headings.length > 1;
  const own: CellUse = { as: isJoined ? "text" : "value", cells: cellsOf(headings) };
  const unmapped = parts.filter((part) => !headings.includes(part));
  return unmapped.length === 0 ? [own] : [{ as: "note", cells: cellsOf(unmapped) }, own];
}

const DAY_s = 24 * 60 * 60;

/**
 * Whether the file marks a row as deleted, with a flag or a deletion date. Dates up to 1970-01-01 and dates in the
 * future are placeholders, such as 1900-01-01 and 9999-12-31.
 */
export const isDeleted = (row: Row, mapping: Mapping): boolean =>
  (mapping.sources.get(DELETED) ?? []).some((heading) => {
    const text = cellText(row, heading, mapping).trim();
    const flag = readFlag(text);
    if (flag !== undefined) return flag;
    const moment_s = readMoment(text, styleOf(DELETED, heading, mapping).dates);
    return moment_s !== undefined && moment_s >= DAY_s && moment_s <= mapping.now_s;
  });
