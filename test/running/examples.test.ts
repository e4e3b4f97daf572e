/** The examples in the help work as shown: a shell splits them, and their command accepts every argument. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { promisify } from "node:util";
import { COMMANDS } from "../../src/command-table.ts";
import { UsageError } from "../../src/commands/index.ts";
import { FIRST_EXAMPLES } from "../../src/commands/line/help.ts";
import { findCommand, parseWords, unknownCommand } from "../../src/commands/line/index.ts";
import { closest, editsBetween } from "../../src/commands/line/suggest.ts";
import { folder } from "./leadport.ts";

const run = promisify(execFile);

/** Returns the arguments that a line passes to `leadport`, as bash splits them. */
async function wordsOf(t: TestContext, line: string): Promise<readonly string[]> {
  const home = folder(t);
  mkdirSync(join(home, ".config/fish/completions"), { recursive: true });
  writeFileSync(join(home, "leads.ndjson"), "");
  const written = join(home, "words");
  const script = `leadport() { printf '%s\\0' "$@" > "$WORDS"; }; ${line}`;
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, WORDS: written };
  await run("bash", ["-euc", script], { cwd: home, env });
  return readFileSync(written, "utf8").split("\0").slice(0, -1);
}

async function assertParses(t: TestContext, line: string, expected?: string): Promise<void> {
  const found = findCommand(COMMANDS, await wordsOf(t, line));
  assert.ok(found, line);
  if (expected !== undefined) assert.equal(found.name, expected, line);
  const { command } = await found.entry.load();
  const { positionals } = parseWords(found.name, command, found.rest);
  const places = command.positionals ?? [];
  for (const [at, place] of places.entries()) {
    const choices = command.choices?.[place];
    if (choices) assert.ok(choices.includes(positionals[at] ?? ""), `${line}: ${positionals[at]}`);
  }
}

for (const [name, entry] of Object.entries(COMMANDS)) {
  test(`the examples of \`leadport ${name}\` parse, and its choices belong to it`, async (t) => {
    const { command } = await entry.load();
    for (const example of command.examples) await assertParses(t, example, name);
    const known = [...(command.positionals ?? []), ...Object.keys(command.options ?? {})];
    const unknown = Object.keys(command.choices ?? {}).filter((key) => !known.includes(key));
    assert.deepEqual(unknown, []);
  });
}

test("the examples of the overview parse", async (t) => {
  for (const example of FIRST_EXAMPLES) await assertParses(t, example);
});

const EDITS: readonly (readonly [string, string, number])[] = [
  ["start", "start", 0],
  ["strat", "start", 1],
  ["exprot", "export", 1],
  ["tenat", "tenant", 1],
  ["lsit", "list", 1],
  ["", "key", 3],
  ["kitten", "sitting", 3],
  ["ca", "abc", 3],
];
test("edits are letters inserted, deleted, replaced or swapped", () => {
  for (const [from, to, edits] of EDITS) {
    assert.equal(editsBetween(from, to), edits, `${from} ${to}`);
    assert.equal(editsBetween(to, from), edits, `${to} ${from}`);
  }
  const names = ["start", "serve", "key"];
  const meant = (typed: string) => closest(names.map((name) => [typed, name]));
  assert.deepEqual(["strt", "sreve", "kye", "fly", "restart"].map(meant), [
    "start",
    "serve",
    "key",
    undefined,
    "start",
  ]);
});

const MEANT: readonly (readonly [words: string, meant: string | undefined])[] = [
  ["strat", "start"],
  ["improt leads x.csv", "import"],
  ["tenants list", "tenant list"],
  ["tenant lst", "tenant list"],
  ["tokne create --tenant x", "token create"],
  ["-version", "--version"],
  ["--hepl", "--help"],
  ["fly", undefined],
  ["--fly", undefined],
];
for (const [words, meant] of MEANT) {
  test(`\`leadport ${words}\` suggests ${meant ?? "nothing"}`, () => {
    const message = unknownCommand(COMMANDS, words.split(" "));
    assert.match(message, /^Unknown (command `leadport .*`|option -\S+)\./);
    const [, question] = /Did you mean `leadport (.*)`\?$/.exec(message) ?? [];
    assert.equal(question, meant);
  });
}

const WRONG: readonly (readonly [name: string, words: string, message: RegExp])[] = [
  ["tenant list", "--jsn", /^`leadport tenant list` has no option --jsn\. Did you mean --json\?\n/],
  ["export", "leads --fromat csv", /no option --fromat\. Did you mean --format\?\n/],
  ["export", "leads -x", /no option -x\.\nRun `leadport export --help`/],
  ["import", "leads", /<file> is missing\.\nUsage: leadport import <type> <file> \[options\]$/],
  ["import", "", /<type> <file> is missing\./],
  ["key", "one two", /"one" "two" is not expected\.\nUsage: leadport key \[options\]$/],
  ["export", "leads --out", /--out <value>/],
  ["tenant list", "--json=1", /--json/],
];
for (const [name, words, message] of WRONG) {
  test(`\`leadport ${name} ${words}\` is reported in a sentence`, async () => {
    const { command } = (await COMMANDS[name]?.load()) ?? {};
    assert.ok(command);
    const parse = () => parseWords(name, command, words.split(" ").filter(Boolean));
    assert.throws(parse, (error) => error instanceof UsageError && message.test(error.message));
  });
}
