/**
 * Fills a data folder's own database with leads. They are inserted by the service's own code, 500
 * per statement. A temporary trigger spreads their timestamps over two years, both in the columns
 * and in the body.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { SERVICE, type Scope } from "../src/audit/index.ts";
import {
  createTenant,
  findFirstTenant,
  findOrAddPerson,
  type Tenant,
} from "../src/access/index.ts";
import { openInstallation, type Installation } from "../src/commands/installation.ts";
import { ensureFirstTenant } from "../src/commands/owner-token.ts";
import { idSource, type MakeId } from "../src/platform/clock/ids.ts";
import { createSealer } from "../src/platform/secrets/sealing.ts";
import { draftOf } from "../src/records/shape/present.ts";
import { RECORD_TYPES } from "../src/records/index.ts";
import { createDrafts } from "../src/records/write/write.ts";
import type { Author } from "../src/records/write/writer.ts";
import { grow } from "./grow.ts";
import { leadAt } from "./leads.ts";

const CHUNK = 500;
const IN_FLIGHT = 2;
const SPREAD_s = 730 * 86_400;
const SMALL_TENANTS = 100;
const SMALL_TENANT_LEADS = 200;

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

interface Target {
  readonly scope: Scope;
  readonly author: Author;
}

/** The number of leads that the service's code inserts. Additional leads are copies of these. */
export const OWN_MAX = 1_000_000;

/**
 * Fills the folder's own database, or another one, if it is empty. Throws if the folder contains anything but test data
 * of this size.
 */
export async function filled(
  dataDir: string,
  rows: number,
  settings: Settings = {},
): Promise<Filling> {
  const place = { dataDir, settings };
  const note = join(dataDir, "bench.json");
  if (rows > OWN_MAX && rows % OWN_MAX !== 0)
    throw new Error(`${rows} is not a whole number of millions`);
  if (existsSync(note)) {
    const found = JSON.parse(readFileSync(note, "utf8")) as Filling;
    if (found.rows === rows) return found;
    if (found.rows === OWN_MAX && rows > OWN_MAX) return grown(place, note, found, rows);
    throw new Error(`${dataDir} contains ${found.rows} leads, not ${rows}: name another folder`);
  }
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0) {
    throw new Error(`${dataDir} is not empty, and filling it was interrupted: remove it first`);
  }
  const own = Math.min(rows, OWN_MAX);
  console.log(`Filling ${dataDir} with ${own.toLocaleString("en")} leads, once.`);
  const filling = { rows: own, newest_s: Math.floor(Date.now() / 1000) };
  mkdirSync(dataDir, { recursive: true });
  await within(place, (installation) => fill(installation, filling));
  writeFileSync(note, JSON.stringify(filling));
  return rows > own ? grown(place, note, filling, rows) : filling;
}

/** The settings that select the database to fill. Without them, the folder's own database is filled. */
type Settings = Readonly<Record<string, string>>;

interface Place {
  readonly dataDir: string;
  readonly settings: Settings;
}

async function within(
  { dataDir, settings }: Place,
  work: (installation: Installation) => Promise<void>,
): Promise<void> {
  const own = { DATA_DIR: dataDir, DATABASE_URL: "", LOG_LEVEL: "warn" };
  const env = { ...process.env, ...own, ...settings };
  const installation = await openInstallation(env, {
    kind: "command",
    connections: IN_FLIGHT,
    migrate: true,
  });
  try {
    await work(installation);
  } finally {
    await installation.close();
  }
}

async function grown(
  place: Place,
  note: string,
  { rows: own, newest_s }: Filling,
  rows: number,
): Promise<Filling> {
  console.log(`Growing it to ${rows.toLocaleString("en")} leads.`);
  const [, took_s] = await timed(() =>
    within(place, async (installation) => {
      const { id } = await firstTenant(installation);
      // Use a separate connection, because the service's statements time out after 20 s.
      const sql = postgres(installation.embedded?.url ?? installation.config.databaseUrl ?? "", {
        max: 1,
        onnotice: () => undefined,
      });
      await grow(sql, id, rows / own);
      await sql.end();
    }),
  );
  console.log(`Grown in ${took_s.toFixed(0)} s.`);
  const filling = { rows, newest_s };
  writeFileSync(note, JSON.stringify(filling));
  return filling;
}

async function fill(installation: Installation, filling: Filling): Promise<void> {
  const { sql } = installation.db;
  const main = await targetOf(installation, await ensureFirstTenant(installation));
  const small: Target[] = [];
  for (let at = 0; at < SMALL_TENANTS; at++) {
    const name = `Tenant ${at}`;
    const { tenant } = await createTenant(sql, installation, { name });
    small.push(await targetOf(installation, tenant));
  }
  await sql.unsafe(STAMPING);
  try {
    await insertAll(installation, main, filling, small);
  } finally {
    await sql.unsafe(NO_STAMPING);
  }
  const [settled, took_s] = await timed(() => settle(installation));
  console.log(`Vacuumed and analyzed in ${took_s.toFixed(0)} s. ${settled}`);
}

const firstTenant = async ({ db }: Installation): Promise<Tenant> => {
  const tenant = await findFirstTenant(db.sql);
  if (tenant === undefined) throw new Error("There is no first tenant");
  return tenant;
};

async function targetOf(installation: Installation, tenant: Tenant): Promise<Target> {
  const { sql: db } = installation.db;
  const person = await findOrAddPerson(db, installation, tenant.id, undefined);
  return {
    scope: { db, tenantId: tenant.id, actor: SERVICE },
    author: { country: tenant.default_country, person },
  };
}

/**
 * Inserts the small tenants' leads between those of the main tenant, so that each tenant's rows are scattered over the
 * table, as in practice.
 */
async function insertAll(
  installation: Installation,
  main: Target,
  { rows: count, newest_s }: Filling,
  small: readonly Target[],
): Promise<void> {
  const second = (n: number, of: number): number => newest_s - SPREAD_s * (1 - (n + 1) / of);
  const chunks = Math.ceil(count / CHUNK);
  const begun = performance.now();
  let [next, lap] = [0, begun];
  const work = async (): Promise<void> => {
    while (next < chunks) {
      const chunk = next++;
      const from = chunk * CHUNK;
      const size = Math.min(CHUNK, count - from);
      await insertChunk(installation, main, from, size, (n) => second(n, count));
      const at = Math.floor((chunk * small.length) / chunks);
      const isFirst = chunk === Math.ceil((at * chunks) / small.length);
      if (isFirst) {
        const smallSecond = (n: number): number => second(n, SMALL_TENANT_LEADS);
        await insertChunk(installation, small[at] as Target, 0, SMALL_TENANT_LEADS, smallSecond);
      }
      if ((from + size) % 100_000 === 0) {
        const rate = 100_000 / ((performance.now() - lap) / 1000);
        console.log(`${from + size} leads, the last 100,000 at ${rate.toFixed(0)} a second`);
        lap = performance.now();
      }
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  const took_s = (performance.now() - begun) / 1000;
  console.log(`${count} leads in ${took_s.toFixed(0)} s: ${(count / took_s).toFixed(0)} a second`);
}

async function insertChunk(
  { keys }: Installation,
  { scope, author }: Target,
  from: number,
  size: number,
  second: (n: number) => number,
): Promise<void> {
  // The first ids are for the records, and the next ones are for their history entries.
  let taken = 0;
  const clock = { now_ms: () => second(from + (taken % size)) * 1000 };
  const sources = [idSource(clock), idSource(clock)] as const;
  const makeId: MakeId = () => {
    const id = sources[taken < size ? 0 : 1]();
    taken += 1;
    return id;
  };
  const { lead } = RECORD_TYPES;
  const drafts = Array.from({ length: size }, (_, at) => ({
    draft: draftOf(lead, leadAt(from + at), "US"),
    ssn: undefined,
  }));
  const deps = { clock, makeId, sealer: createSealer(keys) };
  await createDrafts({ scope, deps, author, type: lead }, drafts);
}

/** Does what autovacuum would do over time. Returns the size of the table. */
async function settle({ db: { sql } }: Installation): Promise<string> {
  await sql.unsafe("vacuum (analyze) leads");
  await sql.unsafe("vacuum (analyze) changes");
  await sql.unsafe("checkpoint");
  const [row] = await sql`
    select pg_size_pretty(pg_table_size('leads')) as rows, pg_size_pretty(pg_indexes_size('leads')) as indexes,
           pg_size_pretty(pg_total_relation_size('changes')) as changes,
           (select round(avg(length(body::text))) from leads tablesample system (1)) as body`;
  return `Leads ${row?.["rows"]}, their indexes ${row?.["indexes"]}, history ${row?.["changes"]}, a body ${row?.["body"]} bytes.`;
}

async function timed<T>(work: () => Promise<T>): Promise<readonly [T, number]> {
  const begun = performance.now();
  return [await work(), (performance.now() - begun) / 1000];
}
