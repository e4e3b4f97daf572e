/**
 * Writes the rows of the table of events that follow from the record types into docs/event-webhooks.md.
 *
 *     node test/structure/events-table.ts
 */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventNames } from "../../src/events/event-types.ts";
import { recordTypes } from "../../src/records/index.ts";
import { ROOT } from "./sources.ts";

const PAGE = join(ROOT, "docs/event-webhooks.md");

const deletable = recordTypes.filter(({ isDeletable }) => isDeletable).map(({ table }) => table);

/** What follows the point, and when the event occurs, in the order of the rows. */
const OCCASIONS: Readonly<Record<string, string>> = {
  created: "a record was made, by whatever way: a request, an import, a conversion",
  updated: "a field has another value",
  ...Object.fromEntries(
    recordTypes.map(({ statusField }) => [`${statusField}_changed`, `that was the ${statusField}`]),
  ),
  converted: "a contact was made of a lead",
  deleted: `a record is gone: today only ${deletable.join(" and ")} can be deleted`,
  merged: "a record went into another one",
  restored:
    "a merge was undone: the record is there again, whole, under its old id. It is no `created`",
};

const ROW = /^\| `(?!pushed_lead)\w+\.\w+`.*\n/m;

/** The page with the rows that follow from the record types. */
export function withEventsTable(page: string): string {
  const rows = Object.entries(OCCASIONS).map(([word, when]) => {
    const names = eventNames.filter(
      (name) => name.endsWith(`.${word}`) && !name.startsWith("pushed_lead."),
    );
    return `| ${names.map((name) => `\`${name}\``).join(" ")} | ${when} |\n`;
  });
  const [before = ""] = page.split(ROW, 1);
  const others = page.slice(before.length).replaceAll(new RegExp(ROW, "gm"), "");
  return before + rows.join("") + others;
}

export const eventsPage = (): string => readFileSync(PAGE, "utf8");

if (import.meta.main) writeFileSync(PAGE, withEventsTable(eventsPage()));
