/** Columns such as "Mail Address" that hold postal addresses instead of email addresses. */

import { contactColumn } from "./contact-headings.ts";
import { plainName } from "./heading-meanings.ts";
import type { Row } from "../read/index.ts";

/** The columns whose names leave it open, and of which most filled cells of these rows have no @. */
export function postalColumns(
  headings: readonly string[],
  rows: readonly Row[],
): ReadonlySet<string> {
  const open = headings.filter((name) => contactColumn(plainName(name))?.isMaybePostal === true);
  return new Set(
    open.filter((name) => {
      const cells = rows.map(({ cells: all }) => JSON.stringify(all.get(name) ?? ""));
      const filled = cells.filter((text) => /[\p{L}\p{N}]/u.test(text));
      return filled.filter((text) => text.includes("@")).length * 2 < filled.length;
    }),
  );
}
