/** Completion in real shells: bash on every machine, zsh and fish where they are installed. */

import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { promisify } from "node:util";
import { sampleOf } from "../../reference/guide-samples.ts";
import { ROOT } from "../../../tools/sources.ts";
import { folder, leadport } from "../leadport.ts";

const run = promisify(execFile);

const isInstalled = (shell: string): boolean => {
  try {
    execFileSync(shell, ["-c", "true"]);
    return true;
  } catch {
    return false;
  }
};

const TYPES = ["accounts", "contacts", "deals", "invoices", "leads", "orders", "tasks"];
const FILES = ["my people.csv", "people.csv"];

/** A command line up to the cursor, and the possible completions of its last word. */
const CASES: readonly (readonly [line: string, expected: readonly string[]])[] = [
  ["leadport st", ["start"]],
  ["leadport ten", ["tenant"]],
  ["leadport tenant ", "create delete export import list quota restore resume suspend".split(" ")],
  ["leadport tenant q", ["quota"]],
  ["leadport tenant list --j", ["--json"]],
  ["leadport tenant create --cu", ["--currency"]],
  ["leadport person create --role v", ["viewer"]],
  ["leadport import ", TYPES],
  ["leadport import le", ["leads"]],
  ["leadport import --mode up", ["update", "upsert"]],
  ["leadport import --dates dmy le", ["leads"]],
  ["leadport import leads p", ["people.csv"]],
  ["leadport import leads people.csv --create", ["--create-accounts"]],
  ["leadport export leads --format ", ["csv", "ndjson"]],
  ["leadport export leads --out ", FILES],
  ["leadport export --tenant acme ", TYPES],
  ["leadport completion ", ["bash", "fish", "zsh"]],
  ["leadport docs conf", ["configuration"]],
];

/** Returns a folder with a shell's completion script, and files to complete. */
async function prepared(t: TestContext, shell: string): Promise<string> {
  const { code, out, err } = await leadport(t, ["completion", shell]);
  assert.deepEqual([code, err], [0, ""]);
  const home = folder(t);
  writeFileSync(join(home, "script"), out);
  mkdirSync(join(home, "files"));
  for (const name of FILES) writeFileSync(join(home, "files", name), "");
  return home;
}

test("bash completes commands, options, their values and files", async (t) => {
  const home = await prepared(t, "bash");
  const asked = `
    source ../script
    read -ra COMP_WORDS <<< "$1"
    if [[ $1 == *' ' ]]; then COMP_WORDS+=(''); fi
    COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
    _leadport
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  for (const [line, expected] of CASES) {
    const options = { cwd: join(home, "files") };
    const { stdout } = await run("bash", ["-euc", asked, "bash", line], options);
    const offered = stdout.split("\n").filter((word) => word !== "" && word !== "--help");
    assert.deepEqual(offered.toSorted(), expected, line);
  }
});

test("bash finds the function by the name of the command", async (t) => {
  const home = await prepared(t, "bash");
  const { stdout } = await run("bash", ["-c", "source ./script; complete -p leadport"], {
    cwd: home,
  });
  assert.equal(stdout.trim(), "complete -F _leadport leadport");
});

test(
  "fish completes the same",
  { skip: !isInstalled("fish") && "fish is not installed" },
  async (t) => {
    const home = await prepared(t, "fish");
    for (const [line, expected] of CASES) {
      const options = { cwd: join(home, "files"), env: { ...process.env, HOME: home } };
      const script = "source ../script; complete -C $argv[1]";
      const { stdout } = await run("fish", ["--no-config", "-c", script, line], options);
      const offered = stdout
        .split("\n")
        .map((row) => row.split("\t")[0]?.replaceAll("\\ ", " ") ?? "")
        .filter((word) => word !== "" && word !== "--help");
      assert.deepEqual(offered.toSorted(), expected, line);
    }
  },
);

/**
 * Loads the script by its name from a completions folder in a zsh terminal, and presses Tab. Prints
 * the text that completion adds, between two lines with U+0000.
 */
const ZSH = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "source $1"
repeat 4; do
  zpty -r shell line
  if [[ $line == ok* ]]; then break; fi
done
zpty -w shell "$2"$'\\t'
integer marks=0
while zpty -r shell; do :; done | while IFS= read -r line; do
  if [[ $line == *$'\\0\\r' ]]; then (( marks++ )) && break || continue; fi
  (( marks )) && print -r -- "\${line%$'\\r'}"
done
`;

const ZSH_START = `
PROMPT=
fpath=($HOME/functions $fpath)
autoload compinit
compinit -u -D
bindkey '^M' undefined
bindkey '^J' undefined
bindkey '^I' complete-word
mark() { print -r -- $'\\0' }
compprefuncs=(mark)
comppostfuncs=(mark exit)
compadd() {
  if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi
  local -a added
  builtin compadd -A added "$@"
  (( $#added )) && print -rl -- $added
  builtin compadd "$@"
}
print ok
`;

test(
  "zsh completes the same",
  { skip: !isInstalled("zsh") && "zsh is not installed" },
  async (t) => {
    const home = await prepared(t, "zsh");
    mkdirSync(join(home, "functions"));
    copyFileSync(join(home, "script"), join(home, "functions/_leadport"));
    writeFileSync(join(home, "ask"), ZSH);
    writeFileSync(join(home, "start"), ZSH_START);
    for (const [line, expected] of CASES) {
      const offered = await offeredByZsh(home, line);
      assert.deepEqual(offered, expected, line);
    }
  },
);

async function offeredByZsh(home: string, line: string): Promise<readonly string[]> {
  const options = { cwd: join(home, "files"), env: { ...process.env, HOME: home } };
  const asked = ["-f", join(home, "ask"), join(home, "start"), line];
  const { stdout } = await run("zsh", asked, options);
  const words = stdout.split(/[\r\n]+/).filter((word) => word !== "" && word !== "--help");
  return [...new Set(words.map((word) => word.replaceAll("\\ ", " ")))].toSorted();
}

test("`leadport` is on the PATH after `npm link`, and `npx leadport` runs in the checkout", async (t) => {
  const home = folder(t);
  const env = {
    ...process.env,
    npm_config_prefix: home,
    npm_config_cache: join(home, ".npm"),
    npm_config_registry: "http://127.0.0.1:1/",
    npm_config_ignore_scripts: "true",
  };
  const shown = sampleOf("docs/command-line.md", "npx leadport --help").split("\n");
  const [inCheckout = [], link = [], linkedHelp = []] = shown.map((line) =>
    line.replace(/ +#.*/, "").split(" "),
  );
  const [npm = "", ...linking] = link;
  await run(npm, linking, { cwd: ROOT, env });
  const linked = await run(join(home, "bin/leadport"), ["--version"], { cwd: home, env });
  assert.match(linked.stdout, /^leadport \d+\.\d+\.\d+ \(/);
  const [npx = "", ...asked] = inCheckout;
  const through = await run(npx, asked, { cwd: ROOT, env });
  const [command = "", ...asking] = linkedHelp;
  const help = await run(join(home, "bin", command), asking, { cwd: home, env });
  assert.equal(through.stdout, help.stdout);
  assert.match(help.stdout, /^Usage: leadport /m);
});
