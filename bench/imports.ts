/** W8: compares importing a file of leads over HTTP with inserting the resulting rows through `COPY`. */

import { stringify } from "csv-stringify/sync";
import type postgres from "postgres";
import type { Arena } from "./arena.ts";
import type { Shown } from "./compare.ts";
import { leadAt } from "./leads.ts";
import { median, type Service } from "./service.ts";

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
  const begun = performance.now();
  const done = await sent(`${url}/crm/imports/${id}/data`, {
    method: "PUT",
    headers: { authorization, "content-type": "text/plain" },
    body: file,
  });
  const took_s = (performance.now() - begun) / 1000;
  const { created } = JSON.parse(done) as { created: number };
  if (created !== leads)
    throw new Error(`Not all of ${leads} leads were imported: ${done.slice(0, 500)}`);
  return took_s;
}

/** Returns the most recently imported rows in the format of `COPY`. */
async function copyOf(sql: postgres.Sql, tenantId: string, leads: number): Promise<string> {
  const [first] = await sql<{ id: string }[]>`
    select min(id) as id from (select id from leads where tenant_id = ${tenantId}
                                order by id desc limit ${leads}) newest`;
  const copying = await sql`
    copy (select * from leads where tenant_id = ${sql.unsafe(`'${tenantId}'`)}
             and id >= ${sql.unsafe(`'${first?.id ?? ""}'`)}) to stdout`.readable();
  const chunks: Buffer[] = [];
  for await (const chunk of copying) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

/** Runs N rounds. Each round imports one file per format, and inserts the same rows with COPY. */
export async function compareImports(
  { service, bareUrl, sql, tenantId, tidy }: Arena,
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
      rows = await copyOf(sql, tenantId, leads);
      await tidy();
    }
    const begun = performance.now();
    await sent(`${bareUrl}/copy`, { method: "POST", body: rows });
    copied.push((performance.now() - begun) / 1000);
    await tidy();
  }
  return FORMATS.map((format) => {
    const ratios = took[format].map((took_s, at) => (copied[at] ?? Number.NaN) / took_s);
    const rate = (all: readonly number[]): string =>
      `${Math.round(leads / median(all)).toLocaleString("en")} leads/s`;
    return {
      name: "W8",
      what: `import ${leads.toLocaleString("en")} leads (${format.toUpperCase()}), compared with COPY`,
      bar: `≥ ${BAR.toFixed(2)}`,
      ratio: median(ratios),
      spread: [Math.min(...ratios), Math.max(...ratios)] as const,
      isMet: median(ratios) >= BAR,
      own: rate(took[format]),
      beside: rate(copied),
    };
  });
}
