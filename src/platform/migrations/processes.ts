/**
 * The running processes of an installation, on all machines, with their releases. Each process adds itself and reports
 * every 15 s that it is alive.
 */

import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Logger } from "pino";
import { type Connection, type Db, run, transaction, type Tx } from "../database/index.ts";
import { StartError } from "../errors/index.ts";
import { VERSION } from "../storage/index.ts";
import { repeatBackfills } from "./backfill-state.ts";
import { canServe, readSchemaState, tooOld } from "./schema-state.ts";
import { ownMigrations } from "./steps.ts";

const REPORT_ms = 15_000;
/** A process that has not reported for this long has ended. */
const LIVES_s = 60;
/** The key of the advisory lock of the table `processes`. Its value is arbitrary. */
const LOCK = 7_134_900_276;

export interface RunningProcess {
  readonly kind: "service" | "worker" | "command";
  readonly release: string;
  readonly schema_version: number;
  readonly host: string;
  readonly pid: number;
  /** Epoch seconds. */
  readonly started_ts: number;
}

/** Returns how messages name a process. */
export const nameOf = ({ kind, release, host, pid }: RunningProcess): string =>
  `${kind} ${pid} on ${host} (Leadport ${release})`;

/** Returns the running processes, the oldest release first. */
export const runningProcesses = (db: Connection): Promise<readonly RunningProcess[]> =>
  run<RunningProcess[]>(db)`
    select kind, release, schema_version, host, pid,
           extract(epoch from started_at)::bigint as started_ts
      from processes
     where seen_at > clock_timestamp() - ${LIVES_s} * interval '1 second'
     order by schema_version, host, pid`;

/** Waits until no process is starting. Until the transaction ends, none can start. */
export async function lockProcesses(tx: Tx): Promise<void> {
  await run(tx)`select pg_advisory_xact_lock(${LOCK}::bigint)`;
}

/**
 * Adds this process to the running ones. If the database has been migrated by a later release, that release's back-fills
 * start again, because this process writes rows without their values. Throws a StartError if it is too old for the
 * database. If the database cannot store it, for example because its disk is full, the process starts anyway and tries
 * again with each report. `probe` is the pool on which it reports that it is alive, and `close` removes it.
 */
export async function registerProcess(
  { sql, probe }: { readonly sql: Db; readonly probe: Db },
  kind: RunningProcess["kind"],
  log: Pick<Logger, "warn">,
) {
  const id = randomUUID();
  const wanted = ownMigrations().version;
  const report = async (db: Connection): Promise<void> => {
    await run(db)`
      insert into processes (id, kind, release, schema_version, host, pid, started_at, seen_at)
      values (${id}, ${kind}, ${VERSION}, ${wanted}, ${hostname()}, ${process.pid},
              clock_timestamp(), clock_timestamp())
      on conflict (id) do update set seen_at = excluded.seen_at`;
  };
  const register = async (tx: Tx): Promise<void> => {
    await lockProcesses(tx);
    const state = await readSchemaState(tx);
    if (!canServe(state, wanted)) throw tooOld(state, wanted);
    await run(tx)`
      delete from processes where seen_at < clock_timestamp() - ${LIVES_s} * interval '1 second'`;
    if (state.version > wanted) await repeatBackfills(tx);
    await report(tx);
  };
  try {
    await transaction(sql, register);
  } catch (error) {
    if (error instanceof StartError) throw error;
    log.warn(
      { err: error },
      "The database did not store this process; other releases do not see it",
    );
  }
  // If a report fails, the database is unavailable, and the next one adds the process again.
  const timer = setInterval(() => void report(probe).catch(() => undefined), REPORT_ms);
  timer.unref();
  return {
    close: async (): Promise<void> => {
      clearInterval(timer);
      await run(probe)`delete from processes where id = ${id}`.catch(() => undefined);
    },
  };
}
