/**
 * Measures how long PostgreSQL takes to read a deep page. Compares two queries that select the page by its number: the
 * service's query, which reads ids first, and a plain query that skips whole records. Run it with `npm run bench:deep
 * -- --help`. Exits with 1 if the two queries return different records.
 */

import postgres from "postgres";
import type { TenantId } from "../src/audit/index.ts";
import { readParameters } from "../src/platform/validation/parameters.ts";
import { RECORD_TYPES } from "../src/records/index.ts";
import { pageSql } from "../src/records/list/list-sql.ts";
import { planList, type ListPlan } from "../src/records/list/plan.ts";
import { LIST_PARAMETERS } from "../src/records/list/list-parameters.ts";
import { filled } from "./fill.ts";
import { machineOf } from "./machine.ts";
import { readOptions } from "./options.ts";
import { median, startService } from "./service.ts";

const PAGE_SIZE = 50;
const OFFSETS = [1000, 10_000, 100_000];
/** An offset at which the service still reads the page in a single step. */
const NEAR = 950;
const ROUNDS = 15;

const QUESTIONS: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  "no filter": {},
  "lead_status, 51%": { match_filter_dict: { lead_status: "assigned" } },
  "lead_status (2 values) and lead_source, 20%": {
    match_filter_dict: {
      lead_status: { $in: ["assigned", "contacted"] },
      lead_source: "Google",
    },
  },
  "sorted by created_ts": { sort_dict: { created_ts: -1 } },
  "sorted by name": { sort_dict: { name: 1 } },
};

function planOf(asked: Readonly<Record<string, object>>): ListPlan {
  const texts = Object.entries(asked).map(([name, value]) => [name, JSON.stringify(value)]);
  const { values: query } = readParameters("query", LIST_PARAMETERS, {
    ...(Object.fromEntries(texts) as Record<string, string>),
    page_size: String(PAGE_SIZE),
  });
  const { lead } = RECORD_TYPES;
  const [listing] = Object.values(lead.lists);
  if (listing === undefined) throw new Error("Leads have no list");
  return planList({ type: lead, listing, query, country: "US", now_s: 0 });
}

interface Way {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Returns the two statements to compare, for the page after `offset` records. */
function waysOf(tenantId: TenantId, plan: ListPlan, offset: number): readonly [Way, Way] {
  const near = pageSql(tenantId, { ...plan, offset: NEAR }, PAGE_SIZE + 1, undefined);
  const plain = { text: near.text, values: [...near.values.slice(0, -1), offset] };
  return [plain, pageSql(tenantId, { ...plan, offset }, PAGE_SIZE + 1, undefined)];
}

async function timed(sql: postgres.Sql, { text, values }: Way) {
  const begun = performance.now();
  const rows = await sql
    .unsafe(text, values as postgres.ParameterOrJSON<never>[], { prepare: true })
    .raw();
  return { took_ms: performance.now() - begun, rows: JSON.stringify(rows) };
}

async function compare(sql: postgres.Sql, ways: readonly [Way, Way]) {
  const took_ms: [number[], number[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round++) {
    const [plain, deep] = [await timed(sql, ways[0]), await timed(sql, ways[1])];
    if (plain.rows !== deep.rows)
      throw new Error(`The two statements return different records: ${ways[1].text}`);
    if (round === 0) continue;
    took_ms[0].push(plain.took_ms);
    took_ms[1].push(deep.took_ms);
  }
  return took_ms.map(median) as [number, number];
}

const { rows, dataDir } = readOptions(
  "bench:deep",
  "How long PostgreSQL takes for deep pages by number: reading ids first, compared with a plain offset.",
);
await filled(dataDir, rows);
const service = await startService(dataDir);
const sql = postgres(service.databaseUrl, {
  max: 1,
  connection: { plan_cache_mode: "force_custom_plan" },
});
try {
  console.log(`${await machineOf(service)}, ${rows.toLocaleString("en")} leads.\n`);
  console.log("| query | records skipped | plain offset, ms | ids first, ms | speedup |");
  console.log("|---|---:|---:|---:|---:|");
  const [tenant] = await sql<{ id: TenantId }[]>`select id from tenants where name = 'default'`;
  if (tenant === undefined) throw new Error("There is no tenant default");
  for (const [name, asked] of Object.entries(QUESTIONS)) {
    for (const offset of OFFSETS) {
      const [plain_ms, deep_ms] = await compare(sql, waysOf(tenant.id, planOf(asked), offset));
      const cells = [plain_ms.toFixed(1), deep_ms.toFixed(1), (plain_ms / deep_ms).toFixed(1)];
      console.log(`| ${name} | ${offset.toLocaleString("en")} | ${cells.join(" | ")} |`);
    }
  }
} finally {
  await sql.end();
  await service.stop();
}
