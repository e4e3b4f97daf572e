/** Only the folders of kinds know all kinds. A new kind therefore changes no other module. */

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseSync, Visitor } from "oxc-parser";
import { ROOT, readSources, type Source } from "../../tools/sources.ts";
import { check } from "./check.ts";

/** The names of the kinds in a folder, from their definitions. */
const kindsIn = (folder: string): ReadonlySet<string> =>
  new Set(
    readdirSync(join(ROOT, "src/records", folder)).flatMap((file) => {
      const source = readSources("src").find(({ path }) => path === `records/${folder}/${file}`);
      const names = source?.text.matchAll(/^ {2}readonly kind: "(\w+)";$/gm) ?? [];
      return [...names].map(([, name = ""]) => name);
    }),
  );

const VOCABULARIES = [kindsIn("kinds"), kindsIn("derived")];

/** A module that distinguishes this many kinds must ask the kind instead. */
const KINDS_MIN = 3;

const EXCEPTIONS = new Set([
  // The kinds of columns have some names in common with the kinds of fields.
  "records/columns/storages.ts",
  "records/filter/fields.ts",
  // Mirrors, moments and parts of names also change other members of a draft.
  "records/body/present.ts",
]);

/** Matches every text that can contain a choice. Parsing all other files would take seconds. */
const CANDIDATE = /\bswitch \(|\bkind [!=]==|(?:\b\w+: [^;]*,\s+){2}/;

/** Returns the switches and tables over kinds, and the kinds that a file compares with, as lists of kinds. */
function choicesOf({ path, text }: Pick<Source, "path" | "text">): readonly string[] {
  if (!CANDIDATE.test(text)) return [];
  const compared: string[] = [];
  const choices = [compared];
  new Visitor({
    SwitchStatement: ({ cases }) => {
      const tests = cases.map((one) => one.test);
      choices.push(tests.map((one) => (one?.type === "Literal" ? String(one.value) : "")));
    },
    ObjectExpression: ({ properties }) => {
      const keys = properties.map((one) => (one.type === "Property" ? one.key : undefined));
      choices.push(keys.map((key) => (key?.type === "Identifier" ? key.name : "")));
    },
    BinaryExpression: ({ left, operator, right }) => {
      const isKind = /\bkind$/.test(text.slice(left.start, left.end));
      if (!isKind || !/^[!=]==$/.test(operator) || right.type !== "Literal") return;
      compared.push(String(right.value));
    },
  }).visit(parseSync(path, text).program);
  return choices.flatMap((names) =>
    VOCABULARIES.flatMap((kinds) => {
      const known = [...new Set(names)].filter((name) => kinds.has(name));
      return known.length < KINDS_MIN ? [] : [known.join(", ")];
    }),
  );
}

test("no module outside the folders of kinds chooses between kinds", () =>
  check(readSources("src"), (source) =>
    /^records\/(kinds|derived)\//.test(source.path) || EXCEPTIONS.has(source.path)
      ? []
      : choicesOf(source),
  ));

test("choices between kinds are found", () => {
  assert.deepEqual(
    VOCABULARIES.map(({ size }) => size),
    [15, 10],
  );
  const choosing = [
    'switch (field.kind) { case "text": case "tags": f(); break; case "ssn": g(); }',
    "const TABLE = {\n  text: 1,\n  tags: 2,\n  ssn: 3,\n};",
    'const is = (kind: string) => kind === "copy" || kind === "mirror" || kind !== "product";',
  ];
  const found = choosing.map((text) => choicesOf({ path: "x.ts", text }).length);
  assert.deepEqual(found, [1, 1, 1]);
  const fine = 'const isText = (kind: string) => kind === "text" || kind === "tags";';
  assert.deepEqual(choicesOf({ path: "x.ts", text: fine }), []);
});
