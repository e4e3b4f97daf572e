/** Automated checks of the sizes of files and folders, and of the comment at the start of each file. */

import assert from "node:assert/strict";
import { dirname } from "node:path";
import { test } from "node:test";
import { readSources, type Source } from "../../tools/sources.ts";
import { check } from "./check.ts";

const LINES_MAX = 300;
/** For files whose opening comment states why they are longer. */
const LONGER_LINES_MAX = 350;
const FILES_MAX = 20;
const DEPTH_MAX = 3;

const TEST_LINES_MAX = 500;
const TEST_FILES_MAX = 25;

/** Folders and files of `test` that are larger, with their current sizes. The sizes must not increase. */
const LARGER_TESTS: Readonly<Record<string, number>> = {
  conformance: 28,
  kit: 35,
  platform: 32,
  "files/imports/export-columns.ts": 811,
  "files/imports/row-input.test.ts": 637,
};

const OPENING = /^\/\*\*(?: ?\S|\n)[^]*?\*\//;
const openingOf = ({ text }: Pick<Source, "text">): string => OPENING.exec(text)?.[0] ?? "";

const linesOf = ({ text }: Pick<Source, "text">): number => text.split("\n").length - 1;

function tooLong(source: Pick<Source, "text">): readonly string[] {
  const lines = linesOf(source);
  const isJustified = /\bLonger than 300 lines because \S/.test(openingOf(source));
  return lines > (isJustified ? LONGER_LINES_MAX : LINES_MAX) ? [`${lines} lines`] : [];
}

/** These files of the client are generated from openapi.json. */
const GENERATED = new Set(["api.ts", "records.ts", "resources.ts"]);

const written = [
  ["src", readSources("src")],
  ["console/src", readSources("console/src")],
  ["sdk/src", readSources("sdk/src").filter(({ path }) => !GENERATED.has(path))],
] as const;

for (const [folder, sources] of written) {
  test(`a file of ${folder} has at most 300 lines, or 350 with a reason`, () =>
    check(sources, tooLong));

  test(`a folder of ${folder} has at most 20 files and is at most three levels deep`, () => {
    const folders = [...Map.groupBy(sources, ({ path }) => dirname(path))];
    const found = folders.filter(
      ([name, files]) => files.length > FILES_MAX || name.split("/").length > DEPTH_MAX,
    );
    assert.deepEqual(
      found.map(([name, { length }]) => `${name}: ${length}`),
      [],
    );
  });
}

const fileOf = (comment: string, lines: number) => ({
  text: `/** ${comment} */\n${"//\n".repeat(lines - 1)}`,
});

test("a file of more than 300 lines states the reason in its opening comment", () => {
  const reason = "Routes. Longer than 300 lines because every route is listed in one place.";
  assert.deepEqual(tooLong(fileOf("Routes.", 300)), []);
  assert.deepEqual(tooLong(fileOf("Routes.", 301)), ["301 lines"]);
  assert.deepEqual(tooLong(fileOf(reason, 350)), []);
  assert.deepEqual(tooLong(fileOf(reason, 351)), ["351 lines"]);
  const later = { text: `/** Routes. */\n/* ${reason} */\n${"//\n".repeat(300)}` };
  assert.deepEqual(tooLong(later), ["302 lines"]);
});

for (const [folder, sources] of written)
  if (folder !== "console/src")
    test(`every file of ${folder} begins with its purpose`, () =>
      check(sources, (source) => (openingOf(source) === "" ? ["no opening comment"] : [])));

test("a folder of tests has at most 25 files, and a file of tests at most 500 lines", () => {
  const tests = readSources("test");
  const folders = [...Map.groupBy(tests, ({ path }) => dirname(path))];
  const sizes: readonly (readonly [name: string, size: number, most: number])[] = [
    ...folders.map(([name, { length }]) => [name, length, TEST_FILES_MAX] as const),
    ...tests.map((file) => [file.path, linesOf(file), TEST_LINES_MAX] as const),
  ];
  const larger = sizes.filter(([, size, most]) => size > most);
  const increased = larger.filter(([name, size]) => size > (LARGER_TESTS[name] ?? 0));
  const noLonger = Object.keys(LARGER_TESTS).filter(
    (listed) => !larger.some(([name]) => name === listed),
  );
  assert.ok(tests.length > 300, "the tests are found");
  assert.deepEqual(increased, []);
  assert.deepEqual(noLonger, [], "Remove these from LARGER_TESTS.");
});
