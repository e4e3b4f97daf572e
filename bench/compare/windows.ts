/** W7: streams time windows and exports of many records from the service and from the bare server. */

import { get, type IncomingMessage } from "node:http";
import { forgetPeak, memoryOf } from "../service/service.ts";
import { median } from "../statistics.ts";
import type { Arena } from "./arena.ts";
import { judged, type Shown } from "./rounds.ts";

const BAR = 0.8;
const MEMORY_BAR_MB = 50;
const MARK = Buffer.from('{"_id":"');

interface Streamed {
  readonly records: number;
  readonly bytes: number;
  readonly took_s: number;
  readonly first_ms: number;
}

/** Reads a response to its end and counts records. Throws if the response is an error or incomplete. */
export async function stream(url: string, authorization?: string): Promise<Streamed> {
  const start_ms = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get(url, { headers: authorization === undefined ? {} : { authorization } }, resolve).on(
    "error",
    reject,
  );
  const answer = await promise;
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode}`);
  let records = 0;
  let bytes = 0;
  let first_ms = 0;
  let last = 0;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    first_ms ||= performance.now() - start_ms;
    bytes += chunk.length;
    // Also find a marker that is split across two chunks.
    const seam = Buffer.concat([rest, chunk.subarray(0, MARK.length - 1)]);
    records += countOf(seam) + countOf(chunk);
    rest = chunk.subarray(1 - MARK.length);
    last = chunk.at(-1) ?? last;
  }
  if (!"]\n".includes(String.fromCharCode(last)))
    throw new Error(`${url}: the response is incomplete`);
  return { records, bytes, first_ms, took_s: (performance.now() - start_ms) / 1000 };
}

function countOf(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(MARK); at !== -1; at = bytes.indexOf(MARK, at + 1)) count += 1;
  return count;
}

type Side = () => Promise<Streamed>;
interface Pair {
  readonly own: Streamed;
  readonly bare: Streamed;
}

/** Requests the N newest leads from both servers. */
async function sidesOf(
  { service, bareUrl, database, tenantId }: Arena,
  size: number,
): Promise<Readonly<Record<"window" | "export", Readonly<Record<keyof Pair, Side>>>>> {
  const [row] = await database.query<{ created_ts: number | string }>(
    `select created_ts from leads where tenant_id = $1
      order by created_ts desc, id desc limit 1 offset ${size - 1}`,
    [tenantId],
  );
  const from_s = Number(row?.created_ts);
  const start = `start_date=${new Date(from_s * 1000).toISOString().slice(0, 19)}Z`;
  const own = (path: string) => () => stream(`${service.url}${path}`, `Bearer ${service.token}`);
  const bare = (path: string) => () => stream(`${bareUrl}${path}?from=${from_s}`);
  return {
    window: { own: own(`/crm/leads/created?${start}`), bare: bare("/window") },
    export: { own: own(`/crm/leads/export?format=ndjson&${start}`), bare: bare("/lines") },
  };
}

/** Runs the rounds. Both servers take one turn per round, and the server that goes first alternates. */
async function pairsOf({ own, bare }: Readonly<Record<keyof Pair, Side>>, rounds: number) {
  const pairs: Pair[] = [];
  for (let round = 0; round < rounds; round++) {
    pairs.push(
      round % 2 === 0
        ? { own: await own(), bare: await bare() }
        : { bare: await bare(), own: await own() },
    );
  }
  return pairs;
}

/** Streams these sizes from both servers, in N rounds. */
export async function compareWindows(
  arena: Arena,
  sizes: readonly number[],
  rounds: number,
): Promise<readonly Shown[]> {
  const { service, tidy } = arena;
  await tidy();
  const shown: Shown[] = [];
  for (const size of sizes) {
    const sides = await sidesOf(arena, size);
    const records = size.toLocaleString("en");
    await sides.window.bare();
    const before_MB = memoryOf(service).now_MB;
    forgetPeak(service);
    const windows = await pairsOf(sides.window, rounds);
    const grown_MB = memoryOf(service).peak_MB - before_MB;
    const exports = await pairsOf(sides.export, rounds);
    shown.push(
      shownOf("W7", `time window of ${records} records`, size, windows),
      judged(
        { name: "W7m", what: `memory growth while streaming ${records} records, MB` },
        [grown_MB],
        { most: MEMORY_BAR_MB },
      ),
      shownOf("W7x", `export of ${records} records (NDJSON)`, size, exports),
    );
  }
  return shown;
}

function shownOf(name: string, what: string, size: number, pairs: readonly Pair[]): Shown {
  const isSame = ({ own, bare }: Pair): boolean =>
    own.records === bare.records && own.bytes === bare.bytes && own.records >= size;
  if (!pairs.every(isSame)) throw new Error(`${what}: not the same: ${JSON.stringify(pairs)}`);
  const ratios = pairs.map(({ own, bare }) => bare.took_s / own.took_s);
  const textOf = (side: keyof Pair): string => {
    const rate = median(pairs.map(({ [side]: { records, took_s } }) => records / took_s));
    const first_ms = median(pairs.map(({ [side]: { first_ms } }) => first_ms));
    return `${Math.round(rate).toLocaleString("en")} records/s, first byte after ${first_ms.toFixed(0)} ms`;
  };
  const texts = { own: textOf("own"), beside: textOf("bare") };
  return judged({ name, what, ...texts }, ratios, { least: BAR });
}
