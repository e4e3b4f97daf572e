/** W7: a window of many records as a stream, beside the bare server's; and the memory that it takes. */

import { get, type IncomingMessage } from "node:http";
import type { Arena } from "./arena.ts";
import type { Shown } from "./compare.ts";
import { forgetPeak, median, memoryOf } from "./service.ts";

const BAR = 0.9;
const MEMORY_BAR_MB = 50;
const MARK = '{"_id":"';

interface Streamed {
  readonly records: number;
  readonly took_s: number;
}

/** Reads an answer to its end. Throws where it is no success, or breaks off. */
export async function stream(url: string, authorization?: string): Promise<Streamed> {
  const begun = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get(url, { headers: authorization === undefined ? {} : { authorization } }, resolve).on(
    "error",
    reject,
  );
  const answer = await promise;
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode}`);
  let [records, rest, last] = [0, "", ""];
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    const text = rest + chunk.toString("latin1");
    for (let at = text.indexOf(MARK); at !== -1; at = text.indexOf(MARK, at + 1)) records += 1;
    rest = text.slice(1 - MARK.length);
    last = text.slice(-1);
  }
  if (last !== "]") throw new Error(`${url}: the window is not whole`);
  return { records, took_s: (performance.now() - begun) / 1000 };
}

/** Windows of these sizes, so many rounds of both. */
export async function compareWindows(
  { service, bareUrl, sql, tenantId, tidy }: Arena,
  sizes: readonly number[],
  rounds: number,
): Promise<readonly Shown[]> {
  await tidy();
  const shown: Shown[] = [];
  for (const size of sizes) {
    const [row] = await sql<{ created_ts: number | string }[]>`
      select created_ts from leads where tenant_id = ${tenantId}
       order by created_ts desc, id desc limit 1 offset ${size - 1}`;
    const from_s = Number(row?.created_ts);
    const start_date = `${new Date(from_s * 1000).toISOString().slice(0, 19)}Z`;
    const own = () =>
      stream(
        `${service.url}/crm/leads/created?start_date=${start_date}`,
        `Bearer ${service.token}`,
      );
    const bare = () => stream(`${bareUrl}/window?from=${from_s}`);
    await bare();
    const before_MB = memoryOf(service).now_MB;
    forgetPeak(service);
    const pairs: (readonly [Streamed, Streamed])[] = [];
    for (let round = 0; round < rounds; round++) {
      const [a, b] = round % 2 === 0 ? [await own(), await bare()] : [await bare(), await own()];
      pairs.push(round % 2 === 0 ? [a, b] : [b, a]);
    }
    if (pairs.some(([a, b]) => a.records !== b.records || a.records < size)) {
      throw new Error(`The windows have ${JSON.stringify(pairs)} records`);
    }
    const grown_MB = memoryOf(service).peak_MB - before_MB;
    shown.push(told(size, pairs), memory(size, grown_MB));
  }
  return shown;
}

function told(size: number, pairs: readonly (readonly [Streamed, Streamed])[]): Shown {
  const ratios = pairs.map(([own, bare]) => bare.took_s / own.took_s);
  const rateText = (of: 0 | 1): string => {
    const rate = median(pairs.map((pair) => pair[of].records / pair[of].took_s));
    return `${Math.round(rate).toLocaleString("en")} records/s`;
  };
  return {
    name: "W7",
    what: `window of ${size.toLocaleString("en")} records, streamed`,
    bar: `≥ ${BAR.toFixed(2)}`,
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
    isMet: median(ratios) >= BAR,
    own: rateText(0),
    beside: rateText(1),
  };
}

const memory = (size: number, grown_MB: number): Shown => ({
  name: "W7m",
  what: `memory of the process beside what it had, ${size.toLocaleString("en")} records, MB`,
  bar: `< ${MEMORY_BAR_MB}`,
  ratio: grown_MB,
  isMet: grown_MB < MEMORY_BAR_MB,
  own: "",
  beside: "",
});
