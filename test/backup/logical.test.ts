/** A logical backup restores every row of every table, and only into an empty database. */

import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { takeLogicalBackup } from "../../src/backup/logical.ts";
import { type LogicalManifest, readManifest } from "../../src/backup/contents/manifest.ts";
import { checkTree } from "../../src/backup/materialize.ts";
import { restoreLogical } from "../../src/backup/restore-logical.ts";
import { mustBeComplete } from "../../src/platform/migrations/index.ts";
import { listSequences, listTables } from "../../src/backup/contents/tables.ts";
import { migratedDatabase, testDatabase } from "../kit/database.ts";
import { file, fileApi } from "../kit/file-api.ts";
import { folder } from "../running/leadport.ts";
import { ok } from "../api/samples.ts";
import type { TestSql } from "../kit/sql.ts";

/** Returns each table's rows as PostgreSQL formats them, in a fixed order. */
async function contentsOf(sql: TestSql): Promise<Record<string, readonly string[]>> {
  const contents: Record<string, readonly string[]> = {};
  for (const { name } of await listTables(sql)) {
    const rows = await sql.unsafe<{ row: string }[]>(
      `select t::text as row from "${name}" t order by 1`,
    );
    contents[name] = rows.map(({ row }) => row);
  }
  return contents;
}

const api = await fileApi();
const client = await api.tenant();
const lead = ok(
  await client.post("/crm/leads", {
    name: "Ines Falk\twith\ttabs\nand lines",
    ssn: "123-45-6789",
  }),
);
ok(
  await client.patch(`/crm/leads/${lead.body._id}`, {
    status: "contacted",
    comments: "\\N and \\. é 漢",
  }),
);
ok(
  await client.post("/crm/accounts", {
    name: "Falk & Söhne",
    tags: ["a,b", '"quoted"', "{braces}"],
  }),
);
await api.stop();
const target = join(folder(file), "backup");
const manifest = await takeLogicalBackup(
  { url: api.databaseUrl, address: undefined, dataDir: "/nowhere" },
  target,
);

const noChange = async (): Promise<void> => {};

const interrupted = async (): Promise<void> => {
  throw new Error("interrupted");
};

test("every row and sequence comes back", async (t) => {
  const before = await contentsOf(api.sql);
  assert.ok((before["leads"]?.length ?? 0) > 0 && (before["changes"]?.length ?? 0) > 0);
  const read = readManifest(target) as LogicalManifest;
  assert.deepEqual(read, JSON.parse(JSON.stringify(manifest)));
  await checkTree(target, read);
  const { url, sql } = await testDatabase(t);
  await restoreLogical(target, read, { url, address: undefined, prepare: noChange });
  assert.deepEqual(await contentsOf(sql), before);
  assert.deepEqual(await listSequences(sql), await listSequences(api.sql));
  for (const { table, rows } of read.tables) assert.equal(rows, before[table]?.length, table);
});

test("a database that is not empty is refused", async (t) => {
  const { url } = await migratedDatabase(t);
  await assert.rejects(
    restoreLogical(target, manifest, { url, address: undefined, prepare: noChange }),
    /The database is not empty: it has a table/,
  );
});

test("a restore that was interrupted after copying is noticed until it is repeated in a new database", async (t) => {
  const { url, sql } = await testDatabase(t);
  await assert.rejects(
    restoreLogical(target, manifest, { url, address: undefined, prepare: interrupted }),
    /interrupted/,
  );
  assert.equal((await sql`select from leads`).length, 1);
  const refusal = /restore into this database was interrupted.*Delete the database/;
  await assert.rejects(mustBeComplete(sql), refusal);
  await assert.rejects(
    restoreLogical(target, manifest, { url, address: undefined, prepare: noChange }),
    refusal,
  );
  const next = await testDatabase(t);
  await restoreLogical(target, manifest, { url: next.url, address: undefined, prepare: noChange });
  await mustBeComplete(next.sql);
});

test("a damaged or foreign backup leaves no rows", async (t) => {
  const damaged = join(folder(t), "backup");
  cpSync(target, damaged, { recursive: true });
  const leads = join(damaged, "tables/leads.copy.gz");
  const good = readFileSync(leads);
  const attempts: readonly (readonly [LogicalManifest, Buffer, RegExp])[] = [
    [manifest, Buffer.from("not compressed"), /leads\.copy\.gz is damaged/],
    [
      { ...manifest, files: manifest.files.map((file) => ({ ...file, sha256: "0".repeat(64) })) },
      good,
      /is damaged/,
    ],
    [
      {
        ...manifest,
        tables: manifest.tables.map((one) =>
          one.table === "leads" ? { ...one, columns: [...one.columns, "made_up"] } : one,
        ),
      },
      good,
      /the table "leads" has an unknown column "made_up"/,
    ],
    [
      {
        ...manifest,
        tables: [
          ...manifest.tables,
          { table: "pg_authid", columns: [], rows: 0, path: "tables/x" },
        ],
      },
      good,
      /it has an unknown table "pg_authid"/,
    ],
    [{ ...manifest, schema_version: 100_000 }, good, /is newer than version/],
  ];
  for (const [changed, bytes, reason] of attempts) {
    writeFileSync(leads, bytes);
    const { url, sql } = await testDatabase(t);
    await assert.rejects(
      restoreLogical(damaged, changed, { url, address: undefined, prepare: noChange }),
      reason,
    );
    const tables = await listTables(sql);
    if (tables.length > 0) assert.deepEqual((await contentsOf(sql))["leads"], []);
  }
});
