/**
 * The exchange's test data, in addition to the leads: the same number of contacts with different email addresses and
 * phone numbers, ten partners, 100,000 pushed leads in all states, and 20,000 won deals from which partners earn
 * commission. Contacts and pushed leads are inserted with SQL; partners and deals are created by the service.
 */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findOrAddPerson, findFirstTenant } from "../src/access/index.ts";
import { SERVICE, type Scope } from "../src/audit/index.ts";
import { openInstallation, type Installation } from "../src/commands/installation.ts";
import { attributionHook } from "../src/exchange/index.ts";
import { createPartner } from "../src/exchange/partners/partners.ts";
import type { Db } from "../src/platform/database/tx.ts";
import { createSealer } from "../src/platform/secrets/sealing.ts";
import { RECORD_TYPES } from "../src/records/index.ts";
import { LEAD_SOURCES } from "../src/records/types/enums.ts";
import { createDrafts, secretDraft } from "../src/records/write/write.ts";
import type { Author, WriteDeps } from "../src/records/write/writer.ts";
import { FILL_CONTACTS, FILL_HISTORY, FILL_PERSONS, FILL_PUSHED } from "./exchange-rows.ts";
import { filled } from "./fill.ts";

export const PARTNERS = 10;
export const PUSHED = 100_000;
export const DEALS = 20_000;
const CHUNK = 500;
const SPREAD_s = 730 * 86_400;

export interface BenchPartner {
  readonly id: string;
  readonly access_code: string;
  readonly sources: readonly string[];
}

/** Describes the exchange's test data in a folder. It is stored in the folder once all data is inserted. */
export interface ExchangeFilling {
  readonly rows: number;
  readonly partners: readonly BenchPartner[];
  /** The partner whose pushes are measured. These pushes are removed afterward. */
  readonly pusher: BenchPartner;
}

/**
 * The scope, dependencies and author that are used to write records. The scope's tenant is the installation's first
 * one.
 */
export interface Writer {
  readonly scope: Scope<Db>;
  readonly deps: WriteDeps;
  readonly author: Author;
}

export async function writerOf(installation: Installation): Promise<Writer> {
  const { clock, makeId } = installation;
  const { sql: db } = installation.db;
  const tenant = await findFirstTenant(db);
  if (tenant === undefined) throw new Error("There is no first tenant");
  const deps = { clock, makeId, sealer: createSealer(installation.keys) };
  const person = await findOrAddPerson(db, deps, tenant.id, undefined);
  return {
    scope: { db, tenantId: tenant.id, actor: SERVICE },
    deps,
    author: { country: tenant.default_country, person },
  };
}

/** Opens the data folder's database, which this process starts unless a running service has already started it. */
export const openFolder = (dataDir: string): Promise<Installation> =>
  openInstallation(
    { ...process.env, DATA_DIR: dataDir, DATABASE_URL: "", LOG_LEVEL: "warn" },
    { kind: "command", connections: 2 },
  );

/** Fills the folder if it is empty, and adds the exchange if it contains only leads. */
export async function filledExchange(dataDir: string, rows: number): Promise<ExchangeFilling> {
  const { newest_s } = await filled(dataDir, rows);
  const note = join(dataDir, "bench-exchange.json");
  if (existsSync(note)) return JSON.parse(readFileSync(note, "utf8")) as ExchangeFilling;
  console.log(`Filling ${dataDir} with contacts and the exchange, once.`);
  const installation = await openFolder(dataDir);
  try {
    const filling = await fill(installation, { rows, newest_s });
    writeFileSync(note, JSON.stringify(filling), { mode: 0o600 });
    return filling;
  } finally {
    await installation.close();
  }
}

interface Size {
  readonly rows: number;
  readonly newest_s: number;
}

async function fill(installation: Installation, size: Size): Promise<ExchangeFilling> {
  const { sql } = installation.db;
  const writer = await writerOf(installation);
  const { tenantId } = writer.scope;
  const [begun] = await sql`select 1 from partners where tenant_id = ${tenantId} limit 1`;
  if (begun !== undefined)
    throw new Error("Filling the folder with the exchange was interrupted: remove the folder");
  const partners: BenchPartner[] = [];
  for (let at = 0; at < PARTNERS; at++)
    partners.push(await makePartner(writer, `Partner ${at}`, at));
  const ids = partners.map(({ id }) => id);
  const first_s = size.newest_s - SPREAD_s;
  await timed("contacts", () => sql.unsafe(FILL_CONTACTS, [tenantId, ids as never]));
  await timed("pushed leads", async () => {
    await sql.unsafe(FILL_PUSHED, [tenantId, ids as never, PUSHED, first_s, SPREAD_s]);
    await sql.unsafe(FILL_HISTORY, [tenantId]);
    await sql.unsafe(FILL_PERSONS, [tenantId]);
  });
  await timed("won deals", () => makeDeals(writer, first_s));
  await timed("vacuum and analyze", async () => {
    for (const table of ["contacts", "pushed_leads", "attributions", "deals", "attributed_deals"]) {
      await sql.unsafe(`vacuum (analyze) ${table}`);
    }
    await sql.unsafe("vacuum (analyze) changes");
    await sql.unsafe("checkpoint");
  });
  const pusher = await makePartner(writer, "Pusher", 0);
  return { rows: size.rows, partners, pusher };
}

/**
 * For each partner, an index in LEAD_SOURCES. The partner may use this source and the next one. The first partner has
 * the two most common sources, the second has two of medium frequency, and the third has the two rarest.
 */
const FIRST_SOURCES = [0, 8, 16, 2, 4, 6, 10, 12, 14, 1];

async function makePartner(
  { scope, deps }: Writer,
  name: string,
  at: number,
): Promise<BenchPartner> {
  const from = FIRST_SOURCES[at] ?? 0;
  const sources = LEAD_SOURCES.slice(from, from + 2);
  const made = await createPartner(scope, deps, {
    name,
    allowed_marketing_sources: [...sources],
    commission_rate: 5 + at / 2,
  });
  return { id: made.id, access_code: made.access_code, sources };
}

/** Creates won deals for attributed contacts. The service attributes each deal to its contact's partner. */
async function makeDeals({ scope, deps, author }: Writer, first_s: number): Promise<void> {
  const contacts = await scope.db<{ id: string }[]>`
    select id from contacts
     where tenant_id = ${scope.tenantId} and body->>'partner_id' is not null limit ${DEALS}`;
  const withHook = { ...deps, onCreation: attributionHook };
  const deals = { scope, deps: withHook, author, type: RECORD_TYPES.deal };
  for (let from = 0; from < DEALS; from += CHUNK) {
    const drafts = Array.from({ length: CHUNK }, (_, at) => {
      const n = from + at;
      const contact_id = contacts[n % contacts.length]?.id ?? "";
      const value_of_sale = 100 + (n % 9973) + (n % 100) / 100;
      const input = { name: `Deal ${n}`, contact_id, stage: "closed_won", value_of_sale };
      const closed_ts = Math.floor(first_s + (n / DEALS) * SPREAD_s);
      return secretDraft(deals, input, closed_ts);
    });
    await createDrafts(deals, drafts);
  }
}

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const begun = performance.now();
  await work();
  console.log(`${what}: ${((performance.now() - begun) / 1000).toFixed(0)} s`);
}
