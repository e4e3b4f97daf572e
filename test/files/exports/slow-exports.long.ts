/** Slow readers of exports delay neither other tenants nor the database. */

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import http from "node:http";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import pino from "pino";
import { openExport } from "../../../src/files/exports/index.ts";
import { Spool } from "../../../src/files/spool/index.ts";
import { startOwnApp } from "../../api/own-app.ts";
import type { Client } from "../../kit/api.ts";
import { eventually } from "../../kit/eventually.ts";
import { fileApi } from "../../kit/file-api.ts";
import { folder } from "../../running/leadport.ts";
import { exportOfLeads, importFile } from "../imports/sending.ts";
import { openPools } from "../../kit/started.ts";

const api = await fileApi();

/** More rows than all buffers between the database and a reader can hold. */
const ROWS = 12_000;

async function fill(tenant: Client): Promise<void> {
  const rows = Array.from({ length: ROWS }, (_, at) => `Lead ${at},${"x".repeat(2000)}\n`);
  await importFile(tenant, "leads", `name,comments\n${rows.join("")}`);
}

/** Longer than the exports take on a slow machine. Until then, no reader is disconnected for reading nothing. */
const STALL_ms = 600_000;

/** Starts an app for one test, with its own temporary storage for exports. */
async function startApp(t: TestContext) {
  const path = join(folder(t), "exports");
  const spool = new Spool({ folder: path, max_bytes: 1e9, log: pino({ enabled: false }) });
  const options = { connections: 3, spool, stall_ms: STALL_ms };
  const app = await startOwnApp(t, { url: api.databaseUrl, ...options });
  return { ...app, path };
}

const open = (url: string, { bearer }: Client): Promise<http.IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${bearer}` };
    http
      .get(`${url}/crm/leads/export?format=ndjson`, { headers, agent: false }, resolve)
      .on("error", reject);
  });

async function linesOf(response: http.IncomingMessage): Promise<number> {
  let lines = 0;
  for await (const chunk of response) {
    for (const byte of chunk as Buffer) if (byte === 10) lines += 1;
  }
  return lines;
}

test("four readers that read nothing delay another tenant's export by seconds, and get their own completely", async (t) => {
  const acme = await api.tenant();
  const rival = await api.tenant();
  await fill(acme);
  await rival.post("/crm/leads", { name: "Only" });
  const { url, path } = await startApp(t);
  const opening = [1, 2, 3, 4].map(async () => {
    const response = await open(url, acme);
    assert.equal(response.statusCode, 200);
    return response;
  });
  // The four responses have not been read yet.
  assert.equal(await linesOf(await open(url, rival)), 1);
  const slow = await Promise.all(opening);
  // No export's transaction stays open, whether idle or active, although no response has been read.
  await eventually(
    async () => {
      const [row] = await api.sql`
        select count(*)::int as open from pg_stat_activity
         where datname = current_database() and application_name = 'leadport lists'
           and xact_start is not null`;
      return row?.["open"] as number;
    },
    (count) => count === 0,
  );
  assert.deepEqual(readdirSync(path), []);
  assert.deepEqual(await Promise.all(slow.map(linesOf)), [ROWS, ROWS, ROWS, ROWS]);
});

test("an export that reads the database for too long is cut off, and its transaction ends", async (t) => {
  const acme = await api.tenant();
  await fill(acme);
  const db = openPools(t, { url: api.databaseUrl, connections: 1, listTimeout_ms: 10_000 });
  const file = await openExport({ ...exportOfLeads(acme), db: db.sql, momentMax_ms: 300 });
  const failed = new Promise<Error>((resolve) => file.once("error", resolve));
  file.once("readable", () => undefined);
  assert.match((await failed).message, /took too long to read the database/);
  const [row] = await db.sql`select 1 as one`;
  assert.equal(row?.["one"], 1);
});

test("an eleventh export of one credential is rejected while ten are sent", async (t) => {
  const acme = await api.tenant();
  await fill(acme);
  const { url } = await startApp(t);
  const readers = await Promise.all(Array.from({ length: 10 }, () => open(url, acme)));
  const refused = await open(url, acme);
  assert.equal(refused.statusCode, 429);
  assert.ok(Number(refused.headers["retry-after"]) > 0);
  refused.resume();
  for (const reader of readers) reader.destroy();
  const last = await eventually(
    async () => {
      const again = await open(url, acme);
      again.resume();
      return again.statusCode;
    },
    (status) => status === 200,
  );
  assert.equal(last, 200);
});
