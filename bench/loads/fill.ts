/**
 * Fills a data folder's database with leads. They are inserted by the service's own code, 500 per statement. A
 * temporary trigger spreads their timestamps over two years, both in the columns and in the body.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Tenant } from "../../src/tenants/index.ts";
import { createTenant } from "../../src/access/create-tenant.ts";
import { findOrAddPerson } from "../../src/tenants/users.ts";
import { SERVICE } from "../../src/audit/index.ts";
import { openInstallation, type Installation } from "../../src/commands/installation.ts";
import { ensureFirstTenant } from "../../src/commands/owner-token.ts";
import { idSource, type MakeId } from "../../src/platform/ids/ids.ts";
import { createSealer } from "../../src/platform/secrets/sealing.ts";
import { createDrafts } from "../../src/records/write/index.ts";
import { BUILT_IN_TYPES } from "../../src/records/types/index.ts";
import { draftOf } from "../../src/records/body/present.ts";
import { withDatabase } from "../service/database.ts";
import { leadAt } from "./leads.ts";

const CHUNK = 500;
const IN_FLIGHT = 2;
const SPREAD_s = 730 * 86_400;
const SMALL_TENANTS = 100;
const SMALL_LEADS = 200;

/**
 * `created_ts` is the time in the id. Half of the leads changed status within 30 days, and a third had other changes
 * within 60 days. For recent leads, changes fall between their creation and now.
 */
const STAMPING = `
  create function bench_stamps() returns trigger language plpgsql as $$
  declare
    hash bigint := hashtextextended(new.id, 0) & 1073741823;
    age_s bigint;
  begin
    new.created_ts := ('x' || left(new.id, 8))::bit(32)::bigint;
    age_s := greatest(1, floor(extract(epoch from now()))::bigint - new.created_ts);
    new.status_update_date := new.created_ts +
      case when hash % 2 = 0 then hash % least(age_s, 2592000) else 0 end;
    new.updated_ts := greatest(new.status_update_date, new.created_ts +
      case when hash % 3 = 0 then hash % least(age_s, 5184000) else 0 end);
    new.version := 1 + (new.updated_ts > new.created_ts)::integer;
    new.body := (left(new.body::text, strpos(new.body::text, ',"created_ts":') - 1) ||
      record_stamps(new.created_ts, new.updated_ts, new.status_update_date, new.version, false))::json;
    return new;
  end $$;
  create trigger bench_stamps before insert on leads for each row execute function bench_stamps()`;
const NO_STAMPING = `drop trigger if exists bench_stamps on leads; drop function if exists bench_stamps`;

/** Describes the data in a folder. It is stored in the folder once all leads are inserted. */
export interface Filling {
  readonly rows: number;
  /** The time of the newest lead. Time windows are calculated backward from this time. */
  readonly newest_s: number;
}

/** Fills the folder if it is empty. Throws if it contains anything but test data of this size. */
export async function filled(dataDir: string, rows: number): Promise<Filling> {
  const note = join(dataDir, "bench.json");
  if (existsSync(note)) {
    const found = JSON.parse(readFileSync(note, "utf8")) as Filling;
    if (found.rows === rows) return found;
    throw new Error(`${dataDir} contains ${found.rows} leads, not ${rows}: name another folder`);
  }
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0) {
    throw new Error(`${dataDir} is not empty, and filling it was interrupted: remove it first`);
  }
  console.error(`Filling ${dataDir} with ${rows.toLocaleString("en")} leads, once.`);
  const filling = { rows, newest_s: Math.floor(Date.now() / 1000) };
  mkdirSync(dataDir, { recursive: true });
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: "", LOG_LEVEL: "warn" };
  const installation = await openInstallation(env, {
    kind: "command",
    connections: IN_FLIGHT,
    migrate: true,
  });
  try {
    await withDatabase(installation.embedded?.url ?? "", async ({ query }) => {
      await query(STAMPING);
      await insertAll(installation, filling);
      await query(NO_STAMPING);
      // What autovacuum would do over time.
      for (const work of ["vacuum (analyze) leads", "vacuum (analyze) changes", "checkpoint"])
        await query(work);
    });
  } finally {
    await installation.close();
  }
  writeFileSync(note, JSON.stringify(filling));
  return filling;
}

/**
 * Inserts the small tenants' leads between those of the main tenant, so that each tenant's rows are scattered over the
 * table, as in practice.
 */
async function insertAll(installation: Installation, { rows, newest_s }: Filling): Promise<void> {
  const main = await ensureFirstTenant(installation);
  const second = (n: number, of: number): number => newest_s - SPREAD_s * (1 - (n + 1) / of);
  const chunks = Math.ceil(rows / CHUNK);
  const start_ms = performance.now();
  let next = 0;
  let small = 0;
  const work = async (): Promise<void> => {
    while (next < chunks) {
      const from = CHUNK * next++;
      const size = Math.min(CHUNK, rows - from);
      await insertChunk(installation, main, { from, size, second: (n) => second(n, rows) });
      if (small < SMALL_TENANTS && small * rows <= from * SMALL_TENANTS) {
        const name = `Tenant ${small++}`;
        const { tenant } = await createTenant(installation.db.sql, installation, { name });
        const part = { from: 0, size: SMALL_LEADS, second: (n: number) => second(n, SMALL_LEADS) };
        await insertChunk(installation, tenant, part);
      }
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  console.error(`Filled in ${((performance.now() - start_ms) / 1000).toFixed(0)} s.`);
}

interface Chunk {
  /** The number of the first lead, and the number of leads. */
  readonly from: number;
  readonly size: number;
  /** Returns the time of the nth lead, in epoch seconds. */
  readonly second: (n: number) => number;
}

async function insertChunk(
  installation: Installation,
  { id: tenantId, default_country: country }: Tenant,
  { from, size, second }: Chunk,
): Promise<void> {
  const { sql: db } = installation.db;
  const person = await findOrAddPerson(db, installation, tenantId, undefined);
  // The first ids are for the records, and the next ones are for their history entries.
  let taken = 0;
  const clock = { now_ms: () => second(from + (taken % size)) * 1000 };
  const sources = [idSource(clock), idSource(clock)] as const;
  const makeId: MakeId = () => {
    const id = sources[taken < size ? 0 : 1]();
    taken += 1;
    return id;
  };
  const { lead } = BUILT_IN_TYPES;
  const drafts = Array.from({ length: size }, (_, at) => ({
    draft: draftOf(lead, leadAt(from + at), "US"),
    ssn: undefined,
  }));
  const scope = { db, tenantId, actor: SERVICE };
  const deps = { clock, makeId, sealer: createSealer(installation.keys), participants: [] };
  await createDrafts({ scope, deps, author: { country, person }, type: lead }, drafts);
}
