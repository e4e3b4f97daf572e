/**
 * What a window of half a million records costs while it streams: `node bench/stream.ts <data folder>`.
 * Memory of the service's process for a reader that takes all it gets and for one that takes 8 MB a
 * second, and whether readers that hang up leave connections behind. Ends with 1 where a bar is missed.
 */

import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { connectTo, median, residentBytes, startService, type Service } from "./service.ts";

const MEMORY_BAR_MB = 200;
const WINDOW_RECORDS = 500_000;
const SAMPLE_ms = 20;
const SLOW_BYTES_PER_s = 8_000_000;
const SLOW_s = 30;
/** More than both pools of the service have connections. */
const HANG_UPS = 40;
const HANG_UP_AFTER_BYTES = 3_000_000;

const MB = 1024 * 1024;

interface Seen {
  readonly rows: number;
  readonly bytes: number;
  readonly took_s: number;
  readonly memory_MB: number;
}

/** Reads an answer at most so fast, to its end or for so long; then hangs up. */
async function read(
  service: Service,
  path: string,
  { bytesPer_s = Infinity, for_s = Infinity, for_bytes = Infinity } = {},
): Promise<Seen> {
  const connection = connectTo(service);
  let [rows, bytes, peak] = [0, 0, 0];
  const sampling = setInterval(() => (peak = Math.max(peak, residentBytes(service))), SAMPLE_ms);
  const begun = performance.now();
  const elapsed_s = (): number => (performance.now() - begun) / 1000;
  try {
    const answer: IncomingMessage = await connection.open(path);
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      rows += count(chunk, '{"_id":"');
      const ahead_s = bytes / bytesPer_s - elapsed_s();
      if (ahead_s > 0.01) await sleep(ahead_s * 1000);
      if (elapsed_s() > for_s || bytes > for_bytes) break;
    }
  } finally {
    clearInterval(sampling);
    connection.close();
  }
  return { rows, bytes, took_s: elapsed_s(), memory_MB: peak / MB };
}

/** A mark that is cut between two chunks is missed: some of half a million. */
function count(chunk: Buffer, mark: string): number {
  let found = 0;
  for (let at = chunk.indexOf(mark); at !== -1; at = chunk.indexOf(mark, at + 1)) found += 1;
  return found;
}

/** The path of a window with this many of the newest records. */
async function windowOf(service: Service, records: number): Promise<string> {
  const connection = connectTo(service);
  try {
    const page = records / 500;
    const { body } = await connection.get(
      `/crm/leads?sort_dict={"created_ts":-1}&page_size=500&page_num=${page}`,
    );
    const { leads } = JSON.parse(body.toString("utf8")) as { leads: { created_date: string }[] };
    return `/crm/leads/created?start_date=${leads.at(-1)?.created_date}`;
  } finally {
    connection.close();
  }
}

async function pageMedian_ms(service: Service): Promise<number> {
  const connection = connectTo(service);
  const took: number[] = [];
  for (let k = 0; k < 30; k++) took.push((await connection.get("/crm/leads")).took_ms);
  connection.close();
  return median(took);
}

const told = ({ rows, bytes, took_s, memory_MB }: Seen): string =>
  `${rows.toLocaleString("en")} records, ${(bytes / MB).toFixed(0)} MB in ${took_s.toFixed(1)} s, ` +
  `memory up to ${memory_MB.toFixed(0)} MB`;

async function run(dataDir: string): Promise<number> {
  const service = await startService(dataDir);
  try {
    const path = await windowOf(service, WINDOW_RECORDS);
    console.log(`Memory after the start: ${(residentBytes(service) / MB).toFixed(0)} MB.`);
    const fast = await read(service, path);
    console.log(`Fast reader: ${told(fast)}.`);
    const slow = await read(service, path, { bytesPer_s: SLOW_BYTES_PER_s, for_s: SLOW_s });
    console.log(`Slow reader, cut after ${SLOW_s} s: ${told(slow)}.`);
    const before_ms = await pageMedian_ms(service);
    for (let at = 0; at < HANG_UPS; at++) {
      await read(service, path, { for_bytes: HANG_UP_AFTER_BYTES });
    }
    const after_ms = await pageMedian_ms(service);
    console.log(
      `After ${HANG_UPS} readers hung up: a page in ${after_ms.toFixed(1)} ms (${before_ms.toFixed(1)} before), ` +
        `memory ${(residentBytes(service) / MB).toFixed(0)} MB.`,
    );
    const isWithin = Math.max(fast.memory_MB, slow.memory_MB) < MEMORY_BAR_MB;
    return isWithin && after_ms < 10 ? 0 : 1;
  } finally {
    await service.stop();
  }
}

const [dataDir] = process.argv.slice(2);
if (dataDir === undefined) throw new Error("Usage: node bench/stream.ts <data folder>");
process.exitCode = await run(dataDir);
