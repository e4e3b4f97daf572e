/** Formatting phone numbers, relative times and custom members, and looking up names in batches. */

import assert from "node:assert/strict";
import test from "node:test";
import { phoneEntry, type CountryCode } from "../../../src/records/contact-details/phone.ts";
import { inBatches } from "../../../console/src/names/in-batches.ts";
import { dayOf, isOver, startOfDay } from "../../../console/src/ui/days/days.ts";
import { relative } from "../../../console/src/ui/format/format.ts";
import { memberLabel, memberText } from "../../../console/src/ui/format/members.ts";
import { canDial, phoneAddress, phoneText } from "../../../console/src/ui/format/phones.ts";
import { typedNumber } from "../../../console/src/ui/format/typed-number.ts";

test("numbers of the default country are national, all others international", () => {
  const cases: readonly (readonly [typed: string, home: CountryCode, text: string])[] = [
    ["+1 212 555 0142", "US", "(212) 555-0142"],
    ["+1 212 555 0142", "GB", "+1 212 555 0142"],
    ["+1 416 555 0142", "US", "+1 416 555 0142"],
    ["+44 20 7946 0123", "US", "+44 20 7946 0123"],
    ["020 7946 0123", "GB", "020 7946 0123"],
    ["+49 30 123456", "GB", "+49 30 123456"],
    ["+33 1 42 34 56 78", "US", "+33 1 42 34 56 78"],
    ["+39 06 1234 5678", "US", "+39 06 1234 5678"],
    ["+40 21 312 3456", "US", "+40 21 312 3456"],
    ["+380 44 123 4567", "US", "+380 44 123 4567"],
    ["+7 495 123-45-67", "US", "+7 495 123 45 67"],
    ["+420 224 123 456", "US", "+420 224 123 456"],
    ["+54 9 11 2345 6789", "US", "+54 91123456789"],
    ["+800 1234 5678", "US", "+800 1234 5678"],
    ["+44 20 7946 0123 ext. 7", "US", "+44 20 7946 0123 ext. 7"],
    ["(212) 555-0142 ext. 7", "US", "(212) 555-0142 ext. 7"],
    ["call me", "US", "call me"],
  ];
  for (const [typed, home, text] of cases) {
    assert.equal(phoneText(phoneEntry(typed, home), home), text, `${typed} in ${home}`);
  }
});

test("a number has its country code where the reader's country is unknown", () => {
  assert.equal(phoneText(phoneEntry("070-174 06 11", "SE")), "+46 70 174 06 11");
  assert.equal(phoneText(phoneEntry("+800 1234 5678", "SE")), "+800 1234 5678");
});

test("a text without digits cannot be dialed", () => {
  assert.deepEqual(
    ["+46 70", "7", "not a phone", ""].map((phone) => canDial({ phone })),
    [true, true, false, false],
  );
});

test("a phone link has all digits with the country code", () => {
  assert.equal(phoneAddress(phoneEntry("020 7946 0123 ext. 7", "GB")), "+442079460123");
  assert.equal(phoneAddress(phoneEntry("call me", "GB")), "call me");
});

test("relative times use words, and days are calendar days", () => {
  const now = new Date(2026, 5, 15, 12, 0).getTime();
  const at = (...parts: [number, number, number, number?]) =>
    relative(new Date(parts[0], parts[1], parts[2], parts[3] ?? 12).getTime() / 1000, now);
  const cases: readonly (readonly [string, string])[] = [
    [relative(now / 1000 - 59, now), "now"],
    [relative(now / 1000 - 60, now), "1 minute ago"],
    [relative(now / 1000 + 3 * 3600, now), "in 3 hours"],
    [at(2026, 5, 14, 23), "13 hours ago"],
    [at(2026, 5, 14, 11), "yesterday"],
    // 37 hours ago falls on the day before yesterday.
    [at(2026, 5, 13, 23), "2 days ago"],
    [at(2026, 5, 16, 13), "tomorrow"],
    [at(2026, 5, 8), "1 week ago"],
    [at(2026, 4, 16), "4 weeks ago"],
    [at(2026, 4, 15), "1 month ago"],
    [at(2025, 5, 16), "11 months ago"],
    [at(2025, 5, 15), "1 year ago"],
    [at(2028, 7, 15), "in 2 years"],
  ];
  for (const [text, expected] of cases) assert.equal(text, expected);
});

test("members of nested objects are shown as labels and values", () => {
  assert.equal(memberLabel("min_price"), "Min price");
  assert.equal(memberLabel("maxPrice"), "Max price");
  const value = {
    min_price: 250_000,
    yearBuilt: 2019,
    has_berth: true,
    areas: ["North quay", "Old harbour"],
    nothing: null,
    address: { zip_code: "0150", rooms: [{ size: 3 }, { size: 4 }] },
  };
  assert.equal(
    memberText(value),
    "Min price: 250,000; Year built: 2019; Has berth: Yes; Areas: North quay, Old harbour; Address: (Zip code: 0150; Rooms: Size: 3, Size: 4)",
  );
  assert.equal(memberText({ deep: { deeper: [] } }), "–");
});

test("names requested together are read with one request, up to the limit", async () => {
  const requests: string[][] = [];
  const nameOf = inBatches(async (ids) => {
    requests.push([...ids]);
    return new Map(ids.filter((id) => id !== "gone").map((id) => [id, `name of ${id}`]));
  }, 3);
  const names = await Promise.all(["a", "b", "a", "gone", "c", "d"].map(nameOf));
  assert.deepEqual(requests, [
    ["a", "b", "gone"],
    ["c", "d"],
  ]);
  assert.deepEqual(names, [
    "name of a",
    "name of b",
    "name of a",
    undefined,
    "name of c",
    "name of d",
  ]);
  assert.equal(await nameOf("e"), "name of e");
  assert.equal(requests.length, 3);
});

test("a failed request fails for all its names, and the next lookup sends a new request", async () => {
  let count = 0;
  const nameOf = inBatches(async () => {
    count += 1;
    if (count === 1) throw new Error("offline");
    return new Map([["a", "Ann"]]);
  }, 10);
  await assert.rejects(Promise.all([nameOf("a"), nameOf("b")]), /offline/);
  assert.equal(await nameOf("a"), "Ann");
});

test("typed text is a number if JavaScript can store it exactly", () => {
  const cases: readonly (readonly [typed: number | string, read: number | string])[] = [
    [5, 5],
    ["1500.50", 1500.5],
    ["0.0", 0],
    ["12.", 12],
    [".5", 0.5],
    ["-07", -7],
    ["999999999999999", 999_999_999_999_999],
    ["12345678901234567", "12345678901234567"],
    ["", ""],
    ["-", "-"],
    [".", "."],
    ["1e5", "1e5"],
  ];
  for (const [typed, read] of cases) assert.equal(typedNumber(typed), read, String(typed));
});

test("a date is over when its day is, at any time of that day", () => {
  const noon = new Date(2026, 5, 15, 12).getTime() / 1000;
  const midnight = startOfDay(dayOf(noon));
  assert.deepEqual(
    [midnight - 1, midnight, noon, noon + 86_400].map((at) => isOver(at, noon)),
    [true, false, false, false],
  );
});
