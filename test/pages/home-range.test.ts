/** The periods covered by the charts on the home page. */

import assert from "node:assert/strict";
import test from "node:test";
import { periodOf, periodsOf } from "../../console/src/home/range.ts";

test("periods end today, start on whole weeks and months, and have no gaps", () => {
  const month = periodsOf("month", "2026-03-02");
  assert.equal(month.starts.length, 30);
  assert.deepEqual([month.starts[0], month.starts.at(-1)], ["2026-02-01", "2026-03-02"]);
  const quarter = periodsOf("quarter", "2026-03-04");
  assert.ok(quarter.starts.every((day) => new Date(`${day}T00:00:00Z`).getUTCDay() === 1));
  assert.equal(quarter.starts.at(-1), "2026-03-02");
  const year = periodsOf("year", "2026-03-31");
  assert.deepEqual([year.starts[0], year.starts.at(-1)], ["2025-04-01", "2026-03-01"]);
  assert.equal(year.starts.length, 12);
  assert.equal(periodOf("2026-11-22", "week"), "2026-11-16");
});
