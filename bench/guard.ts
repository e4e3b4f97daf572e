/**
 * The performance guard: `npm run bench:guard -- <commit>` compares the cost of W1 to W9 between a commit and the
 * working tree. Prints a table, stores it in bench/results/, and exits with 1 if a workload costs more than 1.05 times
 * as much, or with 2 on incorrect usage. The table also shows the throughput of 16 connections.
 */

import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPages, checkOut, commitOf, removeCheckout, workingTree } from "./checkout.ts";
import { costOf, GUARD_LOADS, numberOfLoad, type Cost, type GuardLoad } from "./guard-loads.ts";
import {
  fillSide,
  runSide,
  startSide,
  type Running,
  type Side,
  type Window,
} from "./guard-side.ts";
import { estimate, judge, RATIO_MAX, ROUNDS_MIN } from "./guard-statistics.ts";
import { machineOf } from "./machine.ts";
import { numberOf, parseOptions } from "./options.ts";
import { keep } from "./results.ts";

/** The minimum number of leads. With fewer leads, the list has no deep page. */
const ROWS_MIN = 10_000;
/**
 * The number of times both services are restarted. The costs of two processes that run the same code can differ by a
 * few percent.
 */
const STARTS = 4;

const { name, rounds, rows, loads } = parseOptions(
  {
    usage: "npm run bench:guard -- <commit> [options]",
    does: "Compares the processor time of W1 to W9 at a commit with the working tree.",
    known: {
      rounds: { value: "<number>", fallback: "20", doc: "Rounds of each load, at least." },
      only: { value: "<names>", fallback: "", doc: "Only these loads, such as W1,W4." },
      rows: {
        value: "<number>",
        fallback: "100000",
        doc: "Leads that both sides are filled with.",
      },
    },
  },
  (values, positionals) => {
    const [commit = "", ...others] = positionals;
    if (commit === "" || others.length > 0) throw new Error("Name one commit to compare with");
    const rounds = numberOf(values, "rounds");
    if (rounds < ROUNDS_MIN) throw new Error(`--rounds must be at least ${ROUNDS_MIN}`);
    const rows = numberOf(values, "rows");
    if (rows < ROWS_MIN) throw new Error(`--rows must be at least ${ROWS_MIN}`);
    const wanted = (values["only"] ?? "").split(",").filter(Boolean);
    const known = new Set(GUARD_LOADS.map(numberOfLoad));
    const unknown = wanted.find((one) => !known.has(one));
    if (unknown !== undefined)
      throw new Error(`There is no load ${unknown}: ${[...known].join(", ")}`);
    const loads = GUARD_LOADS.filter(
      (load) => wanted.length === 0 || wanted.includes(numberOfLoad(load)),
    );
    return { name: commit, rounds, rows, loads };
  },
);

interface Pair {
  readonly head: Cost;
  readonly base: Cost;
}

/** Cleanup steps that run when the program exits for any reason, in reverse order. */
const undo: (() => Promise<void> | void)[] = [];
let ending: Promise<void> | undefined;

const end = (): Promise<void> =>
  (ending ??= (async () => {
    for (const work of undo.toReversed()) {
      try {
        await work();
      } catch (error) {
        console.error(`Cleaning up: ${(error as Error).message}`);
      }
    }
  })());

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => {
    console.error("Interrupted: stopping the services and removing what was created.");
    void end().then(() => process.exit(130));
  });
}

/** Starts both sides, fills them if they are still empty, runs the work, and stops them. */
async function withBoth(
  sides: readonly [Side, Side],
  windows: Map<Side, Window>,
  work: (head: Running, base: Running) => Promise<void>,
): Promise<void> {
  const run = async (side: Side): Promise<Running> => {
    const starting = startSide(side);
    undo.push(async () => (await starting).stop());
    const service = await starting;
    const window = windows.get(side) ?? (await fillSide(service, rows));
    windows.set(side, window);
    return runSide(service, window);
  };
  const [head, base] = await Promise.all([run(sides[0]), run(sides[1])]);
  await work(head, base);
  await Promise.all([head.stop(), base.stop()]);
}

/** Runs one warm-up round of both sides, then pairs of rounds. Every other pair begins with the base commit. */
async function addPairs(load: GuardLoad, head: Running, base: Running, pairs: Pair[]) {
  await Promise.all([head.tidy(), base.tidy()]);
  const [roundOfHead, roundOfBase] = [load.start(head), load.start(base)];
  await roundOfHead();
  await roundOfBase();
  const ofHead = () => costOf(head, roundOfHead);
  const ofBase = () => costOf(base, roundOfBase);
  for (let round = 0; round < rounds / STARTS; round++) {
    // The order matters: properties are evaluated in the order in which they are written.
    pairs.push(
      pairs.length % 2 === 0
        ? { head: await ofHead(), base: await ofBase() }
        : { base: await ofBase(), head: await ofHead() },
    );
  }
}

const total = ({ service_us, database_us }: Cost): number => service_us + database_us;
const middle = (values: readonly number[]): number => estimate(values).median;

/** Formats three costs in µs: the service's, the database's, and their sum. */
function costText(costs: readonly Cost[]): string {
  const parts = [
    middle(costs.map(total)),
    middle(costs.map(({ service_us }) => service_us)),
    middle(costs.map(({ database_us }) => database_us)),
  ];
  const [sum, service, database] = parts.map((us) => us.toFixed(us < 100 ? 1 : 0));
  return `${sum} µs (${service} + ${database})`;
}

const TABLE_HEAD = [
  "| workload | description | unit | ratio (95% interval) | result | working tree | commit | throughput |",
  "|---|---|---|---|---|---|---|---|",
].join("\n");

function shownOf(load: GuardLoad, pairs: readonly Pair[]) {
  const ratio = estimate(pairs.map(({ head, base }) => total(head) / total(base)));
  const { isSlower, isOpen } = judge(ratio);
  const throughput = estimate(pairs.map(({ head, base }) => base.took_us / head.took_us));
  const verdict = (isSlower ? "**slower**" : "ok") + (isOpen ? ", open" : "");
  const figures = [ratio.median, ratio.low, ratio.high].map((value) => value.toFixed(3));
  const cells = [
    ...[load.name, load.what, load.unit],
    `${figures[0]} (${figures[1]} to ${figures[2]})`,
    verdict,
    costText(pairs.map(({ head }) => head)),
    costText(pairs.map(({ base }) => base)),
    throughput.median.toFixed(3),
  ];
  const { name, what, unit } = load;
  return {
    row: `| ${cells.join(" | ")} |`,
    name,
    what,
    unit,
    ...ratio,
    isSlower,
    isOpen,
    throughput,
    pairs,
  };
}

/**
 * Measures all workloads on both sides, restarting the services STARTS times. Also returns a description of the
 * machine.
 */
async function measure(sides: readonly [Side, Side]) {
  const measured = new Map(loads.map((load) => [load, [] as Pair[]]));
  const windows = new Map<Side, Window>();
  let machine = "";
  for (let start = 1; start <= STARTS; start++) {
    console.error(`Start ${start} of ${STARTS}${start === 1 ? ", filling both sides first" : ""}.`);
    await withBoth(sides, windows, async (head, base) => {
      machine ||= await machineOf(head.service);
      if (start === 1) console.log(`${machine}.\n`);
      for (const [load, pairs] of measured) {
        const begun = performance.now();
        await addPairs(load, head, base, pairs);
        const took_s = (performance.now() - begun) / 1000;
        console.error(`  ${load.name}: ${load.what}, ${took_s.toFixed(0)} s`);
      }
    });
  }
  return { machine, measured };
}

async function compare(): Promise<boolean> {
  const base = await commitOf(name);
  const { commit, isChanged } = await workingTree();
  const head = `${commit.slice(0, 10)}${isChanged ? " with changes" : ""}`;
  console.error(`Comparing the working tree (${head}) with ${base.slice(0, 10)}.`);
  const folder = mkdtempSync(join(tmpdir(), "leadport-guard-"));
  // If root runs this script, the databases run as another user, so that user needs access to the folder.
  chmodSync(folder, 0o711);
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  const workingFolder = join(import.meta.dirname, "..");
  const checkout = join(folder, "checkout");
  undo.push(() => removeCheckout(checkout));
  await checkOut(base, checkout);
  await buildPages(workingFolder);
  const { machine, measured } = await measure([
    { checkout: workingFolder, dataDir: join(folder, "head") },
    { checkout, dataDir: join(folder, "base") },
  ]);
  const shown = [...measured].map(([load, pairs]) => shownOf(load, pairs));
  console.log([TABLE_HEAD, ...shown.map(({ row }) => row)].join("\n"));
  const file = keep({ machine, base, head, limit: RATIO_MAX, shown }, new Date());
  console.log(`\nThe rounds are in bench/results/${file}.`);
  if (shown.some(({ isOpen }) => isOpen)) {
    console.log(
      `Open: ${RATIO_MAX} lies within the interval. Repeat these workloads with more --rounds.`,
    );
  }
  return shown.every(({ isSlower }) => !isSlower);
}

try {
  process.exitCode = (await compare()) ? 0 : 1;
} catch (error) {
  // After an interruption, requests and commands fail. Do not print these errors.
  if (ending === undefined) console.error((error as Error).message);
  process.exitCode = 2;
} finally {
  await end();
}
