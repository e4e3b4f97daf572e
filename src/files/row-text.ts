/** The texts of a row: of a cell, and of a template over several cells. */

import { textOf } from "./cell.ts";
import { plainWord, type Mapping } from "./mapping.ts";
import type { Row } from "./rows.ts";
import { renderTemplate } from "./template.ts";

/** A cell's text after the value map of its heading. */
export function cellText(row: Row, heading: string, { values }: Mapping): string {
  const text = textOf(row.cells.get(heading)) ?? "";
  return values.get(heading)?.get(plainWord(text)) ?? text;
}

/** The text that the template of a target gives; empty without a template. */
export function rendered(row: Row, target: string, mapping: Mapping): string {
  const template = mapping.templates.get(target);
  if (template === undefined) return "";
  return renderTemplate(template, (part) => cellText(row, part, mapping));
}

/** A text after the value map of a field. */
export const mapped = ({ values }: Mapping, target: string, text: string) =>
  values.get(target)?.get(plainWord(text)) ?? text;
