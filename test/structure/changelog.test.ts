/** The form of the files in changelog.d/, from which the next section of CHANGELOG.md is assembled. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { sectionOf, withSection } from "../../tools/release/changelog.ts";
import { ROOT } from "../../tools/sources.ts";

/** The maximum length of a line, as in the other pages. */
const LINE_MAX = 140;

/** Returns what is wrong with a file, or undefined. */
function faultOf(name: string, text: string): string | undefined {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*\.md$/.test(name)) return "its name is not <topic>.md in kebab-case";
  if (!/^(Added|Changed|Fixed|Removed|Security): \S/.test(text))
    return "it starts with no category";
  if (!/^([^\n]+\n)+$/.test(text)) return "it is not a single paragraph";
  if (!/[.)]\n$/.test(text)) return "its last sentence has no end";
  if (text.split("\n").some(({ length }) => length > LINE_MAX)) return "it has a long line";
  return undefined;
}

test("each file in changelog.d is one change: a paragraph that starts with its category", () => {
  const folder = join(ROOT, "changelog.d");
  const faults = readdirSync(folder)
    .filter((name) => name !== ".gitkeep")
    .map((name) => [name, faultOf(name, readFileSync(join(folder, name), "utf8"))])
    .filter(([, fault]) => fault !== undefined);
  assert.deepEqual(faults, []);
});

const WRONG: readonly (readonly [name: string, text: string, fault: RegExp])[] = [
  ["Lost_Reason.md", "Added: A field.\n", /name/],
  ["lost-reason.txt", "Added: A field.\n", /name/],
  ["lost-reason.md", "New: A field.\n", /category/],
  ["lost-reason.md", "Added:\nA field.\n", /category/],
  ["lost-reason.md", "Added: A field.\n\nAnother one.\n", /paragraph/],
  ["lost-reason.md", "Added: A field", /paragraph/],
  ["lost-reason.md", "Added: A field\n", /end/],
  ["lost-reason.md", `Added: ${"A field. ".repeat(20)}It is new.\n`, /long/],
];

test("a wrong file is found", () => {
  assert.equal(faultOf("lost-reason.md", "Added: A field for deals.\nIt is new.\n"), undefined);
  for (const [name, text, fault] of WRONG) assert.match(faultOf(name, text) ?? "", fault, text);
});

test("a release moves the changes to the changelog by category, with links and wrapped lines", () => {
  const long = `Fixed: ${"A long change. ".repeat(12).trim()}\n`;
  const section = sectionOf("1.2.0 (2030-01-31)", [
    long,
    "Added: A field. See\n[docs/records.md](../docs/records.md).\n",
    "Added: Another field.\n",
  ]);
  const [head, added, items, fixed, wrapped = "", ...others] = section.split("\n\n");
  assert.deepEqual(
    [head, added, items, fixed],
    [
      "## 1.2.0 (2030-01-31)",
      "**Added**",
      "- A field. See [docs/records.md](docs/records.md).\n- Another field.",
      "**Fixed**",
    ],
  );
  assert.deepEqual(others, []);
  const lines = wrapped.split("\n");
  assert.ok(lines.length === 2 && lines.every(({ length }) => length <= LINE_MAX));
  assert.match(wrapped, /^- A long [^]*\n {2}\S/);
  const changelog = withSection("# Changelog\n\nText.\n\n## 1.1.0\n\nOld.\n", section);
  assert.ok(changelog.startsWith(`# Changelog\n\nText.\n\n${section}\n\n## 1.1.0\n\nOld.\n`));
});
