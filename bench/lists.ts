/**
 * How long pages of lists take over HTTP on a filled data folder, the first and the ten-thousandth:
 * `node bench/lists.ts <data folder> [part of a question's name]`. Prints a table; ends with 1 where a
 * median misses its bar.
 */

import { questions, type Question } from "./questions.ts";
import { connectTo, median, quantile, startService, type Connection } from "./service.ts";

const BAR_ms = 10;
const WARM_UP = 5;
const REQUESTS = 40;
const PAGE_SIZE = 50;
const DEEP_PAGE = 10_000;

interface Measured {
  readonly page: number;
  readonly rows: number;
  readonly median_ms: number;
  readonly p95_ms: number;
}

const pathOf = ({ path = "", query }: Question, k: number): string => {
  const texts = Object.entries(query(k)).map(([name, value]): [string, string] => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return `/crm/leads${path}?${new URLSearchParams(texts).toString()}`;
};

async function measure(
  connection: Connection,
  page: number,
  path: (k: number) => string,
): Promise<Measured> {
  const took: number[] = [];
  let rows = 0;
  for (let k = 0; k < WARM_UP + REQUESTS; k++) {
    const answer = await connection.get(path(k));
    if (k >= WARM_UP) took.push(answer.took_ms);
    rows = rowsIn(answer.body);
  }
  return { page, rows, median_ms: median(took), p95_ms: quantile(took, 0.95) };
}

function rowsIn(body: Buffer): number {
  const answer = JSON.parse(body.toString("utf8")) as { leads: unknown[] } | unknown[];
  return Array.isArray(answer) ? answer.length : answer.leads.length;
}

/** The page by cursor that is 10,000th, or the last full one; undefined where the first is the last. */
async function deepPage(
  connection: Connection,
  first: string,
): Promise<readonly [page: number, path: string] | undefined> {
  let [low, high] = [1, DEEP_PAGE];
  let found: string | undefined;
  const probe = async (page: number): Promise<string | undefined> =>
    (await connection.get(`${first}&page_size=${PAGE_SIZE}&page_num=${page - 1}`)).next;
  found = await probe(DEEP_PAGE);
  if (found !== undefined) return [DEEP_PAGE, found];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const next = middle < 2 ? undefined : await probe(middle);
    if (next === undefined) high = middle;
    else [low, found] = [middle, next];
  }
  return found === undefined ? undefined : [low, found];
}

const cell = (value: number): string => value.toFixed(1);

const row = ({ name, isHeld }: Question, { page, rows, median_ms, p95_ms }: Measured): string => {
  const mark = median_ms < BAR_ms ? "" : isHeld ? " **over**" : " over";
  return `| ${name} | ${page.toLocaleString("en")} | ${rows} | ${cell(median_ms)}${mark} | ${cell(p95_ms)} |`;
};

async function run(dataDir: string, part: string): Promise<number> {
  const service = await startService(dataDir);
  const connection = connectTo(service);
  const missed: string[] = [];
  let slowest: readonly [string, number] = ["", 0];
  try {
    console.log(`Started in ${service.startedIn_ms.toFixed(0)} ms.\n`);
    console.log("| question | page | rows | median ms | p95 ms |\n|---|---:|---:|---:|---:|");
    for (const question of questions(Date.now() / 1000)) {
      if (!question.name.includes(part)) continue;
      const measured = [await measure(connection, 1, (k) => pathOf(question, k))];
      const isPaged = measured[0]?.rows === PAGE_SIZE;
      const deep = isPaged ? await deepPage(connection, pathOf(question, 0)) : undefined;
      if (deep !== undefined) measured.push(await measure(connection, deep[0], () => deep[1]));
      for (const found of measured) {
        console.log(row(question, found));
        const name = `${question.name}, page ${found.page}`;
        if (question.isHeld && found.median_ms >= BAR_ms) missed.push(name);
        if (question.isHeld && found.median_ms > slowest[1]) slowest = [name, found.median_ms];
      }
    }
  } finally {
    connection.close();
    await service.stop();
  }
  console.log(`\nSlowest of those held to ${BAR_ms} ms: ${slowest[0]}, ${cell(slowest[1])} ms.`);
  if (missed.length > 0) console.log(`Over the bar: ${missed.join("; ")}.`);
  return missed.length === 0 ? 0 : 1;
}

const [dataDir, part = ""] = process.argv.slice(2);
if (dataDir === undefined) throw new Error("Usage: node bench/lists.ts <data folder> [part]");
process.exitCode = await run(dataDir, part);
