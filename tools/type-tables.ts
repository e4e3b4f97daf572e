/**
 * Writes the table rows derived from the record types into docs/event-webhooks.md (events) and
 * docs/filters.md (fields that lists can be filtered by).
 *
 *     node tools/type-tables.ts
 */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventNames } from "../src/events/event-types.ts";
import { BUILT_IN_TYPES } from "../src/records/types/index.ts";
import { ROOT } from "./sources.ts";

const deletable = Object.values(BUILT_IN_TYPES)
  .filter(({ isDeletable }) => isDeletable)
  .map(({ table }) => table);

/** The part of the event name after the dot, and when the event occurs, in row order. */
const OCCASIONS: Readonly<Record<string, string>> = {
  created: "a record was created, by a request, an import or a conversion",
  updated: "a field changed",
  ...Object.fromEntries(
    Object.values(BUILT_IN_TYPES).map(({ statusField }) => [
      `${statusField}_changed`,
      `the ${statusField} changed`,
    ]),
  ),
  converted: "a lead was converted to a contact",
  deleted: `a record was deleted (only ${deletable.join(" and ")} can be deleted), or was erased with a person (\`reason\` is then \`erased\`)`,
  erased:
    "a person was erased: `changed_fields.records.old` lists the types and ids of the erased records. The event contains no other data about these records ([privacy.md](privacy.md))",
  merged: "a record was merged into another one",
  restored:
    "a merge was undone: the record exists again under its old id. There is no `created` event",
};

function eventRows(): readonly string[] {
  return Object.entries(OCCASIONS).map(([word, when]) => {
    const names = eventNames.filter(
      (name) => name.endsWith(`.${word}`) && !name.startsWith("pushed_lead."),
    );
    return `| ${names.map((name) => `\`${name}\``).join(" ")} | ${when} |\n`;
  });
}

/** Returns the row for those lists of a type that can be filtered by the same fields. */
const filterRows = (): readonly string[] =>
  Object.values(BUILT_IN_TYPES).flatMap(({ lists }) => {
    const byFields = Object.groupBy(Object.values(lists), ({ filter }) => filter.join(", "));
    return Object.entries(byFields).map(([fields, same = []]) => {
      const paths = same.map(({ path }) => `\`${path}\``).join(", ");
      return `| ${paths} | ${fields} |\n`;
    });
  });

/** The pages, patterns for their generated rows, and the expected rows. */
export const TYPE_TABLES = [
  {
    page: join(ROOT, "docs/event-webhooks.md"),
    row: /^\| `(?!pushed_lead)\w+\.\w+`.*\n/m,
    rows: eventRows,
  },
  { page: join(ROOT, "docs/filters.md"), row: /^\| `\/crm\/.*\n/m, rows: filterRows },
] as const;

/** Returns a page with its rows regenerated. */
export function withTable({ page, row, rows }: (typeof TYPE_TABLES)[number]): string {
  const text = readFileSync(page, "utf8");
  const [before = ""] = text.split(row, 1);
  const others = text.slice(before.length).replaceAll(new RegExp(row, "gm"), "");
  return before + rows().join("") + others;
}

if (import.meta.main) {
  for (const table of TYPE_TABLES) writeFileSync(table.page, withTable(table));
}
