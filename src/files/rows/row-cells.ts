/** Reads a row's cells using the formats of their columns, and determines which column to read a field from. */

import {
  DELETED,
  type Mapping,
  plainWord,
  readFlag,
  readMoment,
  renderTemplate,
} from "../columns/index.ts";
import { type CellContext, readCell, textOf } from "./cell.ts";
import type { Row } from "../read/index.ts";

/** Returns a cell's text after applying its column's value map. */
export function cellText(row: Row, heading: string, { values }: Mapping): string {
  const text = textOf(row.cells.get(heading)) ?? "";
  return values.get(heading)?.get(plainWord(text)) ?? text;
}

/** Returns the result of a target's template, or an empty string if it has no template. */
export function rendered(row: Row, target: string, mapping: Mapping): string {
  const template = mapping.templates.get(target);
  if (template === undefined) return "";
  return renderTemplate(template, (part) => cellText(row, part, mapping));
}

/** Returns a value after applying a field's value map. */
export const mapped = ({ values }: Mapping, target: string, text: string): string =>
  values.get(target)?.get(plainWord(text)) ?? text;

/** Returns how to read a column's cells into a field. For the result of a template, `heading` is the target. */
export function contextOf(target: string, heading: string, mapping: Mapping): CellContext {
  const { type, values, styles, plainStyle, templates, ownExport, format } = mapping;
  // If a template takes a value from a column, the value has that column's format.
  const [part] = heading === target ? (templates.get(target)?.parts ?? []) : [];
  return {
    type,
    target,
    style: styles.get(heading) ?? styles.get(part ?? "") ?? plainStyle,
    words: values.get(target),
    ownExport,
    format,
  };
}

/**
 * Returns the column to read a field from: the best one that is not empty in the row. In some exports, the last stage
 * of a deal does not show that it is closed, but another column does. In that case, the other column takes precedence.
 */
export function bestHeading(row: Row, target: string, mapping: Mapping): string | undefined {
  const headings = mapping.sources.get(target) ?? [];
  const isFilled = (heading: string): boolean => {
    const text = cellText(row, heading, mapping);
    // Leadport's own exports contain the exact strings, even if they consist only of spaces.
    return (mapping.ownExport ? text : text.trim()) !== "";
  };
  if (headings.length < 2) return headings.find(isFilled);
  const filled = headings.filter(isFilled);
  const closing = mapping.type.derived["close_date"];
  const field = mapping.type.fields[target];
  if (closing?.kind !== "moment" || closing.field !== target) return filled[0];
  const closed = filled.find((heading) => {
    const text = cellText(row, heading, mapping);
    const read = field && readCell(field, text, contextOf(target, heading, mapping));
    return read !== undefined && "value" in read && closing.values.includes(String(read.value));
  });
  return closed ?? filled[0];
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
    const moment_s = readMoment(text, contextOf(DELETED, heading, mapping).style.dates);
    return moment_s !== undefined && moment_s >= DAY_s && moment_s <= mapping.now_s;
  });
