/**
 * `npm run bench -- <name> [options]` runs a benchmark. Exits with 0 if all targets are met, with 1 if one is missed, and
 * with 2 if the command line is invalid or the benchmark could not be completed.
 */

import { compare } from "./compare/compare.ts";
import { growth } from "./compare/growth.ts";
import { exchange } from "./exchange/exchange.ts";
import { guard } from "./guard/guard.ts";
import { limit } from "./limit/limit.ts";
import { browser } from "./lists/browser.ts";
import { lists } from "./lists/lists.ts";
import { start } from "./start/start.ts";
import { upgrade } from "./upgrade/upgrade.ts";
import { helpOf, isUsage, parse, type Benchmark } from "./options.ts";

const BENCHMARKS: ReadonlyMap<string, Benchmark> = new Map(
  Object.entries({ guard, compare, limit, growth, lists, browser, exchange, start, upgrade }),
);

const listed = [...BENCHMARKS].map(([name, { does }]) => `  ${name.padEnd(10)}${does}`);
const usage = [
  "npm run bench -- <name> [options]",
  "",
  ...listed,
  "",
  "<name> --help prints its options.",
];

const [name = "--help", ...args] = process.argv.slice(2);
const benchmark = BENCHMARKS.get(name);
if (benchmark !== undefined) await runIt(name, benchmark);
else if (name === "--help") console.log(usage.join("\n"));
else fail(`There is no benchmark ${JSON.stringify(name)}.\n\n${usage.join("\n")}`);

async function runIt(name: string, benchmark: Benchmark): Promise<void> {
  try {
    const given = parse(benchmark, args);
    if (given === undefined) return console.log(helpOf(name, benchmark));
    process.exitCode = (await benchmark.run(given.values, given.positionals)) ? 0 : 1;
  } catch (error) {
    if (!isUsage(error)) return fail(String((error as Error).stack));
    fail(`${error.message}\n\n${helpOf(name, benchmark)}`);
  }
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 2;
}
