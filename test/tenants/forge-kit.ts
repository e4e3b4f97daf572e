/** Tenant files altered by someone with the transfer key. */

import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { createWriteStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { Writable } from "node:stream";
import type { TestContext } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import {
  BlobReader,
  TextReader,
  Uint8ArrayReader,
  Uint8ArrayWriter,
  ZipReader,
  ZipWriter,
} from "@zip.js/zip.js";
import type { TenantManifest } from "../../src/backup/contents/index.ts";
import { ok } from "../api/samples.ts";
import { startApi } from "../kit/api.ts";
import { allFiles, temporaryFolder } from "../kit/started.ts";
import { migratedDatabase } from "../kit/database.ts";
import { partnerOf } from "../exchange/partner-kit.ts";
import { importFile } from "../files/imports/sending.ts";
import { eraseAll, report } from "../privacy/person-requests.ts";
import { exported } from "./move-kit.ts";
import type { MasterKey } from "../../src/platform/secrets/index.ts";

export const keys: MasterKey = { all: [randomBytes(32)] };
export const api = await startApi(allFiles, { keys });
export const acme = await api.tenant();
export const rival = await api.tenant();
export const lead = ok(await acme.post("/crm/leads", { name: "Ada", ssn: "123-45-6789" })).body;
const account = ok(await acme.post("/crm/accounts", { name: "Nordlys" })).body;
ok(await acme.post("/crm/opportunities", { name: "Deal", account_id: account._id }));
ok(await acme.patch(`/crm/accounts/${account._id}`, { name: "Nordlys AS" }));
await partnerOf(acme);
ok(await acme.put("/crm/admin/privacy", { history_days: 400 }));
ok(await acme.post("/crm/leads", { name: "Gone", email: "gone@example.org" }));
await importFile(acme, "lead", "name\nEva Import\n");
ok(await eraseAll(acme, await report(acme, { email: "gone@example.org" })));
export const good = await exported(allFiles, api.sql, { keys, tenantId: acme.tenantId });
const parts = await partsOf(good.path);
export const target = await migratedDatabase(allFiles);

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

export interface Forgery {
  /** Changes the manifest and the parts. */
  readonly forge?: (forged: Forged) => void;
  /** Additional entries in the archive. */
  readonly extra?: readonly (readonly [name: string, content: string, how?: Entry])[];
  readonly how?: Readonly<Record<string, Entry>>;
  /** Leaves the original checksums in place. */
  readonly keepsChecksums?: true;
  readonly signedBy?: typeof good.key;
}

/** Returns a file altered by someone with the transfer key, with checksums and a signature for the new contents. */
export async function forged(t: TestContext, { forge, extra = [], how = {}, ...rest }: Forgery) {
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

/** Changes the rows of a table. Each row is an object with the columns as keys. */
export const rows =
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

export const column =
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

export const body =
  (change: (body: Record<string, unknown>) => void) =>
  (row: Record<string, string>): void => {
    const parsed = JSON.parse(row["body"] as string) as Record<string, unknown>;
    change(parsed);
    row["body"] = JSON.stringify(parsed);
  };

/** Asserts that nothing was written to the target. */
export async function nothingWritten(): Promise<void> {
  for (const table of ["tenants", "people", "leads", "changes", "access_tokens"]) {
    const found = await target.sql.unsafe(`select from ${table}`);
    assert.equal(found.count, 0, table);
  }
}
