/** W8: compares importing a file of leads over HTTP with inserting the resulting rows through `COPY`. */

import { stringify } from "csv-stringify/sync";
import { leadAt } from "../loads/leads.ts";
import type { Database } from "../service/database.ts";
import type { Service } from "../service/service.ts";
import { median } from "../statistics.ts";
import type { Arena } from "./arena.ts";
import { judged, type Shown } from "./rounds.ts";

const BAR = 0.6;
const FORMATS = ["csv", "ndjson"] as const;
type Format = (typeof FORMATS)[number];

const COLUMNS =
  "name email phone source status comments tags employer_name profession title website birth_year business_need_description".split(
    " ",
  );

/** Returns a file of N leads that do not exist yet. */
export function fileOf(format: Format, leads: number, run: number): string {
  const rows = Array.from({ length: leads }, (_, at) => {
    const { tags, ...lead } = leadAt(at) as { readonly tags: readonly string[] };
    return { ...lead, tags, email: `i${at}@import${run}.example.com` };
  });
  if (format === "ndjson") return linesOf(rows);
  const cells = rows.map(({ tags, ...row }) => ({ ...row, tags: tags.join(";") }));
  return stringify(cells, { header: true, columns: COLUMNS });
}

export const linesOf = (rows: readonly object[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join("");

async function sent(url: string, init: RequestInit): Promise<string> {
  const answer = await fetch(url, init);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text.slice(0, 500)}`);
  return text;
}

/** Returns how long an import takes, in seconds. Throws unless every row was created. */
export async function importOf(
  { url, token }: Service,
  file: string,
  leads: number,
): Promise<number> {
  const authorization = `Bearer ${token}`;
  const made = await sent(`${url}/crm/imports`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({ type: "leads" }),
  });
  const { id } = JSON.parse(made) as { id: string };
  const start_ms = performance.now();
  const done = await sent(`${url}/crm/imports/${id}/data`, {
    method: "PUT",
    headers: { authorization, "content-type": "text/plain" },
    body: file,
  });
  const took_s = (performance.now() - start_ms) / 1000;
  const { created } = JSON.parse(done) as { created: number };
  if (created !== leads)
    throw new Error(`Not all of ${leads} leads were imported: ${done.slice(0, 500)}`);
  return took_s;
}

/** Returns the most recently imported rows in the format of `COPY`. */
async function copyOf(database: Database, tenantId: string, leads: number): Promise<string> {
  const chunks: Buffer[] = [];
  const copying = await database.copyOut(
    `copy (select * from leads where tenant_id = '${tenantId}' order by id desc limit ${leads}) to stdout`,
  );
  for await (const chunk of copying) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

/** Runs N rounds. Each round imports one file per format, and inserts the same rows with COPY. */
export async function compareImports(
  { service, bareUrl, database, tenantId, tidy }: Arena,
  leads: number,
  rounds: number,
): Promise<readonly Shown[]> {
  const took: Record<Format, number[]> = { csv: [], ndjson: [] };
  const copied: number[] = [];
  for (let round = 0; round < rounds; round++) {
    let rows = "";
    for (const format of FORMATS) {
      const file = fileOf(format, leads, round);
      took[format].push(await importOf(service, file, leads));
      rows = await copyOf(database, tenantId, leads);
      await tidy();
    }
    const start_ms = performance.now();
    await sent(`${bareUrl}/copy`, { method: "POST", body: rows });
    copied.push((performance.now() - start_ms) / 1000);
    await tidy();
  }
  return FORMATS.map((format) => {
    const ratios = took[format].map((took_s, at) => (copied[at] ?? Number.NaN) / took_s);
    const rate = (all: readonly number[]): string =>
      `${Math.round(leads / median(all)).toLocaleString("en")} leads/s`;
    const count = leads.toLocaleString("en");
    const what = `import ${count} leads (${format.toUpperCase()}), compared with COPY`;
    const texts = { own: rate(took[format]), beside: rate(copied) };
    return judged({ name: "W8", what, ...texts }, ratios, { least: BAR });
  });
}
