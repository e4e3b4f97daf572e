/**
 * Measures the cost per MB of reading an ordinary file and files that are expensive to read. Reading means converting
 * bytes to rows, without a service or a database. When two checkouts are compared, the conversion of rows to leads is
 * also measured.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type * as intakeModule from "../src/files/imports/intake.ts";
import type * as rowsModule from "../src/files/read/rows.ts";
import { countJson } from "../src/platform/json/json-limits.ts";
import { RECORD_TYPES } from "../src/records/index.ts";
import { numberOf, parseOptions } from "./options.ts";
import { JSON_SHAPES, READER_SHAPES, type ReaderShape } from "./reader-shapes.ts";
import { median } from "./service.ts";

const MB = 1024 * 1024;
const LARGE = 8;
/**
 * RATIO_MAX limits the cost of an expensive file relative to an ordinary one. GROWTH_MAX limits the
 * cost per MB of an 8 MB file relative to a 1 MB file.
 */
const RATIO_MAX = 10;
const GROWTH_MAX = 1.2;
const PIECE_bytes = 64 * 1024;

const { base, only, rounds } = parseOptions(
  {
    usage: "npm run bench:readers -- [options]",
    does: "What the file readers cost for each MB of ordinary and of bad files.",
    known: {
      rounds: { value: "<number>", fallback: "5", doc: "Rounds; the median is printed." },
      only: { value: "<text>", fallback: "", doc: "Measure only shapes whose name contains it." },
      base: {
        value: "<folder>",
        fallback: "",
        doc: "Another checkout: compare its readers with these on ordinary files.",
      },
    },
  },
  (values) => ({
    rounds: numberOf(values, "rounds"),
    only: values["only"] ?? "",
    base: values["base"] ?? "",
  }),
);

interface Readers {
  readonly openRows: typeof rowsModule.openRows;
  readonly openIntake: typeof intakeModule.openIntake;
}

/** Returns the readers of a checkout, which may predate the folders in src/files. */
async function readersIn(folder: string): Promise<Readers> {
  const files = join(folder, "src/files");
  const [rows, intake] = existsSync(join(files, "read"))
    ? ["read/rows.ts", "imports/intake.ts"]
    : ["rows.ts", "intake.ts"];
  const load = (name: string) => import(pathToFileURL(join(files, name)).href) as Promise<Readers>;
  return { ...(await load(rows)), ...(await load(intake)) };
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Returns the user CPU time of some work, in ms. */
async function cost_ms(work: () => Promise<void> | void): Promise<number> {
  collectGarbage();
  const before = process.cpuUsage();
  await work();
  return process.cpuUsage(before).user / 1000;
}

async function* pieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_bytes) {
    yield bytes.subarray(at, at + PIECE_bytes);
  }
}

async function drain(source: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of source);
}

type Step = "rows" | "leads";
const STEPS: readonly Step[] = ["rows", "leads"];

async function read(readers: Readers, step: Step, bytes: Buffer, { format }: ReaderShape) {
  const options = { format, ...(format === "csv" && { delimiter: "," as const }) };
  if (step === "rows") return drain((await readers.openRows(pieces(bytes), options)).rows);
  const mapping = { map: format === "csv" ? {} : { name: "name" } };
  const intake = await readers.openIntake(RECORD_TYPES.lead, pieces(bytes), {
    file: options,
    mapping,
  });
  return drain(intake.rows);
}

interface Cost {
  readonly small_ms: number;
  readonly large_ms: number;
}

/**
 * Returns the CPU time per MB for a small string and for a large one. The two take turns, and the small one is read
 * repeatedly, so that the total amount of work is the same for both.
 */
async function costOf(
  text: (characters: number) => string,
  work: (bytes: Buffer) => Promise<void> | void,
): Promise<Cost> {
  const small = Buffer.from(text(MB));
  const large = Buffer.from(text(LARGE * MB));
  const times = Math.max(1, Math.round(large.length / small.length));
  const found: Cost[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const small_ms = await cost_ms(async () => {
      for (let time = 0; time < times; time += 1) await work(small);
    });
    const large_ms = await cost_ms(() => work(large));
    const perMB = (ms: number, bytes: number) => ms / (bytes / MB);
    // The first round is a warm-up.
    if (round > 0) {
      found.push({
        small_ms: perMB(small_ms, small.length * times),
        large_ms: perMB(large_ms, large.length),
      });
    }
  }
  return {
    small_ms: median(found.map(({ small_ms }) => small_ms)),
    large_ms: median(found.map(({ large_ms }) => large_ms)),
  };
}

let isMissed = false;

function print(
  step: string,
  name: string,
  { small_ms, large_ms }: Cost,
  ordinary_ms: number,
): void {
  const ratio = large_ms / ordinary_ms;
  const growth = large_ms / small_ms;
  if (ratio > RATIO_MAX || growth > GROWTH_MAX) isMissed = true;
  const cells = [
    step,
    name,
    small_ms.toFixed(1),
    large_ms.toFixed(1),
    ratio.toFixed(1),
    growth.toFixed(2),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}

async function compareShapes(readers: Readers): Promise<void> {
  console.log(
    "| reader | content | 1 MB file, ms per MB | 8 MB file, ms per MB | ratio to ordinary | 8 MB ÷ 1 MB |",
  );
  console.log("|---|---|---:|---:|---:|---:|");
  let ordinary_ms = 0;
  for (const shape of READER_SHAPES) {
    const isOrdinary = shape.name === "ordinary";
    if (!isOrdinary && !shape.name.includes(only)) continue;
    const cost = await costOf(shape.text, (bytes) => read(readers, "rows", bytes, shape));
    if (isOrdinary) ordinary_ms = cost.large_ms;
    print(shape.format, shape.name, cost, ordinary_ms);
  }
  ordinary_ms = 0;
  for (const { name, text } of JSON_SHAPES) {
    const cost = await costOf(text, (bytes) => void countJson(bytes));
    ordinary_ms ||= cost.large_ms;
    print("scan of JSON", name, cost, ordinary_ms);
  }
}

/** Measures only ordinary files. The readers of the two checkouts alternate. */
async function compareBase(now: Readers, before: Readers): Promise<void> {
  console.log("| step | base, ms per MB | now, ms per MB | now ÷ base |");
  console.log("|---|---:|---:|---:|");
  for (const step of STEPS) {
    for (const shape of READER_SHAPES.filter(({ name }) => name === "ordinary")) {
      const bytes = Buffer.from(shape.text(LARGE * MB));
      const costs: { readonly now_ms: number; readonly base_ms: number }[] = [];
      for (let round = 0; round <= rounds; round += 1) {
        const base_ms = (await cost_ms(() => read(before, step, bytes, shape))) / LARGE;
        const now_ms = (await cost_ms(() => read(now, step, bytes, shape))) / LARGE;
        if (round > 0) costs.push({ now_ms, base_ms });
      }
      const base_ms = median(costs.map((cost) => cost.base_ms));
      const now_ms = median(costs.map((cost) => cost.now_ms));
      const ratio = median(costs.map((cost) => cost.now_ms / cost.base_ms));
      const cells = [base_ms.toFixed(1), now_ms.toFixed(1), ratio.toFixed(2)];
      console.log(`| ${shape.format} to ${step} | ${cells.join(" | ")} |`);
    }
  }
}

const now = await readersIn(join(import.meta.dirname, ".."));
if (base !== "") await compareBase(now, await readersIn(base));
else await compareShapes(now);
process.exitCode = isMissed ? 1 : 0;
