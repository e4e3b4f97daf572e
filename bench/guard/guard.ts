/**
 * The performance guard: compares the cost of W1 to W10 between a commit and the working tree. A workload fails if it
 * costs more than 1.05 times as much. The table also shows the throughput of 16 connections.
 */

import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { headText, rowText } from "../compare/results.ts";
import { namesOf, numberOf, UsageError, type Benchmark, type Values } from "../options.ts";
import { machineOf } from "../service/machine.ts";
import { startService } from "../service/service.ts";
import { estimate, judge, RATIO_MAX, ROUNDS_MIN } from "../statistics.ts";
import { buildPages, checkOut, commitOf, removeCheckout, ROOT, workingTree } from "./checkout.ts";
import { costOf, GUARD_LOADS, numberOfLoad, type Cost, type GuardLoad } from "./guard-loads.ts";
import { fillSide, runSide, type Running, type Side, type Window } from "./side.ts";

/** The minimum number of leads. With fewer leads, the list has no deep page. */
const ROWS_MIN = 10_000;
/**
 * The number of times both services are restarted. The costs of two processes that run the same code can differ by a
 * few percent.
 */
const STARTS = 4;

/** What to compare, and how. */
interface Plan {
  readonly commit: string;
  readonly rounds: number;
  readonly rows: number;
  readonly loads: readonly GuardLoad[];
}

function planOf(values: Values, [commit = "", ...others]: readonly string[]): Plan {
  if (commit === "" || others.length > 0) throw new UsageError("Name one commit to compare with");
  const rounds = numberOf(values, "rounds");
  const rows = numberOf(values, "rows");
  if (rounds < ROUNDS_MIN) throw new UsageError(`--rounds must be at least ${ROUNDS_MIN}`);
  if (rows < ROWS_MIN) throw new UsageError(`--rows must be at least ${ROWS_MIN}`);
  const names = namesOf(values, [...new Set(GUARD_LOADS.map(numberOfLoad))]);
  const loads = GUARD_LOADS.filter((load) => names.includes(numberOfLoad(load)));
  return { commit, rounds, rows, loads };
}

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

/** Starts both sides, fills them if they are still empty, runs the work, and stops them. */
async function withBoth(
  sides: readonly [Side, Side],
  { rows, windows }: { readonly rows: number; readonly windows: Map<Side, Window> },
  work: (head: Running, base: Running) => Promise<void>,
): Promise<void> {
  const run = async (side: Side): Promise<Running> => {
    const starting = startService(side.dataDir, side.checkout);
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
async function addPairs(
  load: GuardLoad,
  [head, base]: readonly [Running, Running],
  pairs: Pair[],
  rounds: number,
): Promise<void> {
  await Promise.all([head.tidy(), base.tidy()]);
  const roundOfHead = load.start(head);
  const roundOfBase = load.start(base);
  await roundOfHead();
  await roundOfBase();
  const ofHead = () => costOf(head, roundOfHead);
  const ofBase = () => costOf(base, roundOfBase);
  for (let round = 0; round < rounds; round++) {
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

const TABLE_HEAD = headText(
  "workload",
  "description",
  "unit",
  "ratio (95% interval)",
  "result",
  "working tree",
  "commit",
  "throughput",
);

function judged({ name, what, unit }: GuardLoad, pairs: readonly Pair[]) {
  const ratio = estimate(pairs.map(({ head, base }) => total(head) / total(base)));
  const { isSlower, isOpen } = judge(ratio);
  const throughput = middle(pairs.map(({ head, base }) => base.took_us / head.took_us));
  const verdict = (isSlower ? "**slower**" : "ok") + (isOpen ? ", open" : "");
  const [median, low, high] = [ratio.median, ratio.low, ratio.high].map((one) => one.toFixed(3));
  const row = rowText([
    name,
    what,
    unit,
    `${median} (${low} to ${high})`,
    verdict,
    costText(pairs.map(({ head }) => head)),
    costText(pairs.map(({ base }) => base)),
    throughput.toFixed(3),
  ]);
  return { row, isSlower, isOpen };
}

/** Measures all workloads on both sides, restarting the services STARTS times. */
async function measure(sides: readonly [Side, Side], { loads, rounds, rows }: Plan) {
  const measured = new Map(loads.map((load) => [load, [] as Pair[]]));
  const windows = new Map<Side, Window>();
  for (let start = 1; start <= STARTS; start++) {
    console.error(`Start ${start} of ${STARTS}${start === 1 ? ", filling both sides first" : ""}.`);
    await withBoth(sides, { rows, windows }, async (head, base) => {
      if (start === 1) console.log(`${await machineOf(head.service)}.\n`);
      for (const [load, pairs] of measured) {
        const start_ms = performance.now();
        await addPairs(load, [head, base], pairs, Math.ceil(rounds / STARTS));
        const took_s = (performance.now() - start_ms) / 1000;
        console.error(`  ${load.name}: ${load.what}, ${took_s.toFixed(0)} s`);
      }
    });
  }
  return measured;
}

async function compare(plan: Plan): Promise<boolean> {
  const base = await commitOf(plan.commit);
  const { commit, isChanged } = await workingTree();
  const head = `${commit.slice(0, 10)}${isChanged ? " with changes" : ""}`;
  console.log(`The working tree (${head}), compared with ${base.slice(0, 10)}.`);
  const folder = mkdtempSync(join(tmpdir(), "leadport-guard-"));
  // If root runs this script, the databases run as another user, so that user needs access to the folder.
  chmodSync(folder, 0o711);
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  const checkout = join(folder, "checkout");
  undo.push(() => removeCheckout(checkout));
  await checkOut(base, checkout);
  await buildPages(ROOT);
  const sides = [
    { checkout: ROOT, dataDir: join(folder, "head") },
    { checkout, dataDir: join(folder, "base") },
  ] as const;
  const results = [...(await measure(sides, plan))].map(([load, pairs]) => judged(load, pairs));
  console.log([TABLE_HEAD, ...results.map(({ row }) => row)].join("\n"));
  if (results.some(({ isOpen }) => isOpen)) {
    console.log(
      `\nOpen: ${RATIO_MAX} lies within the interval. Repeat these workloads with more --rounds.`,
    );
  }
  return results.every(({ isSlower }) => !isSlower);
}

export const guard: Benchmark = {
  does: "CPU time of W1 to W10 at a commit, compared with the working tree",
  takes: "<commit>",
  options: {
    rounds: { value: "<number>", fallback: "20", doc: "Rounds of each workload, at least." },
    only: { value: "<names>", fallback: "", doc: "Only these workloads, such as W1,W4." },
    rows: { value: "<number>", fallback: "100000", doc: "Leads that both sides are filled with." },
  },
  run: async (values, positionals) => {
    const plan = planOf(values, positionals);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.once(signal, () => {
        console.error("Interrupted: stopping the services and removing what was created.");
        void end().then(() => process.exit(130));
      });
    }
    try {
      return await compare(plan);
    } catch (error) {
      if (ending === undefined) throw error;
      // After an interruption, requests and commands fail. Do not report these errors.
      return false;
    } finally {
      await end();
    }
  },
};
