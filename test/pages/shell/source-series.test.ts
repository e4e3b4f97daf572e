/** The chart of lead sources: each source has the same color in every chart. */

import assert from "node:assert/strict";
import test from "node:test";
import { colorOf, seriesOf } from "../../../console/src/home/source-series.ts";
import { LEAD_SOURCES } from "../../../src/records/types/index.ts";

const DAYS = ["2026-01-01", "2026-01-02"];
const PERIODS = { interval: "day", starts: DAYS } as const;

const read = (counts: Readonly<Record<string, number>>) =>
  seriesOf(
    {
      groups: Object.entries(counts).map(([value, count], at) => ({
        value,
        count,
        period: DAYS[at % 2] ?? null,
      })),
    },
    PERIODS,
    "Other",
  );

test("every source has its own color, different from that of the combined rest", () => {
  const colors = [...LEAD_SOURCES, "Other"].map(colorOf);
  assert.equal(new Set(colors).size, LEAD_SOURCES.length + 1);
});

const colorsOf = (counts: Readonly<Record<string, number>>) =>
  Object.fromEntries(read(counts).series.map(({ name, color }) => [name, color]));

const names = (counts: Readonly<Record<string, number>>) =>
  read(counts).series.map(({ name }) => name);

test("the color of a source does not depend on its rank or on the order of the response", () => {
  const few = colorsOf({ Referral: 1, Google: 9 });
  const more = colorsOf({ Google: 1, Yelp: 4, Referral: 9, SMS: 5 });
  assert.equal(few["Google"], more["Google"]);
  assert.equal(few["Referral"], more["Referral"]);
  assert.deepEqual(colorsOf({ Google: 2, Yelp: 2 }), colorsOf({ Yelp: 2, Google: 2 }));
});

test("the largest five have series in order of size, the others share one", () => {
  const counts = { SMS: 1, Yelp: 2, Bing: 3, Google: 7, Reddit: 5, Yahoo: 4, TikTok: 6 };
  const { series, rows, total } = read(counts);
  assert.deepEqual(
    series.map(({ name }) => name),
    ["Google", "TikTok", "Reddit", "Yahoo", "Bing", "Other"],
  );
  assert.equal(total, 28);
  assert.deepEqual(rows, [
    ["2026-01-01", { Other: 1, Bing: 3, Reddit: 5, TikTok: 6 }],
    ["2026-01-02", { Other: 2, Google: 7, Yahoo: 4 }],
  ]);
});

test("equal counts are ordered by name", () => {
  assert.deepEqual(names({ Yelp: 2, Bing: 2 }), ["Bing", "Yelp"]);
  assert.deepEqual(names({ Bing: 2, Yelp: 2 }), ["Bing", "Yelp"]);
});
