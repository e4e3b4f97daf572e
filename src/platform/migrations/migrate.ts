/**
 * Migrates a database to this program's schema with the files in migrations/. Migrations only go forward. Consecutive
 * steps run in one transaction, so a failed upgrade leaves the database as it was, or at a version that the previous
 * release can still serve. Statements are sent one at a time because distributed engines require it.
 */

import { setTimeout as delay } from "node:timers/promises";
import {
  type Connection,
  type Db,
  openPool,
  run,
  transaction,
  type Tx,
} from "../database/index.ts";
import { isContended, retry } from "../failed-statements/index.ts";
import type { ServerAddress } from "../pool/index.ts";
import { messageOf, StartError } from "../errors/index.ts";
import { VERSION } from "../storage/index.ts";
import { applyGroup } from "./apply-group.ts";
import { addBackfills, runBatch } from "./backfill.ts";
import { repeatBackfills } from "./backfill-state.ts";
import { OlderProcesses, refuseOlder, requireProgram } from "./require-program.ts";
import { canServe, HAS_STATE, mustBeComplete, readSchemaState, tooOld } from "./schema-state.ts";
import { checkServer } from "./server-version.ts";
import { type Backfill, type Group, groupsOf, type Migrations, ownMigrations } from "./steps.ts";

/** The key of the advisory lock that lets only one process migrate while others wait. Its value is arbitrary. */
const LOCK = 7_134_900_275;
/**
 * How long a step may wait for a lock. Requests that need the same table wait behind it, so it gives up early and tries
 * again.
 */
const LOCK_WAIT = "2s";
/** How long the steps are tried again, and how long they wait for processes of earlier releases to end. */
const PATIENCE_ms = 120_000;
const PAUSE_ms = 1_000;

export interface MigrateOptions {
  /** The schema version to migrate to, if it is earlier than this program's. */
  readonly version?: number;
  /** Whether the caller is restoring a backup into the database. */
  readonly isRestoring?: boolean;
  /** Whether to complete all back-fills instead of leaving them to the worker. */
  readonly completes?: boolean;
  /** Default: the migrations of this program. */
  readonly migrations?: Migrations;
  /** Called with what the migration waits for or does, if it takes long. */
  readonly note?: ((text: string) => void) | undefined;
}

/**
 * Migrates the database at `url`. Several processes may call this concurrently. A database of a later release stays as
 * it is if this program can serve it. Throws a StartError if it cannot, if the server is too old, an applied migration
 * file has been changed, or a restore into the database was interrupted.
 */
export async function migrate(
  url: string,
  address?: () => ServerAddress,
  options: MigrateOptions = {},
) {
  const db = openPool({ url, address });
  try {
    if (options.isRestoring !== true) await mustBeComplete(db);
    return await migrateDatabase(db, options);
  } finally {
    await db.end({ timeout: 5 });
  }
}

/** Like `migrate`, but uses the caller's connection. */
export async function migrateDatabase(
  db: Db,
  options: MigrateOptions = {},
): Promise<{ from: number; to: number }> {
  const { migrations = ownMigrations(), completes = false } = options;
  const { version: to = migrations.version } = options;
  await checkServer(db);
  if (to > migrations.version) throw newer(to, migrations.version);
  // Most starts have nothing to migrate. This check detects them without taking the lock.
  const found = await versionOf(db, to, migrations);
  const from =
    found < to ? await withLock(db, () => applySteps(db, to, { ...options, migrations })) : found;
  if (completes) {
    for (const backfill of migrations.backfills) {
      if (backfill.since <= to) await complete(db, backfill, options);
    }
  }
  return { from, to: Math.max(from, to) };
}

/** Returns the version of a database. Throws if it is later than `to` and this program cannot serve it. */
async function versionOf(db: Connection, to: number, { version }: Migrations): Promise<number> {
  const state = await readSchemaState(db);
  if (state.version <= to) return state.version;
  if (to < version) throw newer(state.version, to);
  if (!canServe(state, to)) throw tooOld(state, to);
  return state.version;
}

/**
 * Runs `work` while no other process migrates. The lock belongs to a separate session, which waits without a snapshot,
 * because building an index concurrently waits for all older snapshots.
 */
async function withLock<T>(db: Db, work: () => Promise<T>): Promise<T> {
  const separate = db.separate({ isWatched: false });
  const session = await separate.reserve();
  try {
    for (;;) {
      const [row] = await run<{ locked: boolean }[]>(session)`
        select pg_try_advisory_lock(${LOCK}::bigint) as locked`;
      if (row?.locked === true) break;
      await delay(PAUSE_ms / 10);
    }
    return await work();
  } finally {
    session.release();
    await separate.end({ timeout: 1 });
  }
}

type Options = MigrateOptions & { readonly migrations: Migrations };

/** Applies the missing steps. Returns the version before them. */
async function applySteps(db: Db, to: number, options: Options): Promise<number> {
  const { migrations } = options;
  const from = await versionOf(db, to, migrations);
  let reached = from;
  for (const group of groupsOf(migrations.steps, from, to)) {
    for (const backfill of migrations.backfills) {
      if (group.after.includes(backfill.name)) await complete(db, backfill, options);
    }
    await patiently(options, () =>
      group.inTransaction
        ? transaction(db, (tx) => applyInTransaction(tx, group, migrations))
        : applyGroup(db, group, migrations),
    ).catch((error: unknown) => {
      throw error instanceof OlderProcesses ? stoppedAt(error, reached) : error;
    });
    reached = group.steps.at(-1)?.version ?? reached;
  }
  if (from < to && to >= HAS_STATE) await run(db)`update schema_state set release = ${VERSION}`;
  return from;
}

async function applyInTransaction(tx: Tx, group: Group, migrations: Migrations): Promise<void> {
  const servesFrom = Math.max(...group.steps.map(({ from = 0 }) => from));
  if (servesFrom > 0) {
    await requireProgram(tx, servesFrom, `Leadport ${VERSION} has changed the schema`);
  }
  await run(tx)`select set_config('lock_timeout', ${LOCK_WAIT}, true)`;
  await applyGroup(tx, group, migrations);
}

/** Tries again while requests hold a lock that the work needs, or while processes run that cannot serve its result. */
const patiently = (
  { note }: Pick<MigrateOptions, "note">,
  work: () => Promise<void>,
): Promise<void> => {
  let noted = "";
  return retry(work, {
    isRetriable: (error) => {
      const isRetriable = error instanceof OlderProcesses || isContended(causeOf(error));
      const text = `Waiting up to ${PATIENCE_ms / 1000} s: ${messageOf(error)}`;
      if (isRetriable && text !== noted) note?.((noted = text));
      return isRetriable;
    },
    patience_ms: PATIENCE_ms,
    pause_ms: () => PAUSE_ms,
  });
};

const stoppedAt = (error: OlderProcesses, version: number): StartError =>
  new StartError(
    `${messageOf(error)} The database is at version ${version}, and the earlier release still serves it. ` +
      "Run the command again afterwards.",
  );

const causeOf = (error: unknown): unknown => (error instanceof StartError ? error.cause : error);

/** Runs a whole pass of a back-fill, and further passes until one has missed nothing. */
async function complete(db: Db, backfill: Backfill, { note }: MigrateOptions): Promise<void> {
  await addBackfills(db, [backfill]);
  await repeatBackfills(db, backfill.name);
  note?.(`Completing the back-fill ${backfill.name}`);
  await patiently({ note }, async () => {
    for (;;) {
      const result = await runBatch(db, backfill);
      if (result === "finished") return;
      if (result === "waiting") await refuseOlder(db, backfill.since);
      if (result !== "more") await delay(PAUSE_ms / 10);
    }
  });
}

const newer = (version: number, wanted: number) =>
  new StartError(
    `The database is at version ${version}, which is newer than version ${wanted} of this program. ` +
      "Start a newer release of Leadport.",
  );
