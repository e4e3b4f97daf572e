/** An index.ts exports few names: a folder that needs many contains several subjects. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import test from "node:test";
import { parseSync } from "oxc-parser";
import { readSources, type Source } from "../../tools/sources.ts";

const NAMES_MAX = 40;

type File = Pick<Source, "path" | "text">;

/** Returns the names that a file exports, including all names of the files in `export *`. */
function exportsOf(files: readonly File[], path: string): ReadonlySet<string> {
  const text = files.find((file) => file.path === path)?.text;
  assert.ok(text !== undefined, `there is no ${path}`);
  const entries = parseSync(path, text).module.staticExports.flatMap((found) => found.entries);
  return new Set(
    entries.flatMap(({ exportName, moduleRequest }) =>
      exportName.name === null && moduleRequest !== null
        ? [...exportsOf(files, join(dirname(path), moduleRequest.value))]
        : [exportName.name ?? "default"],
    ),
  );
}

/** Returns the indexes that export too many names, and the `export * as`, which only hides how many there are. */
const wideIndexes = (files: readonly File[], most = NAMES_MAX): readonly string[] =>
  files
    .filter(({ path }) => /(^|\/)index\.ts$/.test(path))
    .flatMap(({ path, text }) => {
      const { size } = exportsOf(files, path);
      const bundles = text.match(/export \* as \w+/g) ?? [];
      return [...(size > most ? [`${path}: ${size} names`] : []), ...bundles];
    });

for (const folder of ["src", "console/src"])
  test(`an index.ts of ${folder} exports at most ${NAMES_MAX} names`, () => {
    const files = readSources(folder);
    assert.ok(files.length > 100, "the sources are found");
    assert.deepEqual(wideIndexes(files), []);
  });

test("names that are exported directly, by name and by `export *` are counted", () => {
  const text = `export const a = 1, b = 2;\nexport type { C, d as e } from "./c.ts";\nexport * from "./f.ts";`;
  const files = [
    { path: "x/index.ts", text },
    { path: "x/f.ts", text: "export interface F {}\nexport function a() {}" },
    { path: "y/index.ts", text: 'export * as all from "../x/index.ts";' },
  ];
  assert.deepEqual(wideIndexes(files, 5), ["export * as all"]);
  assert.deepEqual(wideIndexes(files, 4), ["x/index.ts: 5 names", "export * as all"]);
});
