/**
 * Additional data for the benchmarks that check query plans: a few thousand records of every other type, a partner's
 * pushed leads in all states with their history, and attributions.
 */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Installation } from "../src/commands/installation.ts";
import { createPartner } from "../src/exchange/partners/partners.ts";
import type { JsonObject } from "../src/platform/json/json.ts";
import { RECORD_TYPES, recordTypes } from "../src/records/index.ts";
import { createDrafts, secretDraft } from "../src/records/write/write.ts";
import { fullBody, type Referable } from "../test/api/samples.ts";
import { writerOf, type BenchPartner, type Writer } from "./exchange-fill.ts";
import { FILL_HISTORY, FILL_PERSONS, FILL_PUSHED } from "./exchange-rows.ts";

const RECORDS = 3000;
const PUSHED = 20_000;
/** The number of partners. With a single partner, all rows of the table would belong to it. */
const PARTNERS = 10;
const CHUNK = 500;
const SPREAD_s = 730 * 86_400;

/** Adds the data if it is missing, and returns the partner. */
export async function filledForPlans(
  installation: Installation,
  dataDir: string,
): Promise<BenchPartner> {
  const note = join(dataDir, "bench-plans.json");
  if (existsSync(note)) return JSON.parse(readFileSync(note, "utf8")) as BenchPartner;
  console.log(`Adding records of the other types and pushed leads to ${dataDir}, once.`);
  const writer = await writerOf(installation);
  await fillRecords(writer);
  const partner = await fillPushed(installation, writer);
  for (const table of [...recordTypes.map((type) => type.table), "pushed_leads", "changes"]) {
    await installation.db.sql.unsafe(`vacuum (analyze) ${table}`);
  }
  writeFileSync(note, JSON.stringify(partner), { mode: 0o600 });
  return partner;
}

/**
 * Creates the records. Types that other types refer to come first. All references point to the first 300 records of a
 * type.
 */
async function fillRecords({ scope, deps, author }: Writer): Promise<void> {
  const ids: Record<string, readonly string[]> = {};
  const { account, contact, deal, invoice, order, task } = RECORD_TYPES;
  for (const type of [account, contact, deal, invoice, order, task]) {
    const writer = { scope, deps, author, type };
    const made: string[] = [];
    for (let from = 0; from < RECORDS; from += CHUNK) {
      const drafts = Array.from({ length: CHUNK }, (_one, at) => {
        const seed = from + at;
        const refs: Referable = Object.fromEntries(
          Object.entries(ids).map(([name, known]) => [name, known[seed % 300] ?? ""]),
        );
        const { ssn: _, ...body } = fullBody(type, seed, refs);
        const external_id = `${type.name} ${seed}`;
        return secretDraft(writer, { ...(body as JsonObject), external_id });
      });
      made.push(...(await createDrafts(writer, drafts)));
    }
    ids[type.name] = made;
  }
}

async function fillPushed(
  installation: Installation,
  { scope, deps }: Writer,
): Promise<BenchPartner> {
  const { sql } = installation.db;
  const sources = ["Google", "Facebook"] as const;
  const partners: BenchPartner[] = [];
  for (let at = 0; at < PARTNERS; at++) {
    const settings = { name: `Partner ${at} of the plans`, allowed_marketing_sources: sources };
    const { id, access_code } = await createPartner(scope, deps, settings);
    partners.push({ id, access_code, sources });
  }
  const ids = partners.map(({ id }) => id);
  const first_s = Math.floor(Date.now() / 1000) - SPREAD_s;
  await sql.unsafe(FILL_PUSHED, [scope.tenantId, ids as never, PUSHED, first_s, SPREAD_s]);
  await sql.unsafe(FILL_HISTORY, [scope.tenantId]);
  await sql.unsafe(FILL_PERSONS, [scope.tenantId]);
  return partners[0] as BenchPartner;
}
