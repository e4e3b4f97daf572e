/** A tenant file is untrusted input: docs/moving-a-tenant.md#how-a-file-is-checked. */

import assert from "node:assert/strict";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { gzipSync } from "node:zlib";
import { newTransferKey } from "../../src/platform/secrets/index.ts";
import { migratedDatabase } from "../kit/database.ts";
import { temporaryFolder } from "../kit/started.ts";
import {
  acme,
  api,
  body,
  column,
  forged,
  type Forgery,
  good,
  keys,
  lead,
  nothingWritten,
  rival,
  rows,
  target,
} from "./forge-kit.ts";
import { imported } from "./move-kit.ts";

const LINK = 0o120777 * 0x1_0000;

const CASES: Readonly<Record<string, Forgery & { readonly refused: RegExp }>> = {
  "a part outside of its folder": {
    extra: [["../../etc/passwd", "root"]],
    refused: /Unsafe filename/,
  },
  "a part with an absolute path": { extra: [["/etc/passwd", "root"]], refused: /Unsafe filename/ },
  "a part in another folder": {
    extra: [["tables/x/leads.copy.gz", ""]],
    refused: /does not belong/,
  },
  "a link": {
    how: { "tables/leads.copy.gz": { externalFileAttributes: LINK } },
    refused: /is a link or a folder/,
  },
  "an encrypted part": {
    how: { "tables/leads.copy.gz": { password: "secret" } },
    refused: /is encrypted/,
  },
  "a part that the manifest does not list": {
    extra: [["tables/more.copy.gz", "x"]],
    refused: /tables\/more.copy.gz is not listed in the manifest/,
  },
  "a missing part": {
    forge: ({ parts: all }) => void all.delete("tables/leads.copy.gz"),
    refused: /tables\/leads.copy.gz is missing/,
  },
  "a part of another size": {
    forge: ({ parts: all }) => void all.set("tables/leads.copy.gz", gzipSync("x")),
    keepsChecksums: true,
    refused: /does not have the size in the manifest/,
  },
  "a manifest that was changed without the key": {
    signedBy: newTransferKey(),
    refused: /manifest.json was changed after the export/,
  },
  "a part with another checksum": {
    forge: ({ parts: all }) => {
      const bytes = Buffer.from(all.get("tables/leads.copy.gz") as Buffer);
      // Change the timestamp in the gzip header, which affects no row.
      bytes[4] = (bytes[4] ?? 0) ^ 1;
      all.set("tables/leads.copy.gz", bytes);
    },
    keepsChecksums: true,
    refused: /does not have the checksum in the manifest/,
  },
  "an unknown table": {
    forge: ({ manifest, parts: all }) => {
      const [first] = manifest.tables;
      manifest.tables.push({ ...first!, table: "pg_authid", path: "tables/pg_authid.copy.gz" });
      manifest.files.push({ path: "tables/pg_authid.copy.gz", bytes: 0, sha256: "0".repeat(64) });
      all.set("tables/pg_authid.copy.gz", gzipSync(""));
    },
    refused: /unknown table "pg_authid"/,
  },
  "the id of another tenant in its rows": {
    forge: column("leads", "tenant_id", rival.tenantId),
    refused: /the table "leads" has a column "tenant_id"/,
  },
  "a reference to a record outside of the file": {
    forge: rows(
      "deals",
      body((one) => void (one["account_id"] = lead._id)),
    ),
    refused: /a row of the table deals refers to a missing account/,
  },
};

for (const [name, { refused, ...forgery }] of Object.entries(CASES)) {
  test(`a file with ${name} is refused, and nothing is written`, async (t) => {
    const path = await forged(t, forgery);
    await assert.rejects(imported(t, { path, key: good.key }, { ...target, keys }), refused);
    await nothingWritten();
  });
}

test("a truncated file, another key, and a file of another kind are refused", async (t) => {
  const folder = temporaryFolder(t);
  const cut = join(folder, "cut.zip");
  for (const bytes of [10, 1000, readFileSync(good.path).length - 1]) {
    writeFileSync(cut, readFileSync(good.path));
    truncateSync(cut, bytes);
    await assert.rejects(
      imported(t, { path: cut, key: good.key }, { ...target, keys }),
      /is damaged or not a ZIP archive/,
    );
  }
  await assert.rejects(
    imported(t, { path: good.path, key: newTransferKey() }, { ...target, keys }),
    /The transfer key does not belong to/,
  );
  await assert.rejects(
    imported(t, { path: join(folder, "none.zip"), key: good.key }, { ...target, keys }),
    /There is no file/,
  );
  await nothingWritten();
});

test("a tenant that exists, a taken handle and a file of a newer release are refused", async (t) => {
  const here = { sql: api.sql, keys };
  await assert.rejects(
    imported(t, good, here),
    /already in this installation: "Tenant 1" \(tenant-1\)/,
  );
  const { sql } = await migratedDatabase(t);
  await sql`
    insert into tenants (id, handle, name, default_country, timezone, currency, created_ts, updated_ts)
    values (gen_random_uuid(), 'tenant-1', 'Other', 'US', 'UTC', 'USD', 0, 0)`;
  await assert.rejects(imported(t, good, { sql, keys }), /The handle "tenant-1" is taken/);
  await assert.rejects(imported(t, good, { sql, keys, handle: "default" }), /is reserved/);
  await assert.rejects(imported(t, good, { sql, keys, handle: "No" }), /is not valid/);
  const path = await forged(t, { forge: ({ manifest }) => void (manifest.schema_version = 999) });
  await assert.rejects(imported(t, { path, key: good.key }, { ...target, keys }), /newer release/);
});

test("a partner of another tenant with the same id is not replaced", async (t) => {
  const { sql } = await migratedDatabase(t);
  const tenantId = crypto.randomUUID();
  await sql`
    insert into tenants (id, handle, name, default_country, timezone, currency, created_ts, updated_ts)
    values (${tenantId}, 'victim', 'Victim', 'US', 'UTC', 'USD', 0, 0)`;
  const [partner] = await api.sql`select * from partners where tenant_id = ${acme.tenantId}`;
  await sql`insert into partners ${sql({ ...partner, tenant_id: tenantId })}`;
  await assert.rejects(
    imported(t, good, { sql, keys }),
    /another tenant .* has the same id in partners/,
  );
  assert.equal((await sql`select from tenants`).count, 1);
});
