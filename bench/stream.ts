/**
 * Measures the cost of streaming a time window of half a million records: `npm run bench:stream -- --help`. Shows how
 * much memory the service's process uses for a reader at full speed and for one that reads 8 MB per second. Also shows
 * whether resources are released after readers disconnect. Exits with 1 if a target is missed.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { filled } from "./fill.ts";
import { machineOf } from "./machine.ts";
import { numberOf, readOptions } from "./options.ts";
import { connectTo, forgetPeak, median, memoryOf, startService, type Service } from "./service.ts";

const MEMORY_BAR_MB = 200;
const PAGE_BAR_ms = 10;
const SAMPLE_ms = 50;
const SLOW_BYTES_PER_s = 8_000_000;
/**
 * The number of readers that disconnect. It is greater than the total number of connections in two of the service's
 * connection pools.
 */
const HANG_UPS = 40;
const HANG_UP_AFTER_BYTES = 3_000_000;
const PAGE_SIZE = 500;

const MB = 1024 * 1024;

interface Seen {
  readonly rows: number;
  readonly bytes: number;
  readonly took_s: number;
  readonly median_MB: number;
  readonly peak_MB: number;
}

/** Reads a response at a maximum speed, either to its end or for N bytes, then disconnects. */
async function read(
  service: Service,
  path: string,
  { bytesPer_s = Infinity, for_bytes = Infinity } = {},
): Promise<Seen> {
  const connection = connectTo(service);
  const samples_MB: number[] = [];
  let [bytes, rows] = [0, 0];
  const count = counter('{"_id":"');
  forgetPeak(service);
  const sampling = setInterval(() => samples_MB.push(memoryOf(service).now_MB), SAMPLE_ms);
  const begun = performance.now();
  const elapsed_s = (): number => (performance.now() - begun) / 1000;
  try {
    const answer = await connection.open(path);
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode}`);
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      rows += count(chunk);
      const ahead_s = bytes / bytesPer_s - elapsed_s();
      if (ahead_s > 0.01) await sleep(ahead_s * 1000);
      if (bytes > for_bytes) break;
    }
  } finally {
    clearInterval(sampling);
    connection.close();
  }
  const { peak_MB } = memoryOf(service);
  return { rows, bytes, took_s: elapsed_s(), median_MB: median(samples_MB), peak_MB };
}

/** Counts occurrences of a string in a sequence of chunks, including occurrences that are split across two chunks. */
function counter(mark: string): (chunk: Buffer) => number {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    const text = Buffer.concat([rest, chunk]);
    let found = 0;
    for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) found += 1;
    rest = text.subarray(Math.max(0, text.length - mark.length + 1));
    return found;
  };
}

/** Returns the path of a time window that contains at least this many records, up to the newest one. */
async function windowOf(service: Service, records: number): Promise<string> {
  const connection = connectTo(service);
  try {
    const { body } = await connection.get(
      `/crm/leads?sort_dict={"created_ts":-1}&page_size=${PAGE_SIZE}&page_num=${Math.ceil(records / PAGE_SIZE)}`,
    );
    const { leads } = JSON.parse(body.toString("utf8")) as { leads: { created_date: string }[] };
    const oldest = leads.at(-1);
    if (oldest === undefined) throw new Error(`There are no ${records} records`);
    return `/crm/leads/created?start_date=${oldest.created_date}`;
  } finally {
    connection.close();
  }
}

async function pageMedian_ms(service: Service): Promise<number> {
  const connection = connectTo(service);
  const took: number[] = [];
  for (let k = 0; k < 100; k++) took.push((await connection.get("/crm/leads")).took_ms);
  connection.close();
  return median(took);
}

const row = (name: string, { rows, bytes, took_s, median_MB, peak_MB }: Seen): string => {
  const mark = peak_MB < MEMORY_BAR_MB ? "" : " **over**";
  const cells = [name, rows.toLocaleString("en"), (bytes / MB).toFixed(0), took_s.toFixed(1)];
  return `| ${[...cells, median_MB.toFixed(0), `${peak_MB.toFixed(0)}${mark}`].join(" | ")} |`;
};

async function report(service: Service, records: number): Promise<number> {
  const path = await windowOf(service, records);
  const before_ms = await pageMedian_ms(service);
  console.log(`${await machineOf(service)}.\n`);
  console.log(`Memory before the first window: ${memoryOf(service).now_MB.toFixed(0)} MB.\n`);
  console.log("| reader | records | MB | time, s | memory (median), MB | memory (peak), MB |");
  console.log("|---|---:|---:|---:|---:|---:|");
  const readers = [
    ["as fast as possible", {}],
    [`${SLOW_BYTES_PER_s / 1e6} MB/s`, { bytesPer_s: SLOW_BYTES_PER_s }],
    ["as fast as possible, second run", {}],
  ] as const;
  const peaks_MB: number[] = [];
  for (const [name, pace] of readers) {
    const seen = await read(service, path, pace);
    if (seen.rows < records) throw new Error(`${seen.rows} of ${records} records arrived`);
    console.log(row(name, seen));
    peaks_MB.push(seen.peak_MB);
  }
  for (let at = 0; at < HANG_UPS; at++) {
    await read(service, path, { for_bytes: HANG_UP_AFTER_BYTES });
  }
  const after_ms = await pageMedian_ms(service);
  console.log(
    `\nA page took ${before_ms.toFixed(1)} ms before and ${after_ms.toFixed(1)} ms after ${HANG_UPS} readers ` +
      `disconnected. Memory was then ${memoryOf(service).now_MB.toFixed(0)} MB.`,
  );
  return Math.max(...peaks_MB) < MEMORY_BAR_MB && after_ms < PAGE_BAR_ms ? 0 : 1;
}

const { rows, dataDir, values } = readOptions(
  "bench:stream",
  "Memory of the service's process while it streams a time window of /crm/leads/created.",
  {
    window: {
      value: "<number>",
      fallback: "",
      doc: "Records in the time window. Default: half of --rows.",
    },
  },
);
await filled(dataDir, rows);
const service = await startService(dataDir);
try {
  const window = values["window"] === "" ? Math.ceil(rows / 2) : numberOf(values, "window");
  process.exitCode = await report(service, window);
} finally {
  await service.stop();
}
