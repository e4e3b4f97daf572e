/**
 * Prints the query plan of every statement that requests run. The service runs in this process, on the database of a
 * data folder; `plan-requests.ts` sends requests over HTTP while `plan-watch.ts` records the plans.
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildApp } from "../src/service/app.ts";
import { openInstallation } from "../src/commands/installation.ts";
import type { BenchPartner } from "./exchange-fill.ts";
import { sendAll, type Ask, type Told } from "./plan-requests.ts";
import { filledForPlans } from "./plan-fill.ts";
import { faultsOf, linesOf, nodesOf, readInVain, ROWS_MAX, watched } from "./plan-watch.ts";
import type { SeenPlan } from "./plan-watch.ts";
import type { Db } from "../src/platform/database/tx.ts";

export interface ExplainOptions {
  readonly rows: number;
  /** Whether to print only the statements with problems and the list of indexes in use. */
  readonly isBrief?: boolean;
}

interface Seen extends SeenPlan {
  /** The request during which the statement ran. */
  readonly request: string;
}

/** Prints the plans. Returns true if no plan reads a whole large table or sorts more than 1,000 rows. */
export async function explainAll(dataDir: string, options: ExplainOptions): Promise<boolean> {
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: "", LOG_LEVEL: "warn" };
  const limits = { LIST_TIMEOUT_MS: "600000", RATE_LIMIT: "1000000" };
  const installation = await openInstallation(
    { ...env, ...limits },
    { kind: "command", connections: 4 },
  );
  try {
    const partner = await filledForPlans(installation, dataDir);
    const { sql } = installation.db;
    const [before] = await sql`select max(id) as id from changes`;
    const tables = await sql`select relname, reltuples from pg_class where relkind = 'r'`;
    const tableRows = new Map(
      tables.map(({ relname, reltuples }) => [String(relname), Number(reltuples)]),
    );
    const seen: Seen[] = [];
    let request = "start";
    const db = watched(installation.db, (plan) => seen.push({ ...plan, request }));
    const app = await buildApp({ ...installation, db });
    try {
      const url = await app.listen({ host: "127.0.0.1", port: 0 });
      const ask = await askerOf({ url, dataDir, partner });
      await sendAll(async (name, asked) => {
        request = name;
        return ask(name, asked);
      }, options.rows);
    } finally {
      app.server.closeAllConnections();
      await app.close();
      await db.close();
      await tidy(sql, String(before?.["id"] ?? ""));
    }
    const indexes = await sql`
      select indexname as name from pg_indexes where schemaname = 'public' order by tablename, 1`;
    const isGood = report(seen, tableRows, options);
    const read = new Set(seen.flatMap(indexesOf));
    const unread = indexes.map(({ name }) => String(name)).filter((name) => !read.has(name));
    console.log(`\nNot read by any of these requests: ${unread.join(", ")}.`);
    return isGood;
  } finally {
    await installation.close();
  }
}

interface Asker {
  readonly url: string;
  readonly dataDir: string;
  readonly partner: BenchPartner;
}

async function askerOf({ url, dataDir, partner }: Asker): Promise<Ask> {
  const send = async (name: string, path: string, init: RequestInit): Promise<Told> => {
    const answer = await fetch(url + path, init);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${name}: ${answer.status} ${text.slice(0, 1000)}`);
    const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1];
    const isJson = answer.headers.get("content-type")?.includes("json") === true;
    return { body: isJson ? JSON.parse(text) : text, next };
  };
  const json = { "content-type": "application/json" };
  const { id: partner_id, access_code } = partner;
  const { body } = await send("a partner's token", "/crm/partner/token", {
    method: "POST",
    headers: json,
    body: JSON.stringify({ partner_id, access_code }),
  });
  const credentials = {
    owner: `Bearer ${readFileSync(join(dataDir, "owner-token"), "utf8").trim()}`,
    partner: `Partner ${body.access_token}`,
  };
  return (name, { method, path, body: given, headers = {}, by = "owner" }) =>
    send(name, path, {
      method,
      headers: {
        authorization: credentials[by],
        ...(given !== undefined && json),
        ...headers,
      },
      ...(given !== undefined && {
        body: typeof given === "string" ? given : JSON.stringify(given),
      }),
    });
}

/** Removes the rows that the requests created, which are newer than all others. */
async function tidy(sql: Db, newest: string): Promise<void> {
  for (const table of ["leads", "pushed_leads", "changes"]) {
    await sql`delete from ${sql(table)} where id > ${newest}`;
  }
  await sql`delete from attributions where lead_id > ${newest}`;
}

/** Returns the indexes that a statement read. */
const indexesOf = ({ plan }: SeenPlan): readonly string[] =>
  nodesOf(plan).flatMap((node) =>
    node["Index Name"] === undefined || node["Actual Loops"] === 0 ? [] : [node["Index Name"]],
  );

function report(
  seen: readonly Seen[],
  tableRows: ReadonlyMap<string, number>,
  { isBrief = false }: ExplainOptions,
): boolean {
  const shown = new Set<string>();
  const faulty: string[] = [];
  const noted = new Set<string>();
  const users = new Map<string, Set<string>>();
  for (const one of seen) {
    const { request, pool, text, took_ms, plan } = one;
    for (const index of indexesOf(one)) {
      users.set(index, (users.get(index) ?? new Set()).add(request));
    }
    const faults = faultsOf(plan, tableRows);
    const shape = nodesOf(plan).map((node) => `${node["Node Type"]} ${node["Index Name"]}`);
    const key = `${pool} ${text} ${shape.join()} ${faults.length}`;
    const vain = readInVain(plan);
    if (vain > ROWS_MAX) noted.add(`${request}: reads ${vain} rows and discards them`);
    if (shown.has(key)) continue;
    shown.add(key);
    if (faults.length > 0) faulty.push(`${request}: ${faults.join(", ")}: ${text.slice(0, 200)}`);
    if (isBrief && faults.length === 0) continue;
    console.log(
      `\n## ${request} (${pool}, ${took_ms.toFixed(1)} ms)${faults.map((fault) => ` **${fault}**`).join("")}`,
    );
    console.log(`${text.slice(0, 1500)}\n\n${linesOf(plan).join("\n")}`);
  }
  console.log("\n| index | number of requests | first requests |\n|---|---:|---|");
  for (const [index, requests] of [...users].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    console.log(`| ${index} | ${requests.size} | ${[...requests].slice(0, 3).join("; ")} |`);
  }
  console.log(`\n${seen.length} statements, ${shown.size} plans.`);
  for (const note of noted) console.log(`Check: ${note}`);
  for (const fault of faulty) console.log(`Problem: ${fault}`);
  return faulty.length === 0;
}
