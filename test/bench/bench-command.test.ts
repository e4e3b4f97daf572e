/** The command line of the benchmarks. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { isUsage, numberOf, parse, UsageError, type Benchmark } from "../../bench/options.ts";
import { ROOT } from "../../tools/sources.ts";

const bench = (...args: readonly string[]) =>
  spawnSync(process.execPath, [join(ROOT, "bench/main.ts"), ...args], { encoding: "utf8" });

const NAMES = "guard compare limit growth lists browser exchange start upgrade".split(" ");

test("without a name, the benchmarks are listed, each with one line, and the README shows how to run them", () => {
  const readme = readFileSync(join(ROOT, "bench/README.md"), "utf8");
  const { status, stdout } = bench();
  const listed = [...stdout.matchAll(/^ {2}(\w+) +\S.*$/gm)].map(([, name]) => name);
  assert.deepEqual({ status, listed }, { status: 0, listed: NAMES });
  assert.deepEqual(
    NAMES.filter((name) => !readme.includes(`\nnpm run bench -- ${name} `)),
    [],
  );
});

test("an unknown name is an error that lists the names", () => {
  const { status, stdout, stderr } = bench("reads");
  assert.deepEqual({ status, stdout }, { status: 2, stdout: "" });
  assert.match(stderr, /^There is no benchmark "reads"\.$/m);
  for (const name of NAMES) assert.match(stderr, new RegExp(`^  ${name} `, "m"));
});

test("a benchmark prints its options, and rejects a missing commit with exit code 2", () => {
  const help = bench("guard", "--help");
  assert.equal(help.status, 0);
  assert.match(help.stdout, /^npm run bench -- guard <commit> \[options\]$/m);
  assert.match(help.stdout, /^ {2}--rounds <number> .*\(20\)$/m);
  const { status, stderr } = bench("guard");
  assert.equal(status, 2);
  assert.match(stderr, /^Name one commit to compare with$/m);
});

const BENCHMARK: Benchmark = {
  does: "Nothing",
  takes: "<commit>",
  options: {
    rows: { value: "<number>", fallback: "10", doc: "Rows." },
    quick: { value: "", fallback: "", doc: "Quickly." },
  },
  run: () => Promise.resolve(true),
};

for (const { args, expected } of [
  { args: [], expected: { rows: "10", quick: "", positionals: [] } },
  { args: ["main", "--quick"], expected: { rows: "10", quick: "true", positionals: ["main"] } },
  { args: ["--rows=7", "main"], expected: { rows: "7", quick: "", positionals: ["main"] } },
]) {
  test(`the options ${JSON.stringify(args)} are read`, () => {
    const given = parse(BENCHMARK, args);
    assert.deepEqual({ ...given?.values, positionals: given?.positionals }, expected);
  });
}

for (const args of [["--row", "7"], ["--rows"], ["--quick=7"]]) {
  test(`the options ${JSON.stringify(args)} are rejected`, () =>
    assert.throws(() => parse(BENCHMARK, args), isUsage));
}

test("an argument is rejected if the benchmark takes none", () => {
  const { takes: _, ...benchmark } = BENCHMARK;
  assert.throws(() => parse(benchmark, ["main"]), isUsage);
});

for (const text of ["", "-1", "1.5", "x", "1e3"]) {
  test(`${JSON.stringify(text)} is not a whole number`, () =>
    assert.throws(() => numberOf({ rows: text }, "rows"), UsageError));
}
