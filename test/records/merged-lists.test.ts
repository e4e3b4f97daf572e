/** The lists of merged records, computed without a database. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../src/platform/json/index.ts";
import { mergedValues, unmergedValues } from "../../src/records/merge/merge-values.ts";
import { draftOf } from "../../src/records/body/present.ts";
import { BUILT_IN_TYPES } from "../../src/records/types/index.ts";

const TYPE = BUILT_IN_TYPES.account;

/** An account with these values. */
const account = (values: JsonObject) => ({
  body: { ...draftOf(TYPE, { name: "Example" }, "US").values, ...values },
  internal: {},
  version: 1,
});

/** Returns a function that creates list elements with a member that can be read at most `most` times in total. */
function limitedElements(most: number) {
  let reads = 0;
  return (from: number, to: number, name: string): readonly JsonObject[] =>
    Array.from({ length: to - from }, (_, at) => ({
      type: "Other",
      get [name]() {
        reads += 1;
        assert.ok(reads <= most, "The elements were read too often");
        return `${from + at}`;
      },
    }));
}

test("a merge combines long lists without comparing each element with every other one", () => {
  const elements = limitedElements(2 * 6 * 300);
  const records = Array.from({ length: 6 }, (_, at) =>
    account({ social_dict_list: elements(at * 150, at * 150 + 300, "url") }),
  );
  const [survivor, ...others] = records as [ReturnType<typeof account>];
  const { values } = mergedValues(TYPE, survivor, others);
  const urls = (values["social_dict_list"] as readonly JsonObject[]).map(({ url }) => url);
  assert.deepEqual(urls, [...Array(1000).keys()].map(String));
});

test("a merge reads no more elements than the combined list can have", () => {
  const elements = limitedElements(2 * 1000);
  const records = Array.from({ length: 21 }, (_, at) =>
    account({ social_dict_list: elements(at * 1000, (at + 1) * 1000, "url") }),
  );
  const [survivor, ...others] = records as [ReturnType<typeof account>];
  const { values } = mergedValues(TYPE, survivor, others);
  assert.equal((values["social_dict_list"] as readonly unknown[]).length, 1000);
});

for (const [field, name] of [
  ["social_dict_list", "url"],
  ["phone_list", "phone"],
] as const) {
  test(`an undo removes the elements of a long ${field} without comparing each one with every other one`, () => {
    const elements = limitedElements(3 * (400 + 800 + 900));
    const before = elements(0, 400, name);
    const after = elements(0, 800, name);
    const survivor = account({ [field]: elements(0, 900, name) });
    const { values } = unmergedValues(TYPE, survivor, { [field]: [before, after] });
    const left = (values[field] as readonly JsonObject[]).map((entry) => Number(entry[name]));
    assert.deepEqual(
      left,
      [...Array(900).keys()].filter((at) => at < 400 || at >= 800),
    );
  });
}

test("elements of merged lists are equal regardless of the order of their members", () => {
  const first = { type: "a", url: "b", more: { c: 1, d: [2] } };
  const reordered = { more: { d: [2], c: 1 }, url: "b", type: "a" };
  const second = { type: "a", url: "b", more: { c: 1, d: [3] } };
  const survivor = account({ social_dict_list: [first] });
  const other = account({ social_dict_list: [reordered, second] });
  const { values } = mergedValues(TYPE, survivor, [other]);
  assert.deepEqual(values["social_dict_list"], [first, second]);
});
