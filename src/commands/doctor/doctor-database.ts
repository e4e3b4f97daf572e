/** The part of `leadport doctor` that checks the database server: clock, version, settings, schema, master key. */

import type { Config } from "../../settings/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { type Db, run } from "../../platform/database/index.ts";
import { migrationState, readRefusal, serverVersion } from "../../platform/migrations/index.ts";
import { readMasterKey, unknownFingerprints } from "../../platform/secrets/index.ts";
import { fault, ok, unless, warning, type Found } from "./doctor-check.ts";

const CLOCK_WARNING_ms = 1_000;
const CLOCK_ERROR_ms = 30_000;

const CLOCK_READINGS = 3;

/** Compares the clocks of the database and this machine. */
export async function checkClock(db: Db, clock: Clock): Promise<readonly Found[]> {
  await run(db)`select 1`;
  // The quickest reading is the most exact one.
  let best = { took_ms: Infinity, apart_ms: 0 };
  for (let reading = 0; reading < CLOCK_READINGS; reading += 1) {
    const sent_ms = clock.now_ms();
    const [row] = await run<{ now_ms: number }[]>(db)`
      select extract(epoch from clock_timestamp())::float8 * 1000 as now_ms`;
    const took_ms = clock.now_ms() - sent_ms;
    const apart_ms = Math.round(Math.abs((row?.now_ms ?? 0) - sent_ms - took_ms / 2));
    if (took_ms < best.took_ms) best = { took_ms, apart_ms };
  }
  const { apart_ms } = best;
  const message = `The clocks of this machine and the database differ by ${apart_ms} ms.`;
  const remedy = "Synchronize both clocks with NTP.";
  if (apart_ms > CLOCK_ERROR_ms) return [fault(message, remedy)];
  return apart_ms > CLOCK_WARNING_ms ? [warning(message, remedy)] : ok(message);
}

export async function checkVersion(sql: Db): Promise<readonly Found[]> {
  const { version, supported } = await serverVersion(sql);
  return supported
    ? ok(`PostgreSQL ${version}.`)
    : [fault(`The server runs PostgreSQL ${version}.`, "Upgrade to PostgreSQL 15 or newer.")];
}

const is = (value: string, status: "warning" | "error", name: string, why: string) => ({
  name,
  value,
  status,
  why,
  isRight: (given: string) => given === value,
});

const SETTINGS = [
  is("on", "error", "fsync", "a crash of the machine can destroy the database"),
  is("on", "error", "full_page_writes", "a power failure can destroy pages"),
  {
    ...is("on", "error", "synchronous_commit", "a crash can lose acknowledged writes"),
    isRight: (value: string) => ["on", "remote_apply", "remote_write"].includes(value),
  },
  is("terse", "warning", "log_error_verbosity", "the database log contains row values"),
  is("0", "warning", "log_parameter_max_length", "slow-query log lines contain values"),
  is("0", "warning", "log_parameter_max_length_on_error", "error log lines contain values"),
  is("UTC", "warning", "TimeZone", "SQL sessions show times in another time zone"),
  {
    ...is("1.1", "warning", "random_page_cost", "deep pages are planned as full table scans"),
    isRight: (value: string) => Number(value) < 4,
  },
];

/** Checks the PostgreSQL settings that apply to the service's connections. */
export async function checkSettings(db: Db): Promise<readonly Found[]> {
  const rows = await run<{ name: string; setting: string }[]>(db)`
    select name, setting from pg_settings where name = any(${SETTINGS.map(({ name }) => name)})`;
  const [{ database } = { database: "" }] = await run<{ database: string }[]>(db)`
    select quote_ident(current_database()) as database`;
  const given = new Map(rows.map(({ name, setting }) => [name, setting]));
  const problems = SETTINGS.flatMap(({ name, isRight, value, status, why }) => {
    const setting = given.get(name);
    if (setting === undefined || isRight(setting)) return [];
    const isOfServer = name === "fsync" || name === "full_page_writes";
    const statement = isOfServer
      ? `alter system set ${name} = '${value}'; select pg_reload_conf();`
      : `alter database ${database} set ${name} = '${value}';`;
    const remedy = `Run as a superuser: ${statement} Then restart the service.`;
    return [{ status, message: `${name} is ${setting}: ${why}.`, remedy }];
  });
  return unless(problems, "The settings match the recommendations in docs/operating.md.");
}

export async function checkMigrations(sql: Db): Promise<readonly Found[]> {
  const { current, wanted, ready } = await migrationState(sql);
  if (current < wanted) {
    const message = `The database is at version ${current}, but this program needs version ${wanted}.`;
    return [fault(message, "Run `leadport migrate`, or `leadport start`.")];
  }
  if (!ready) {
    const remedy = "Install the Leadport release that migrated the database, or a newer one.";
    return [fault(await readRefusal(sql), remedy)];
  }
  return ok(`The database is at version ${current}.`);
}

export async function checkKey(sql: Db, config: Config): Promise<readonly Found[]> {
  const keys = readMasterKey(config, config.dataDir);
  if (keys === undefined) {
    const remedy = "Restore DATA_DIR/master-key from its backup, or set MASTER_KEY.";
    return [fault("There is no master key.", remedy)];
  }
  const unknown = await unknownFingerprints(sql, keys);
  if (unknown.length === 0) return ok("The master key matches the database.");
  const remedy = "Set MASTER_KEY to that key, or add it to MASTER_KEY_PREVIOUS.";
  const message = `The database was encrypted with another master key (${unknown.join(", ")}).`;
  return [fault(message, remedy)];
}
