/**
 * `npm run test:mutation`: breaks important lines of the service one by one in a copy of the
 * project. Each mutation must make a test fail within a minute. `--help` explains the options.
 */

import { spawn } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startTestServer } from "../../test/kit/server.ts";
import { copyProject, TextMissing, type Copy } from "./copy.ts";
import type { Mutation } from "./mutation.ts";
import { MUTATIONS } from "./mutations.ts";

const HELP = `Usage: npm run test:mutation -- [options]

Breaks ${MUTATIONS.length} important lines of src/ one by one and expects the tests that the list names to fail.

  --only <name>    Run this mutation only. Can be given several times.
  --list           Print the mutations and exit.
  --no-baseline    Do not first check that the tests pass without a mutation.
  --help           Print this text.

Exits with 0 if a test failed for every mutation, with 1 if a mutation survived,
and with 2 if a text to replace no longer exists or a test fails without a mutation.
`;

/** The time limit for all of a mutation's tests. The first failure ends them. */
const WITHIN_ms = 60_000;
/** How long a test waits for something that the mutation may prevent. */
const PATIENCE_s = 10;

/** The result of test files: the first failure, or none. */
interface Outcome {
  readonly failure: string | undefined;
  readonly isLate: boolean;
  readonly took_s: number;
}

interface Ground {
  readonly copy: Copy;
  readonly databaseUrl: string;
}

/** Runs test files one after the other until a test fails or the time is up. */
async function runTests(
  ground: Ground,
  tests: readonly string[],
  within_ms: number,
): Promise<Outcome> {
  const started_ms = performance.now();
  const passed_ms = () => performance.now() - started_ms;
  for (const test of tests) {
    const { failure, isLate } = await runFile(ground, test, within_ms - passed_ms());
    if (failure !== undefined || isLate) return { failure, isLate, took_s: passed_ms() / 1000 };
  }
  return { failure: undefined, isLate: false, took_s: passed_ms() / 1000 };
}

/** Runs a test file, and stops it at its first failure. */
function runFile(
  { copy, databaseUrl }: Ground,
  test: string,
  within_ms: number,
): Promise<Omit<Outcome, "took_s">> {
  const path = join("test", test);
  const child = spawn(process.execPath, ["--test-reporter=tap", path], {
    cwd: copy.folder,
    env: {
      ...process.env,
      TEST_DATABASE_URL: databaseUrl,
      TEST_PATIENCE_S: String(PATIENCE_s),
      NODE_TEST_CONTEXT: undefined,
    },
    stdio: ["ignore", "pipe", "pipe"],
    // A test may start processes, which are killed with the process group.
    detached: true,
  });
  const end = (signal: NodeJS.Signals): void => {
    try {
      process.kill(-(child.pid ?? 0), signal);
    } catch {
      // The process has already exited.
    }
  };
  let printed = "";
  let failure: string | undefined;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    end("SIGTERM");
  }, within_ms);
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
    const failed = /^ *not ok \d+ - (.*)$/m.exec(printed)?.[1];
    if (failed === undefined || failure !== undefined) return;
    failure = `${test}: ${failed}`;
    end("SIGTERM");
  });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  return new Promise((resolve) => {
    child.once("close", (code) => {
      clearTimeout(timer);
      // A file that cannot be loaded prints no test results.
      if (failure === undefined && !isLate && code !== 0) {
        failure = `${test}: ended with ${code}: ${errors.trim().split("\n").at(-1) ?? ""}`;
      }
      end("SIGKILL");
      resolve({ failure, isLate });
    });
  });
}

/**
 * Returns the test files that fail even without a mutation. A failure of these files proves nothing about a mutation.
 */
async function failBefore(ground: Ground, mutations: readonly Mutation[]): Promise<string[]> {
  const files = [...new Set(mutations.flatMap(({ tests }) => tests))];
  const failures: string[] = [];
  for (const [at, file] of files.entries()) {
    const { failure, isLate, took_s } = await runTests(ground, [file], 10 * WITHIN_ms);
    const result = failure ?? (isLate ? "not finished in ten minutes" : "passes");
    console.log(`  ${at + 1}/${files.length} ${file}: ${result} (${took_s.toFixed(1)} s)`);
    if (failure !== undefined || isLate) failures.push(file);
  }
  return failures;
}

interface Row {
  readonly name: string;
  readonly result: "killed" | "survived" | "missing";
  readonly detail: string;
}

async function judge(ground: Ground, mutation: Mutation): Promise<Row> {
  const { name, tests, why } = mutation;
  try {
    const { failure, isLate, took_s } = await ground.copy.mutated(mutation, () =>
      runTests(ground, tests, WITHIN_ms),
    );
    const took = `${took_s.toFixed(1)} s`;
    if (failure !== undefined) return { name, result: "killed", detail: `${took}, ${failure}` };
    const what = isLate ? "no test failed within a minute" : `all tests passed in ${took}`;
    return { name, result: "survived", detail: `${what}. ${why}` };
  } catch (error) {
    if (error instanceof TextMissing) return { name, result: "missing", detail: error.message };
    throw error;
  }
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: "string", multiple: true },
      list: { type: "boolean" },
      "no-baseline": { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return 0;
  }
  const unknown = (values.only ?? []).filter(
    (name) => !MUTATIONS.some((mutation) => mutation.name === name),
  );
  if (unknown.length > 0) {
    console.error(`There is no mutation ${unknown.join(", ")}. --list prints them.`);
    return 2;
  }
  const mutations = MUTATIONS.filter(({ name }) => values.only?.includes(name) !== false);
  if (values.list === true) {
    for (const { name, file, why } of mutations) console.log(`${name}  src/${file}  ${why}`);
    return 0;
  }
  const server = await startTestServer();
  const copy = copyProject();
  process.once("exit", copy.remove);
  const ground = { copy, databaseUrl: server.url };
  try {
    if (values["no-baseline"] !== true) {
      console.log("The tests without a mutation:");
      const failing = await failBefore(ground, mutations);
      if (failing.length > 0) {
        console.error(`These fail without a mutation: ${failing.join(", ")}`);
        return 2;
      }
    }
    const rows: Row[] = [];
    for (const mutation of mutations) {
      const row = await judge(ground, mutation);
      rows.push(row);
      const place = `${rows.length}/${mutations.length}`;
      console.log(`${place} ${row.result.padEnd(8)} ${row.name}: ${row.detail}`);
    }
    return summarize(rows);
  } finally {
    copy.remove();
    await server.stop();
  }
}

function summarize(rows: readonly Row[]): number {
  const named = (result: Row["result"]) => rows.filter((row) => row.result === result);
  const survived = named("survived");
  const missing = named("missing");
  console.log(
    `\n${named("killed").length} of ${rows.length} mutations made a test fail, ` +
      `${survived.length} survived, ${missing.length} have no text in the source.`,
  );
  for (const { name, detail } of [...survived, ...missing]) console.log(`  ${name}: ${detail}`);
  if (missing.length > 0) return 2;
  return survived.length > 0 ? 1 : 0;
}

process.exitCode = await main();
