/** A tenant file is untrusted input: docs/moving-a-tenant.md#how-a-file-is-checked. */

import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { createWriteStream, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { Writable } from "node:stream";
import test, { type TestContext } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import {
  BlobReader,
  TextReader,
  Uint8ArrayReader,
  Uint8ArrayWriter,
  ZipReader,
  ZipWriter,
} from "@zip.js/zip.js";
import type { TenantManifest } from "../../src/backup/index.ts";
import { newTransferKey } from "../../src/platform/secrets/index.ts";
import { ok } from "../api/samples.ts";
import { startApi } from "../kit/api.ts";
import { file, temporaryFolder } from "../kit/started.ts";
import { migratedDatabase } from "../kit/database.ts";
import { partnerOf } from "../exchange/partner-kit.ts";
import { exported, imported } from "./move-kit.ts";

const keys = { all: [randomBytes(32)] };
const api = await startApi(file, { keys });
const acme = await api.tenant();
const rival = await api.tenant();
const lead = ok(await acme.post("/crm/leads", { name: "Ada", ssn: "123-45-6789" })).body;
const account = ok(await acme.post("/crm/accounts", { name: "Nordlys" })).body;
ok(await acme.post("/crm/opportunities", { name: "Deal", account_id: account._id }));
ok(await acme.patch(`/crm/accounts/${account._id}`, { name: "Nordlys AS" }));
await partnerOf(acme);
const good = await exported(file, api.sql, { keys, tenantId: acme.tenantId });
const parts = await partsOf(good.path);
const target = await migratedDatabase(file);

type Parts = Map<string, Buffer>;

async function partsOf(path: string): Promise<Parts> {
  const zip = new ZipReader(new BlobReader(new Blob([readFileSync(path)])));
  const found: Parts = new Map();
  for (const entry of await zip.getEntries()) {
    if (entry.directory) continue;
    found.set(entry.filename, Buffer.from(await entry.getData(new Uint8ArrayWriter())));
  }
  return found;
}

interface Forged {
  readonly manifest: TenantManifest;
  readonly parts: Parts;
}

/** How an entry is stored in the archive. */
interface Entry {
  readonly externalFileAttributes?: number;
  readonly password?: string;
}

interface Forgery {
  /** Changes the manifest and the parts. */
  readonly forge?: (forged: Forged) => void;
  /** Entries that the archive has in addition. */
  readonly extra?: readonly (readonly [name: string, content: string, how?: Entry])[];
  readonly how?: Readonly<Record<string, Entry>>;
  /** Leaves the checksums as they were. */
  readonly keepsChecksums?: true;
  readonly signedBy?: typeof good.key;
}

/** A file that someone with the transfer key has changed, with checksums and signature of the new contents. */
async function forged(t: TestContext, { forge, extra = [], how = {}, ...rest }: Forgery) {
  const manifest = JSON.parse(String(parts.get("manifest.json"))) as TenantManifest;
  const changed = new Map(parts);
  forge?.({ manifest, parts: changed });
  for (const one of rest.keepsChecksums === true ? [] : manifest.files) {
    const content = changed.get(one.path);
    if (content === undefined) continue;
    Object.assign(one, {
      bytes: content.length,
      sha256: createHash("sha256").update(content).digest("hex"),
    });
  }
  const text = JSON.stringify(manifest);
  changed.set("manifest.json", Buffer.from(text));
  changed.set("manifest.sig", Buffer.from((rest.signedBy ?? good.key).sign(text)));
  const path = join(temporaryFolder(t), "forged.zip");
  const sink = createWriteStream(path);
  const zip = new ZipWriter(Writable.toWeb(sink), { level: 0 });
  for (const [name, content] of changed) {
    await zip.add(name, new Uint8ArrayReader(content), how[name] ?? {});
  }
  for (const [name, content, entry] of extra)
    await zip.add(name, new TextReader(content), entry ?? {});
  await zip.close();
  if (!sink.closed) await finished(sink);
  return path;
}

/** Changes the rows of a table; each row is a list of the fields by column. */
const rows =
  (table: string, change: (row: Record<string, string>) => void | false) =>
  ({ manifest, parts: all }: Forged): void => {
    const described = manifest.tables.find((one) => one.table === table);
    assert.ok(described !== undefined, table);
    const lines = gunzipSync(all.get(described.path) as Buffer)
      .toString()
      .split("\n")
      .filter((line) => line !== "");
    assert.ok(lines.length > 0, `${table} has rows`);
    const after = lines.flatMap((line) => {
      const fields = line.split("\t");
      const row = Object.fromEntries(described.columns.map((name, at) => [name, fields[at] ?? ""]));
      if (change(row) === false) return [];
      return [described.columns.map((name) => row[name]).join("\t")];
    });
    const text = after.map((line) => `${line}\n`).join("");
    manifest.raw_bytes += text.length;
    all.set(described.path, gzipSync(text));
  };

const column =
  (table: string, name: string, value: string) =>
  ({ manifest, parts: all }: Forged): void => {
    const described = manifest.tables.find((one) => one.table === table);
    described?.columns.push(name);
    const path = described?.path ?? "";
    const text = gunzipSync(all.get(path) as Buffer).toString();
    const after = text.replaceAll("\n", `\t${value}\n`);
    manifest.raw_bytes += after.length;
    all.set(path, gzipSync(after));
  };

const body =
  (change: (body: Record<string, unknown>) => void) =>
  (row: Record<string, string>): void => {
    const parsed = JSON.parse(row["body"] as string) as Record<string, unknown>;
    change(parsed);
    row["body"] = JSON.stringify(parsed);
  };

const LINK = 0o120777 * 0x1_0000;
const rowOf = (name: string) => new RegExp(`a row of the table ${name} `);

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
  "a part with another checksum": {
    forge: ({ parts: all }) => {
      const bytes = Buffer.from(all.get("tables/leads.copy.gz") as Buffer);
      // The time in the header of gzip, which changes no row.
      bytes[4] = (bytes[4] ?? 0) ^ 1;
      all.set("tables/leads.copy.gz", bytes);
    },
    keepsChecksums: true,
    refused: /does not have the checksum in the manifest/,
  },
  "a part of another size": {
    forge: ({ parts: all }) => void all.set("tables/leads.copy.gz", gzipSync("x")),
    keepsChecksums: true,
    refused: /does not have the size in the manifest/,
  },
  "a part that does not decompress": {
    forge: ({ parts: all }) => void all.set("tables/leads.copy.gz", Buffer.from("not gzip")),
    refused: /tables\/leads.copy.gz: incorrect header check/,
  },
  "more rows than the manifest says": {
    forge: ({ manifest, parts: all }) => {
      all.set("tables/leads.copy.gz", gzipSync(Buffer.alloc(50_000_000, "x")));
      manifest.raw_bytes = 1_000_000;
    },
    refused: /its rows are larger than the manifest says/,
  },
  "a manifest that was changed without the key": {
    signedBy: newTransferKey(),
    refused: /manifest.json was changed after the export/,
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
  "a table that is left out of tenant files": {
    forge: ({ manifest, parts: all }) => {
      const [first] = manifest.tables;
      manifest.tables.push({ ...first!, table: "sessions", path: "tables/sessions.copy.gz" });
      manifest.files.push({ path: "tables/sessions.copy.gz", bytes: 0, sha256: "0".repeat(64) });
      all.set("tables/sessions.copy.gz", gzipSync(""));
    },
    refused: /unknown table "sessions"/,
  },
  "a missing table": {
    forge: ({ manifest, parts: all }) => {
      manifest.tables = manifest.tables.filter(({ table }) => table !== "tasks");
      manifest.files = manifest.files.filter(({ path }) => path !== "tables/tasks.copy.gz");
      all.delete("tables/tasks.copy.gz");
    },
    refused: /the table "tasks" is missing/,
  },
  "an unknown column": {
    forge: column("leads", "sql", "x"),
    refused: /the table "leads" has a column "sql"/,
  },
  "the id of another tenant in its rows": {
    forge: column("leads", "tenant_id", rival.tenantId),
    refused: /the table "leads" has a column "tenant_id"/,
  },
  "the id of another tenant in the manifest": {
    forge: ({ manifest }) => void (manifest.tenant.handle = "other"),
    refused: /its tenant is not the one in the manifest/,
  },
  "a tenant with an invalid setting": {
    forge: rows("tenants", (row) => void (row["timezone"] = "Nowhere")),
    refused: /the tenant's timezone is not a time zone's name/,
  },
  "no tenant": { forge: rows("tenants", () => false), refused: /violates foreign key constraint/ },
  "an id of another shape": {
    forge: rows("leads", (row) => void (row["id"] = "../1")),
    refused: rowOf("leads"),
  },
  "the same id twice": {
    forge: ({ manifest, parts: all }) => {
      const text = gunzipSync(all.get("tables/leads.copy.gz") as Buffer).toString();
      manifest.raw_bytes += text.length;
      all.set("tables/leads.copy.gz", gzipSync(text + text));
    },
    refused: /duplicate key value/,
  },
  "a body with another id": {
    forge: rows(
      "leads",
      body((one) => void (one["_id"] = "0".repeat(24))),
    ),
    refused: /has another id in its body/,
  },
  "a body that is not JSON": {
    forge: rows("leads", (row) => void (row["body"] = "{")),
    refused: /invalid input syntax for type json/,
  },
  "a body that PostgreSQL cannot read": {
    forge: rows(
      "leads",
      body((one) => void (one["_id"] = "\\u0000")),
    ),
    refused: /cannot be used/,
  },
  "a reference to a record outside of the file": {
    forge: rows(
      "deals",
      body((one) => void (one["account_id"] = lead._id)),
    ),
    refused: /a row of the table deals refers to a missing account/,
  },
  "a token of a user outside of the file": {
    forge: rows("access_tokens", (row) => void (row["person_id"] = rival.personId)),
    refused: /violates foreign key constraint/,
  },
  "an unknown permission": {
    forge: rows("access_tokens", (row) => void (row["permissions"] = "{root}")),
    refused: /has an unknown permission/,
  },
  "an unknown role": {
    forge: rows("people", (row) => void (row["role"] = "operator")),
    refused: /has an unknown role/,
  },
  "a job that would stop the worker": {
    forge: rows("renames", (row) => void (row["referenced_type"] = "tenant")),
    refused: /has an unknown referenced_type/,
  },
  "a sealed value that does not open": {
    forge: rows("leads", (row) => void (row["internal"] = '{"ssn":"AAAA"}')),
    refused: /A sealed value in the table leads cannot be opened/,
  },
};

for (const [name, { refused, ...forgery }] of Object.entries(CASES)) {
  test(`a file with ${name} is refused, and nothing is written`, async (t) => {
    const path = await forged(t, forgery);
    await assert.rejects(imported(t, { path, key: good.key }, { ...target, keys }), refused);
    await nothingWritten();
  });
}

async function nothingWritten(): Promise<void> {
  for (const table of ["tenants", "people", "leads", "changes", "access_tokens"]) {
    const found = await target.sql.unsafe(`select from ${table}`);
    assert.equal(found.count, 0, table);
  }
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
  await api.sql`update tenants set id = ${crypto.randomUUID()} where false`;
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
