/** The periods covered by the charts on the home page. */

import assert from "node:assert/strict";
import test from "node:test";
import { periodOf, periodsOf, startOf } from "../../../console/src/home/range.ts";

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

test("a range starts with the first second of its first day in the time zone", () => {
  const cases: readonly (readonly [timezone: string, day: string, start: string])[] = [
    ["UTC", "2026-11-20", "2026-11-20T00:00:00Z"],
    ["Europe/Paris", "2026-11-20", "2026-11-19T23:00:00Z"],
    ["America/Los_Angeles", "2026-11-20", "2026-11-20T08:00:00Z"],
    ["Pacific/Kiritimati", "2026-11-20", "2026-11-19T10:00:00Z"],
    ["Pacific/Pago_Pago", "2026-11-20", "2026-11-20T11:00:00Z"],
    ["Asia/Kathmandu", "2026-11-20", "2026-11-19T18:15:00Z"],
    // On the days on which clocks are changed, the day starts with the offset of the day before.
    ["Europe/Paris", "2026-03-29", "2026-03-28T23:00:00Z"],
    ["Europe/Paris", "2026-03-30", "2026-03-29T22:00:00Z"],
    ["Europe/Paris", "2026-10-25", "2026-10-24T22:00:00Z"],
    ["Europe/Paris", "2026-10-26", "2026-10-25T23:00:00Z"],
    // In Cairo, the clocks are set forward at midnight, so this day starts at 1:00.
    ["Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00Z"],
  ];
  for (const [timezone, day, start] of cases) {
    const found = startOf({ interval: "day", starts: [day] }, timezone);
    assert.equal(found, start, `${day} in ${timezone}`);
  }
});
