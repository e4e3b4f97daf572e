/** The texts of a row after applying the mapping's value maps and templates. */

import { type Mapping, plainWord, renderTemplate } from "../columns/index.ts";
import type { Row } from "../read/index.ts";
import { textOf } from "./cell.ts";

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
