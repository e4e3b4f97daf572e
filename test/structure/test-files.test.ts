/**
 * Automated checks of test files: everything that a file starts must end with the file, and tests may wait in only one
 * way.
 */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { parseSync, Visitor } from "oxc-parser";
import { ROOT } from "../../tools/sources.ts";

/**
 * Calls that start something that outlives a test, such as a server or a process. For each of these calls, `test/kit/started.ts` has a function
 * that also stops what was started.
 */
const STARTS = new Set([
  "spawn",
  "fork",
  "mkdtemp",
  "mkdtempSync",
  "createSocket",
  "postgres",
  "connect",
  "createConnection",
  "startEmbedded",
  "startTestServer",
  "buildApp",
  "startWorker",
  "startDeliveries",
  "startDispatch",
]);

/** These files have another way of stopping what they start. */
const EXEMPT = new Set([
  "kit/started.ts",
  // A handle passes the call on.
  "kit/sql.ts",
  // The runner's own server: the global teardown stops it.
  "kit/global-setup.ts",
  "kit/server.ts",
  "reliability/report.ts",
  // These run in a separate process, which the test ends.
  "kit/left-server.ts",
  "delivery/worker-process.ts",
  "events/dispatch-process.ts",
  "exchange/callouts/webhook-worker.ts",
  "reliability/attack.ts",
  "reliability/attacks/shares.ts",
]);

interface TestFile {
  readonly path: string;
  readonly text: string;
}

const FOLDER = join(ROOT, "test");
const files: readonly TestFile[] = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => ({ path, text: readFileSync(join(FOLDER, path), "utf8") }));

/** Asserts that no file violates a rule; on failure, lists the violations with their files. */
function check(rule: (file: TestFile) => readonly string[]): void {
  assert.ok(files.length > 300, "the test files are found");
  const found = files.flatMap((file) => rule(file).map((what) => `test/${file.path}: ${what}`));
  assert.deepEqual(found, []);
}

interface Call {
  readonly name: string;
  readonly start: number;
}

/**
 * Returns calls of imported functions, and of the method `listen`, each with the source of the
 * enclosing function.
 */
function callsIn({ path, text }: TestFile): readonly (Call & { readonly around: string })[] {
  const { program } = parseSync(path, text);
  const imported = new Set<string>();
  const functions: { readonly start: number; readonly end: number }[] = [];
  const calls: Call[] = [];
  const note = ({ start, end }: { start: number; end: number }) =>
    void functions.push({ start, end });
  new Visitor({
    FunctionDeclaration: note,
    FunctionExpression: note,
    ArrowFunctionExpression: note,
    ImportDeclaration: ({ specifiers }) => {
      for (const { local } of specifiers) imported.add(local.name);
    },
    CallExpression: ({ callee, start }) => {
      if (callee.type === "Identifier" && imported.has(callee.name) && STARTS.has(callee.name)) {
        calls.push({ name: callee.name, start });
      }
      if (
        callee.type === "MemberExpression" &&
        text.slice(callee.end - 7, callee.end) === ".listen"
      ) {
        calls.push({ name: "listen", start });
      }
    },
  }).visit(program);
  return calls.map((call) => {
    // The outermost function around the call: a test, or a helper of the file. For a call outside
    // of functions, it is the whole file.
    const outer = functions.find(({ start, end }) => start <= call.start && call.start < end);
    return { ...call, around: outer === undefined ? text : text.slice(outer.start, outer.end) };
  });
}

/** A server that `listening` stops also closes the connections behind it. */
const ENDS = /\b(atEnd|listening)\(|\bfinally\b/;

test("whatever a test starts is stopped where it is started, also if the test fails", () =>
  check((file) => {
    if (EXEMPT.has(file.path)) return [];
    return callsIn(file)
      .filter(({ around }) => !ENDS.test(around))
      .map(({ name, start }) => {
        const line = file.text.slice(0, start).split("\n").length;
        return `${name}() in line ${line} needs atEnd(), or a function of test/kit/started.ts`;
      });
  }));

test("what ends with a test is registered with atEnd, which stops everything in the right order", () =>
  check(({ path, text }) =>
    path === "kit/started.ts" || path === "kit/folder.ts"
      ? []
      : (text.match(/(?<![\w.])after\(|\bt\.after\(/g) ?? []),
  ));

test("every test file is run, by the all.ts of its folder or in a separate process", () => {
  const tests = files.filter(({ path }) => /\.(test|more|long)\.ts$/.test(path));
  const runners = new Set(files.map(({ path }) => path).filter((path) => /\ball\.ts$/.test(path)));
  const folders = new Set(tests.map(({ path }) => dirname(path)));
  folders.delete("separate");
  assert.deepEqual(
    [...folders].filter((folder) => !runners.has(`${folder}/all.ts`)),
    [],
  );
});

test("a test polls with eventually(), which gives up and shows what it last read", () =>
  check(({ path, text }) =>
    path === "kit/eventually.ts"
      ? []
      : (text.match(
          /\b(while|for) \([^\n]*\b(sleep|delay|setTimeout)\([^\n]*|\b(while|for) \([^\n]*\bperformance\.now\(\)[^\n]*sleep/g,
        ) ?? []),
  ));

// Chromium evaluates the condition of waitForFunction in the page. After the first try, the Content-Security-Policy of
// the pages prevents this. On a busy machine, it may never call the function given to requestIdleCallback.
test("a browser test waits with eventually() for what no locator shows", () =>
  check(({ text }) => text.match(/\b(waitForFunction|requestIdleCallback)\(/g) ?? []));

// Some kernels count processor time in steps of 4 ms, and every machine has its own speed.
test("a test limits long work with endsInTime() instead of comparing processor times", () =>
  check(({ text }) => text.match(/\b(cpuUsage|threadCpuUsage|eventLoopUtilization)\(/g) ?? []));
