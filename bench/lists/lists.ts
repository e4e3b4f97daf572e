/** How long the first and the ten-thousandth page of lists take over HTTP. */

import { headText, rowText, spread } from "../compare/results.ts";
import { filled } from "../loads/fill.ts";
import { FILLED_OPTIONS, numberOf, placeOf, UsageError, type Benchmark } from "../options.ts";
import { machineOf } from "../service/machine.ts";
import { clientOf, startService, type Client } from "../service/service.ts";
import { median } from "../statistics.ts";
import { queriesOf, type Query } from "./queries.ts";

const BAR_ms = 10;
const WARM_UP = 5;
/** Stop repeating a query after this time. Slow queries are therefore sent fewer times. */
const PATIENCE_ms = 10_000;
const PAGE_SIZE = 50;
const DEEP_PAGE = 10_000;

interface Measured {
  readonly page: number;
  readonly rows: number;
  readonly took_ms: readonly number[];
}

const pathOf = ({ path = "", parameters }: Query, k: number): string => {
  const texts = Object.entries(parameters(k)).map(([name, value]): [string, string] => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return `/crm/leads${path}?${new URLSearchParams(texts).toString()}`;
};

async function measure(
  client: Client,
  requests: number,
  page: number,
  path: (k: number) => string,
): Promise<Measured> {
  const took_ms: number[] = [];
  const start_ms = performance.now();
  let rows = 0;
  for (let k = 0; k < WARM_UP + requests; k++) {
    const answer = await client.get(path(k));
    if (k >= WARM_UP) took_ms.push(answer.took_ms);
    rows = rowsIn(answer.body);
    if (took_ms.length > 0 && performance.now() - start_ms > PATIENCE_ms) break;
  }
  return { page, rows, took_ms };
}

function rowsIn(body: string): number {
  const answer = JSON.parse(body) as { readonly leads: readonly object[] } | readonly object[];
  return ("leads" in answer ? answer.leads : answer).length;
}

/** Returns the 10,000th page by cursor, or the last one. Returns undefined if there is only one page. */
async function deepPage(
  client: Client,
  first: string,
): Promise<readonly [page: number, path: string] | undefined> {
  const numbered = (page: number): string => `${first}&page_size=${PAGE_SIZE}&page_num=${page}`;
  const after = async (page: number) => (await client.get(numbered(page - 1))).next;
  let low = 1;
  let high = DEEP_PAGE + 1;
  let found = await after(DEEP_PAGE);
  if (found !== undefined) low = DEEP_PAGE;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const next = await after(middle);
    if (next === undefined) high = middle;
    else {
      low = middle;
      found = next;
    }
  }
  return found === undefined ? undefined : [low, found];
}

async function pagesOf(
  client: Client,
  query: Query,
  requests: number,
): Promise<readonly Measured[]> {
  const first = await measure(client, requests, 1, (k) => pathOf(query, k));
  if (first.rows !== PAGE_SIZE) return [first];
  const deep = await deepPage(client, pathOf(query, 0));
  if (deep === undefined) return [first];
  return [first, await measure(client, requests, deep[0], () => deep[1])];
}

export const lists: Benchmark = {
  does: "Time of page 1 and page 10,000 of lists of leads",
  options: {
    ...FILLED_OPTIONS,
    only: { value: "<text>", fallback: "", doc: "Only queries with this in their name." },
    requests: { value: "<number>", fallback: "200", doc: "Requests per query." },
  },
  run: async (values) => {
    const { rows, dataDir } = placeOf(values);
    const requests = numberOf(values, "requests");
    const only = values["only"] ?? "";
    const filling = await filled(dataDir, rows);
    const queries = queriesOf(filling).filter(({ name }) => name.includes(only));
    if (queries.length === 0) throw new UsageError(`No query has "${only}" in its name`);
    const service = await startService(dataDir);
    const client = clientOf(service);
    try {
      console.log(`${await machineOf(service)}.\n`);
      console.log(headText("query", "page", "rows", "median, ms", "p99, ms", "requests"));
      let isMet = true;
      for (const query of queries) {
        for (const { page, rows, took_ms } of await pagesOf(client, query, requests)) {
          const times = spread(took_ms, BAR_ms);
          const cells = [query.name, page.toLocaleString("en"), rows, ...times, took_ms.length];
          console.log(rowText(cells));
          isMet &&= median(took_ms) < BAR_ms;
        }
      }
      return isMet;
    } finally {
      client.close();
      await service.stop();
    }
  },
};
