/**
 * Measures how long the first and the ten-thousandth page of lists take over HTTP with a million leads: `npm run
 * bench:lists -- --help`. Prints a table and the plan of the slowest query. Exits with 1 if a median misses its target.
 */

import { explain } from "./explain.ts";
import { filled } from "./fill.ts";
import { machineOf } from "./machine.ts";
import { numberOf, readOptions } from "./options.ts";
import { questions, type Question } from "./questions.ts";
import { connectTo, median, quantile, startService } from "./service.ts";
import type { Connection, Service } from "./service.ts";

const BAR_ms = 10;
const WARM_UP = 5;
const REQUESTS = 200;
/** Stop repeating a query after this time. Slow queries are therefore sent fewer times. */
const PATIENCE_ms = 10_000;
const PAGE_SIZE = 50;
const DEEP_PAGE = 10_000;

interface Measured {
  readonly page: number;
  readonly path: string;
  readonly rows: number;
  readonly took_ms: readonly number[];
}

interface Slowest {
  readonly name: string;
  readonly path: string;
  readonly median_ms: number;
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
  requests: number,
  page: number,
  path: (k: number) => string,
): Promise<Measured> {
  const took_ms: number[] = [];
  const begun = performance.now();
  let rows = 0;
  for (let k = 0; k < WARM_UP + requests; k++) {
    const answer = await connection.get(path(k));
    if (k >= WARM_UP) took_ms.push(answer.took_ms);
    rows = rowsIn(answer.body).length;
    if (took_ms.length > 0 && performance.now() - begun > PATIENCE_ms) break;
  }
  return { page, path: path(0), rows, took_ms };
}

function rowsIn(body: Buffer): readonly { readonly _id: string }[] {
  const answer = JSON.parse(body.toString("utf8")) as
    | { leads: { _id: string }[] }
    | { _id: string }[];
  return Array.isArray(answer) ? answer : answer.leads;
}

/** Returns the 10,000th page by cursor, or the last one. Returns undefined if there is only one page. */
async function deepPage(
  connection: Connection,
  first: string,
): Promise<readonly [page: number, path: string] | undefined> {
  const numbered = (page: number): string => `${first}&page_size=${PAGE_SIZE}&page_num=${page}`;
  const after = async (page: number): Promise<string | undefined> =>
    (await connection.get(numbered(page - 1))).next;
  let [low, high] = [1, DEEP_PAGE + 1];
  let found = await after(DEEP_PAGE);
  if (found !== undefined) low = DEEP_PAGE;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const next = await after(middle);
    if (next === undefined) high = middle;
    else [low, found] = [middle, next];
  }
  if (found === undefined) return undefined;
  const [byCursor, byNumber] = [await connection.get(found), await connection.get(numbered(low))];
  const ids = [byCursor, byNumber].map(({ body }) =>
    rowsIn(body)
      .map(({ _id }) => _id)
      .join(),
  );
  if (ids[0] !== ids[1])
    throw new Error(`Page ${low} by cursor is another than by number: ${first}`);
  return [low, found];
}

const cell = (value: number): string => value.toFixed(1);

const row = ({ name, isHeld }: Question, { page, rows, took_ms }: Measured): string => {
  const middle_ms = median(took_ms);
  const mark = middle_ms < BAR_ms ? "" : isHeld ? " **over**" : " over";
  const cells = [name, page.toLocaleString("en"), rows, `${cell(middle_ms)}${mark}`];
  return `| ${[...cells, cell(quantile(took_ms, 0.99)), took_ms.length].join(" | ")} |`;
};

async function ask(
  connection: Connection,
  question: Question,
  requests: number,
): Promise<readonly Measured[]> {
  const first = await measure(connection, requests, 1, (k) => pathOf(question, k));
  if (first.rows !== PAGE_SIZE) return [first];
  const deep = await deepPage(connection, first.path);
  if (deep === undefined) return [first];
  return [first, await measure(connection, requests, deep[0], () => deep[1])];
}

async function report(
  service: Service,
  connection: Connection,
  asked: readonly Question[],
  requests: number,
): Promise<number> {
  console.log(`${await machineOf(service)}.\n`);
  console.log("| query | page | rows | median, ms | p99, ms | requests |");
  console.log("|---|---:|---:|---:|---:|---:|");
  const held: Slowest[] = [];
  for (const question of asked) {
    for (const found of await ask(connection, question, requests)) {
      console.log(row(question, found));
      const name = `${question.name}, page ${found.page.toLocaleString("en")}`;
      const seen = { name, path: found.path, median_ms: median(found.took_ms) };
      if (question.isHeld) held.push(seen);
    }
  }
  const [slowest] = held.toSorted((a, b) => b.median_ms - a.median_ms);
  if (slowest !== undefined) {
    const plan = await explain(service.databaseUrl, slowest.path);
    console.log(
      `\nSlowest of ${held.length} pages with a target (${BAR_ms} ms): ${slowest.name}, `,
    );
    console.log(`${cell(slowest.median_ms)} ms.\n\n\`\`\`\n${plan}\n\`\`\``);
  }
  const missed = held.filter(({ median_ms }) => median_ms >= BAR_ms).map(({ name }) => name);
  if (missed.length > 0) console.log(`\nOver the target: ${missed.join("; ")}.`);
  return missed.length === 0 ? 0 : 1;
}

const { rows, dataDir, values } = readOptions(
  "bench:lists",
  "How long page 1 and page 10,000 of lists take over HTTP.",
  {
    only: { value: "<text>", fallback: "", doc: "Only queries with this in their name." },
    requests: { value: "<number>", fallback: String(REQUESTS), doc: "Requests per query." },
  },
);
const filling = await filled(dataDir, rows);
const asked = questions(filling).filter(({ name }) => name.includes(values["only"] ?? ""));
if (asked.length === 0) throw new Error(`No query has "${values["only"]}" in its name`);
const service = await startService(dataDir);
const connection = connectTo(service);
try {
  process.exitCode = await report(service, connection, asked, numberOf(values, "requests"));
} finally {
  connection.close();
  await service.stop();
}
