/**
 * Determines where the cells of CRM exports end up if they are imported without options: `npm run measure:imports --
 * <folder>`. Each subfolder is one data set, imported into a separate installation: accounts first, then people, deals
 * and tasks. For each file, prints which shares of its non-empty cells end up in a field, are stored as text, and are
 * lost.
 */

import { createReadStream, readdirSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRows } from "../src/files/read/rows.ts";
import { type Row } from "../src/files/read/row.ts";
import { arrivals, NOTHING, sumOf, type Arrivals, type ImportedFile } from "./import-arrivals.ts";
import { startService, type Service } from "./service.ts";

/** The record type of a file's rows, by file name, in import order. */
const TYPES: readonly (readonly [type: string, name: RegExp])[] = [
  ["accounts", /account|compan|organi[sz]ation/i],
  ["contacts", /contact|people|person|customer|-500\b/i],
  ["leads", /lead|prospect|subscriber|groweasy/i],
  ["deals", /deal|opportunit|potential|pipeline/i],
  ["invoices", /invoice/i],
  ["orders", /order|quote/i],
  ["tasks", /task|activit|ticket|event|call|meeting/i],
];

const rankOf = (name: string): number => TYPES.findIndex(([, pattern]) => pattern.test(name));

async function measureSet(folder: string): Promise<readonly (readonly [string, Arrivals])[]> {
  const files = readdirSync(folder).filter((name) => name.endsWith(".csv") && rankOf(name) >= 0);
  const dataDir = await mkdtemp(join(tmpdir(), "leadport-measure-"));
  const service = await startService(dataDir, { log: "inherit" });
  try {
    const measured: (readonly [string, Arrivals])[] = [];
    for (const name of files.toSorted((a, b) => rankOf(a) - rankOf(b) || a.localeCompare(b))) {
      const type = TYPES[rankOf(name)]?.[0] ?? "";
      measured.push([name, arrivals(await importOf(service, type, join(folder, name)))]);
    }
    return measured;
  } finally {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function importOf(service: Service, type: string, path: string): Promise<ImportedFile> {
  const known = new Set((await recordsOf(service, type)).map(({ _id }) => _id));
  const created = await ask(service, "/crm/imports", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ type, file_name: path }),
  });
  const { id } = JSON.parse(created) as { id: string };
  await ask(service, `/crm/imports/${id}/data`, { method: "PUT", body: await readFile(path) });
  const told = JSON.parse(await ask(service, `/crm/imports/${id}`, {})) as ImportedFile["told"];
  const records = (await recordsOf(service, type)).filter(({ _id }) => !known.has(_id));
  return { told, rows: await rowsOf(path), records, rejected: await rejectedBy(service, id) };
}

async function rowsOf(path: string): Promise<readonly Row[]> {
  const file = await openRows(createReadStream(path), { name: path });
  const rows: Row[] = [];
  for await (const group of file.rows) {
    for (const row of group) if (!("reason" in row)) rows.push(row);
  }
  return rows;
}

async function recordsOf(service: Service, type: string): Promise<ImportedFile["records"]> {
  const text = await ask(service, `/crm/${type}/export?format=ndjson`, {});
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as ImportedFile["records"][number]);
}

/** Returns the line numbers of rejected rows. */
async function rejectedBy(service: Service, id: string): Promise<ReadonlySet<number>> {
  const text = await ask(service, `/crm/imports/${id}/rejects`, {});
  return new Set(Array.from(text.matchAll(/^(\d+),/gm), ([, line]) => Number(line)));
}

async function ask({ url, token }: Service, path: string, init: RequestInit): Promise<string> {
  const headers = { ...init.headers, authorization: `Bearer ${token}` };
  const response = await fetch(url + path, { ...init, headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 500)}`);
  return text;
}

const percent = (part: number, whole: number) =>
  `${whole === 0 ? "0" : ((part / whole) * 100).toFixed(1)}%`;

function line(name: string, { rows, rejected, cells, field, text, lost }: Arrivals): string {
  const shares = [field, text, lost].map((part) => percent(part, cells));
  return `| ${[name, rows, rejected, cells, ...shares].join(" | ")} |`;
}

const [folder] = process.argv.slice(2);
if (folder === undefined || folder === "--help") {
  console.log("Usage: npm run measure:imports -- <folder of folders of CSV files>");
  process.exit(folder === undefined ? 2 : 0);
}
console.log("| file | rows | rejected | filled cells | in a field | as text | lost |");
console.log("|---|---|---|---|---|---|---|");
const sets = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
for (const { name } of sets.toSorted((a, b) => a.name.localeCompare(b.name))) {
  const files = await measureSet(join(folder, name));
  for (const [file, found] of files) console.log(line(`${name}/${file}`, found));
  if (files.length === 0) continue;
  console.log(line(`**${name}**`, files.map(([, found]) => found).reduce(sumOf, NOTHING)));
}
