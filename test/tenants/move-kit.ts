/** A tenant with rows in every table of a tenant file, and moving it to another database. */

import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { finished } from "node:stream/promises";
import { URI, type TOTP } from "otpauth";
import type { TenantManifest } from "../../src/backup/contents/index.ts";
import { idSource } from "../../src/platform/ids/ids.ts";
import { type Clock, systemClock } from "../../src/platform/clock/clock.ts";
import { copyConnection } from "../../src/platform/database/index.ts";
import {
  createSealer,
  newTransferKey,
  type MasterKey,
  type TransferKey,
} from "../../src/platform/secrets/index.ts";
import { EXCLUDED_FROM_EXPORT } from "../../src/service/modules.ts";
import { exportTenant } from "../../src/tenant-data/export.ts";
import { importTenant, type WithScratch } from "../../src/tenant-data/import.ts";
import { tenantTables } from "../../src/tenant-data/tables.ts";
import { BUILT_IN_TYPES } from "../../src/records/types/index.ts";
import { fullBody, makeReferable, ok } from "../api/samples.ts";
import { makeDelivery } from "../delivery/stored.ts";
import { busyBusiness } from "../kit/busy-business.ts";
import { startApi, type Api, type ApiOptions, type Client } from "../kit/api.ts";
import { migratedDatabase, testDatabase } from "../kit/database.ts";
import { SSN } from "../kit/ssn.ts";
import { temporaryFolder, type Owner } from "../kit/started.ts";
import { follow, ownerOf, type Page, PASSWORD, tokenIn } from "../people/people-kit.ts";
import type { TestSql } from "../kit/sql.ts";

export interface FullTenant {
  readonly api: Api;
  readonly client: Client;
  readonly keys: MasterKey;
  /** An owner with a second factor. */
  readonly owner: Page;
  readonly totpUri: string;
  readonly email: string;
  /** A lead whose social security number came from a lead that was merged into it. */
  readonly leadId: string;
}

/** Creates a service with a tenant that has used every feature. */
export async function fullTenant(t: Owner, options: ApiOptions = {}): Promise<FullTenant> {
  const keys = options.keys ?? { all: [randomBytes(32)] };
  const api = await startApi(t, { ...options, keys });
  // The installation's first tenant cannot be deleted after a move, so the tests move the second
  // one.
  await api.tenant();
  const client = await api.tenant();
  await busyBusiness({ client } as never);
  const post = async (path: string, body?: object) => ok(await client.post(path, body)).body;
  const odd = { name: "Ines Falk\twith\ttabs\nand lines", comments: "\\N and \\. é 漢" };
  const first = await post("/crm/leads", { ...odd, external_id: "crm-1" });
  const second = await post("/crm/leads", { name: "Ines F.", ssn: SSN });
  await post(`/crm/leads/${first._id}/merge`, { ids: [second._id] });
  await post("/crm/contacts", { name: "Nils Dahl", ssn: "987-65-4321" });
  const refs = await makeReferable(client);
  for (const type of Object.values(BUILT_IN_TYPES))
    await post(type.writePath, fullBody(type, 3, refs));
  ok(await client.patch(`/crm/accounts/${refs["account"]}`, { name: "Pier Ten" }));
  const partnered = { match_filter_dict: { partner_id: { $ne: null } } };
  const { leads } = ok(await client.get("/crm/leads", partnered)).body;
  const contact = await post(`/crm/leads/${leads[0]._id}/convert`, {});
  const sold = { name: "Sails", account_id: refs["account"], contact_id: contact.contact_id };
  await post("/crm/opportunities", sold);
  await importRejected(client);
  await configure(client, api.sql);
  const erased = await post("/crm/leads", { name: "Erased", email: "erased@example.com" });
  const { report_id } = await post("/crm/admin/persons/report", { email: "erased@example.com" });
  await post("/crm/admin/persons/erase", { report_id, record_ids: [erased._id] });
  const email = "owner@example.com";
  const owner = await ownerOf(api, client, email);
  const enrollment = ok(await owner.post("/auth/second_factor", { password: PASSWORD })).body;
  const code = (URI.parse(enrollment.uri) as TOTP).generate({ timestamp: Date.now() });
  ok(await owner.post("/auth/second_factor/confirm", { code }));
  const reviewer = { name: "Rune", email: "rune@example.com", role: "reviewer" };
  const { link } = ok(await client.post("/crm/admin/people", reviewer)).body;
  await follow(client, tokenIn(link));
  return { api, client, keys, owner, totpUri: enrollment.uri, email, leadId: first._id };
}

async function importRejected(client: Client): Promise<void> {
  const { id } = ok(await client.post("/crm/imports", { type: "leads" })).body;
  const body = "Name,Email\nOla,ola@example.com\n,not an address\n";
  ok(await client.request({ method: "PUT", path: `/crm/imports/${id}/data`, body }));
}

async function configure(client: Client, sql: TestSql): Promise<void> {
  ok(
    await client.put("/crm/admin/import_webhook", {
      enabled: true,
      url: "https://hooks.example.com/in",
      method: "POST",
      headers: { Authorization: "Bearer secret", "Content-Type": "application/json" },
      body_template: '{"id": {{id}}}',
      timeout_s: 5,
    }),
  );
  const [webhook] = ok(await client.get("/crm/webhooks")).body;
  const [start_date, end_date] = [-3600, 0].map((s) =>
    new Date(Date.now() + s * 1000).toISOString(),
  );
  const range = { start_date, end_date };
  ok(await client.post(`/crm/webhooks/${webhook.id}/replay`, range));
  await makeDelivery(sql, client.tenantId, { status: "pending" });
  await makeDelivery(sql, client.tenantId, { status: "delivered" });
}

export interface Exported {
  readonly path: string;
  readonly key: TransferKey;
  readonly manifest: TenantManifest;
}

/** The tables that are not part of a tenant file. */
export const EXCLUDED = Object.keys(EXCLUDED_FROM_EXPORT);

/** Exports a tenant to a file. */
export async function exported(
  t: Owner,
  sql: TestSql,
  { keys, tenantId }: { readonly keys: MasterKey; readonly tenantId: string },
): Promise<Exported> {
  const path = join(temporaryFolder(t), "acme.tenant.zip");
  const key = newTransferKey();
  const single = copyConnection(sql);
  try {
    const sink = new PassThrough();
    const file = sink.pipe(createWriteStream(path, { mode: 0o600 }));
    const sealer = createSealer(keys);
    const options = { tenantId: tenantId as never, excluded: EXCLUDED, sealer, key };
    const manifest = await exportTenant(single, options, sink);
    if (!file.closed) await finished(file);
    return { path, key, manifest };
  } finally {
    await single.end({ timeout: 1 });
  }
}

/** Uses a database on the tests' server. The command starts a temporary server instead, which takes longer. */
const scratchOf =
  (t: Owner, isOlder: boolean): WithScratch =>
  async (_bytes, work) =>
    work((await (isOlder ? testDatabase(t) : migratedDatabase(t))).url, undefined);

export interface Target {
  readonly sql: TestSql;
  readonly keys: MasterKey;
  readonly handle?: string;
  readonly clock?: Clock;
  /** Whether the file has an earlier schema version. */
  readonly isOlder?: boolean;
}

export const imported = (
  t: Owner,
  { path, key }: Pick<Exported, "path" | "key">,
  { sql, keys, handle, clock = systemClock(), isOlder = false }: Target,
) =>
  importTenant(
    { sql: sql, clock, makeId: idSource(clock), sealer: createSealer(keys) },
    { path, key, excluded: EXCLUDED, handle, withScratch: scratchOf(t, isOlder) },
  );

type Row = Readonly<Record<string, unknown>>;

/** Returns a tenant's rows in every table of a tenant file, in a fixed order, without the tenant's id. */
export async function rowsOf(sql: TestSql, tenantId: string) {
  const found: Record<string, readonly Row[]> = {};
  for (const { name, columns } of await tenantTables(sql, EXCLUDED)) {
    const own = name === "tenants" ? "id" : "tenant_id";
    const list = columns.map((column) => `"${column}"`).join(", ");
    const rows = await sql.unsafe<{ row: Row }[]>(
      `select to_json(r) as row from (select ${list} from "${name}" where ${own} = $1) r
        order by to_json(r)::text collate "C"`,
      [tenantId],
    );
    found[name] = rows.map(({ row }) => row);
  }
  return found;
}
