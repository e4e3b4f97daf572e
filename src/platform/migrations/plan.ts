/** What an upgrade of a database to this program's schema would do, and what must be done before it. */

import { type Connection, run } from "../database/index.ts";
import { readBackfills } from "./backfill-state.ts";
import { type RunningProcess, runningProcesses } from "./processes.ts";
import { canServe, HAS_STATE, readSchemaState, type SchemaState } from "./schema-state.ts";
import { readStatements } from "./statements-of.ts";
import { type Migrations, ownMigrations, type Step } from "./steps.ts";

/** Rough rates of a small server, in rows per second (docs/upgrading.md). */
const INDEXED_ROWS = 200_000;
const FILLED_ROWS = 10_000;

export interface PlannedWork {
  /** The file in migrations/. */
  readonly file: string;
  /**
   * - `step`: requests that use the same tables wait for it. It takes less than a second, but steps of releases before
   *   0.2.0 may change all rows of a table.
   * - `contract`: like `step`, but earlier programs cannot serve the database afterwards.
   * - `index`: runs while requests are served, before the new version is started.
   * - `backfill`: runs in the background after the new version has been started.
   * - `completion`: a back-fill that must be complete before a contract step. Runs while requests are served, before the
   *   new version is started.
   */
  readonly kind: "step" | "contract" | "index" | "backfill" | "completion";
  /** The approximate number of rows that are read. */
  readonly rows: number;
  /** The approximate duration. */
  readonly seconds: number;
  /** The disk space that is needed at most. */
  readonly bytes: number;
}

export interface UpgradePlan {
  readonly state: SchemaState;
  /** The schema version of this program. */
  readonly wanted: number;
  /** Whether this program can serve the database when the work is done. */
  readonly isPossible: boolean;
  readonly work: readonly PlannedWork[];
  readonly processes: readonly RunningProcess[];
  /** The running processes that must be stopped before. */
  readonly mustStop: readonly RunningProcess[];
  /** Whether processes of a release that does not register them must be stopped before. */
  readonly mustStopAll: boolean;
}

/** Reads the plan. Changes nothing. */
export async function planUpgrade(
  db: Connection,
  migrations: Migrations = ownMigrations(),
): Promise<UpgradePlan> {
  const { steps, backfills, version: wanted } = migrations;
  const state = await readSchemaState(db);
  const isOlder = state.version < HAS_STATE;
  const missing = steps.filter(({ version }) => version > state.version);
  const processes = isOlder ? [] : await runningProcesses(db);
  const finished = isOlder ? [] : (await readBackfills(db)).filter((one) => one.is_finished);
  const completed = new Set(missing.flatMap(({ after }) => after));
  const unfilled = backfills.filter(
    ({ name }) => completed.has(name) || !finished.some((one) => one.name === name),
  );
  const servesFrom = Math.max(state.serves_from, ...missing.map(({ from = 0 }) => from));
  const work: PlannedWork[] = [];
  for (const step of missing) work.push(await stepWork(db, migrations, step));
  for (const { name, table } of unfilled) {
    const { rows, bytes } = await sizeOf(db, table);
    const seconds = Math.ceil(rows / FILLED_ROWS);
    const kind = completed.has(name) ? "completion" : "backfill";
    work.push({ file: `backfills/${name}.sql`, kind, rows, seconds, bytes });
  }
  return {
    state,
    wanted,
    isPossible: state.version < wanted || canServe(state, wanted),
    work,
    processes,
    mustStop: processes.filter(({ schema_version }) => schema_version < servesFrom),
    mustStopAll: isOlder && state.version > 0,
  };
}

/** The table of a statement that reads or writes all rows of a table. */
const WHOLE_TABLE = /^(?:create (?:unique )?index .*? on|update|delete from) (\w+)/is;

async function stepWork(db: Connection, migrations: Migrations, step: Step): Promise<PlannedWork> {
  const { file, from, inTransaction } = step;
  const tables = new Set(
    readStatements(migrations, step).flatMap((text) => WHOLE_TABLE.exec(text)?.[1] ?? []),
  );
  let rows = 0;
  let bytes = 0;
  for (const table of tables) {
    const size = await sizeOf(db, table);
    rows += size.rows;
    bytes += size.bytes;
  }
  const kind = from !== undefined ? "contract" : inTransaction ? "step" : "index";
  return { file, kind, rows, seconds: 1 + Math.ceil(rows / INDEXED_ROWS), bytes };
}

/** Returns the approximate size of a table, or nothing if it does not exist yet. */
async function sizeOf(db: Connection, table: string) {
  const [size] = await run<{ rows: number; bytes: number }[]>(db)`
    select greatest(reltuples, 0)::bigint as rows, pg_table_size(oid)::bigint as bytes
      from pg_class where oid = to_regclass(${table})`;
  return size ?? { rows: 0, bytes: 0 };
}
