/**
 * Migrates a database to this program's schema with the files in migrations/. Migrations only go forward. Each run is
 * one transaction, so a failed upgrade changes nothing. Statements are sent one at a time because distributed engines
 * require it.
 */

import sql, { raw } from "sql-template-tag";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import Postgrator from "postgrator";
import {
  type Connection,
  type Db,
  openPool,
  run,
  type ServerAddress,
  type Tx,
} from "../database/index.ts";
import { messageOf, StartError } from "../errors/index.ts";

const FOLDER = join(import.meta.dirname, "../../../migrations");
const TABLE = "schema_migrations";
/** The key of the advisory lock that lets only one process migrate while others wait. Its value is arbitrary. */
const LOCK = 7_134_900_275;
/** The oldest supported version, PostgreSQL 15, in the format of `server_version_num`. */
const OLDEST_SERVER = 150_000;

/** Returns the schema version of this program. */
export function wantedVersion(): number {
  // The version is cached, because every readiness probe needs it and the files do not change while the program runs.
  wantedOnce ??= Math.max(0, ...readdirSync(FOLDER).map((name) => Number.parseInt(name, 10) || 0));
  return wantedOnce;
}
let wantedOnce: number | undefined;

interface MigrateOptions {
  /** The schema version to migrate to, if it is earlier than this program's. */
  readonly version?: number;
  /** Whether the caller is restoring a backup into the database. */
  readonly isRestoring?: boolean;
}

/**
 * Migrates the database at `url`. Several processes may call this concurrently. Throws a StartError if the server is too
 * old, the schema is newer than this program, an applied migration file has been changed, or a restore into the database
 * was interrupted.
 */
export async function migrate(
  url: string,
  address?: () => ServerAddress,
  { version, isRestoring = false }: MigrateOptions = {},
) {
  const db = openPool({ url, address });
  try {
    if (!isRestoring) await mustBeComplete(db);
    return await migrateDatabase(db, version);
  } finally {
    await db.end({ timeout: 5 });
  }
}

/** Like `migrate`, but uses the caller's connection. */
export async function migrateDatabase(
  db: Db,
  to: number = wantedVersion(),
): Promise<{ from: number; to: number }> {
  await checkServer(db);
  if (to > wantedVersion()) throw newer(to, wantedVersion());
  // Most starts have nothing to migrate. This check detects them without taking the lock.
  if ((await databaseVersion(db)) === to) return { from: to, to };
  return db.begin("", async (tx) => {
    await run(tx)`select pg_advisory_xact_lock(${LOCK}::bigint)`;
    const from = await databaseVersion(tx);
    if (from > to) throw newer(from, to);
    await migrateIn(tx, to);
    return { from, to };
  });
}

async function migrateIn(tx: Tx, to: number): Promise<void> {
  const postgrator = new Postgrator({
    driver: "pg",
    schemaTable: TABLE,
    // The path may contain characters that are special in glob patterns.
    migrationPattern: `${FOLDER.replace(/[?*()[\]{}\\!+@]/g, "\\$&")}/*.sql`,
    newline: "LF",
    execQuery: async (query) => ({ rows: await run(tx, sql`${raw(query)}`) }),
    execSqlScript: async (script) => {
      for (const statement of statementsOf(script)) await run(tx, sql`${raw(statement)}`);
    },
  });
  let current = "";
  postgrator.on("migration-started", ({ filename }) => (current = filename));
  try {
    await postgrator.migrate(String(to));
  } catch (error) {
    const text = messageOf(error);
    const file = /MD5/.test(text) ? "an applied migration file has been changed" : current;
    const message = `The migration failed and was rolled back: ${file}: ${text}`;
    throw new StartError(message, { cause: error });
  }
}

/** Matches one piece of a script. Semicolons within comments, quotes and `$$` bodies do not separate statements. */
const PIECE =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|;|[^;'"$/-]+|[\s\S]/g;

/** Splits a script into statements. Function bodies must be dollar-quoted. */
export function statementsOf(script: string): string[] {
  const statements = [""];
  for (const [piece] of script.matchAll(PIECE)) {
    if (piece.startsWith("--") || piece.startsWith("/*")) continue;
    if (piece === ";") statements.push("");
    else statements[statements.length - 1] += piece;
  }
  return statements.map((text) => text.trim()).filter((text) => text !== "");
}

/** Returns the schema version of a database, or 0 if it was never migrated. */
async function databaseVersion(db: Connection): Promise<number> {
  // Do not use to_regclass(): its result may have been cached before another process migrated the database.
  const tables = await run(db)`
    select from pg_class where relname = ${TABLE} and pg_table_is_visible(oid)`;
  if (tables.length === 0) return 0;
  const [row] = await run<{ version: number | null }[]>(
    db,
  )`select max(version)::int as version from ${raw(TABLE)}`;
  return row?.version ?? 0;
}

/** Compares the schema version of the database with this program's, for readiness checks. */
export async function migrationState(sql: Connection) {
  const current = await databaseVersion(sql);
  const wanted = wantedVersion();
  return { current, wanted, ready: current === wanted };
}

/** Throws a StartError unless the database is complete and has this program's schema version. */
export async function mustBeMigrated(sql: Db): Promise<void> {
  await mustBeComplete(sql);
  const { current, wanted, ready } = await migrationState(sql);
  if (current > wanted) throw newer(current, wanted);
  if (!ready) {
    throw new StartError(
      `The database is at version ${current}, but this program needs version ${wanted}. Run \`leadport migrate\`.`,
    );
  }
}

/** The comment that marks the table of migrations while a restore into the database is incomplete. */
const UNFINISHED = "A restore into this database is incomplete.";

/** Marks a migrated database as incomplete or complete. If `db` is a transaction, the mark is set when it commits. */
export async function markIncomplete(db: Db, isIncomplete: boolean): Promise<void> {
  const comment = raw(isIncomplete ? `'${UNFINISHED}'` : "null");
  await run(db)`comment on table ${raw(TABLE)} is ${comment}`;
}

/** Throws a StartError if a restore into the database was interrupted. */
export async function mustBeComplete(sql: Db): Promise<void> {
  const [row] = await run<{ comment: string | null }[]>(sql)`
    select obj_description(oid, 'pg_class') as comment from pg_class
     where relname = ${TABLE} and pg_table_is_visible(oid)`;
  if (row?.comment !== UNFINISHED) return;
  throw new StartError(
    "A restore into this database was interrupted, so its data is incomplete. Delete the database, create a new one, " +
      "and run `leadport restore` again.",
  );
}

const newer = (version: number, wanted: number) =>
  new StartError(
    `The database is at version ${version}, which is newer than version ${wanted} of this program. ` +
      "Start a newer release of Leadport.",
  );

async function checkServer(sql: Db): Promise<void> {
  const { version, supported } = await serverVersion(sql);
  if (!supported) {
    throw new StartError(
      `Leadport needs PostgreSQL 15 or newer. This server is version ${version}.`,
    );
  }
}

export async function serverVersion(db: Connection) {
  const [row] = await run<{ number: number; version: string }[]>(db)`
    select current_setting('server_version_num')::int as number,
           current_setting('server_version') as version`;
  const { number = 0, version = "" } = row ?? {};
  return { version, supported: number >= OLDEST_SERVER };
}
