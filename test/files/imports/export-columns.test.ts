/** Common exports: every column is read into the field that the table in export-columns.ts states. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { compileMapping } from "../../../src/files/columns/mapping.ts";
import { isRefused, readRow } from "../../../src/files/rows/row-input.ts";
import { BUILT_IN_TYPES } from "../../../src/records/types/record-types.ts";
import { EXPORTS, type ExportColumns } from "./export-columns.ts";

type Column = readonly [heading: string, field: string | undefined];

const columnsIn = ({ columns }: ExportColumns): readonly Column[] =>
  columns
    .trim()
    .split("\n")
    .map((line): Column => {
      const [heading = "", field = ""] = line.split("→").map((part) => part.trim());
      return [heading, field === "" ? undefined : field];
    });

const compile = ({ type }: ExportColumns, headings: readonly string[]) =>
  compileMapping(
    BUILT_IN_TYPES[type],
    { format: "csv", headings, rows: [] },
    { default_account: "Walk-in" },
  );

/** A sample cell for each field, and its imported value. */
const CELLS: Readonly<Record<string, readonly [cell: string, value: unknown]>> = {
  email: ["ann@one.example", "ann@one.example"],
  phone: ["+1 415 555 0100", "+1 415 555 0100"],
  source: ["google", undefined],
  status: ["closed", undefined],
  stage: ["closed won", undefined],
  tags: ["a; b", ["a", "b"]],
  num_employees: ["1,200", 1200],
  value_of_sale: ["$1,200.50", 1200.5],
  probability_pcnt: ["75", 0.75],
  relationship_type: ["Partner", "partner"],
  priority: ["High", 2],
  action: ["Call", "call"],
  expected_close_date: ["2025-06-15", 1_749_945_600],
  due_date: ["2025-06-15", 1_749_945_600],
  external_id: ["K-7", "K-7"],
};

for (const exported of EXPORTS) {
  const columns = columnsIn(exported);
  const headings = columns.map(([heading]) => heading);

  test(`the columns of ${exported.from} are read into ${exported.type}s`, () => {
    const { report } = compile(exported, headings);
    const read = new Map(
      [...report.matched, ...report.alternatives].map(({ heading, field }) => [heading, field]),
    );
    const found = headings.map((heading) => `${heading} → ${read.get(heading) ?? ""}`);
    assert.deepEqual(
      found,
      columns.map(([heading, field]) => `${heading} → ${field ?? ""}`),
    );
  });

  test(`each filled cell of ${exported.from} arrives in its field`, () => {
    const mapping = compile(exported, headings);
    const required = columns.filter(([, field]) => field === "name" || field === "last_name");
    for (const [heading, field] of columns) {
      if (field === undefined || field === "is_deleted") continue;
      const [cell, value] = CELLS[field] ?? ["2024-03-01", undefined];
      const cells = new Map([...required.map(([name]) => [name, "Ann"] as const), [heading, cell]]);
      const row = readRow({ line: 2, raw: cell, cells }, mapping);
      assert.ok(!isRefused(row), `${heading}: ${JSON.stringify(row)}`);
      if (value !== undefined) assert.deepEqual(row.body[field], value, heading);
      else assert.ok(JSON.stringify(row).includes(heading) || arrives(row, field), heading);
    }
  });
}

/** Whether the row's value for a field was read: as the field itself, as a reference, or under another name. */
function arrives(
  { body, references, closed_ts }: Exclude<ReturnType<typeof readRow>, { reason: string }>,
  field: string,
): boolean {
  if (references.some((reference) => reference.field === field && !reference.byDefault))
    return true;
  if (field === "birth_date") return body["birth_year"] === 2024;
  if (field === "close_date") return closed_ts !== undefined || "expected_close_date" in body;
  if (field === "completed_date") return String(body["description"]).includes("completed_date");
  // No row here sets the stage to lost, so the reason is stored as a note.
  if (field === "lost_reason") {
    return String(body["business_need_description"]).includes(
      "lost_reason in the file: 2024-03-01",
    );
  }
  return body[field] !== undefined;
}
