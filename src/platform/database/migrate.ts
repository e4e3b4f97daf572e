/**
 * Brings a database to this program's schema: the files of migrations/, forward only, each
 * statement by itself (an engine that spreads tables over machines takes them no other way), all of
 * a run in one transaction, so that a failed upgrade leaves the database as it was.
 */

import { raw } from "sql-template-tag";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import Postgrator from "postgrator";
import type { Db } from "./tx.ts";
import { StartError } from "../errors/index.ts";
import { run } from "./statement.ts";
import { connectingTo, type ServerAddress } from "./server-address.ts";

const FOLDER = join(import.meta.dirname, "../../../migrations");
const TABLE = "schema_migrations";
/** The lock that lets one of several processes migrate while the others wait; any constant does. */
const LOCK = 7_134_900_275;
/** PostgreSQL 15, as `server_version_num` says it. */
const OLDEST_SERVER = 150_000;

/** The version that this program's migrations lead to. */
export function wantedVersion(): number {
  // Asked at every probe for readiness; the files of a running program do not change.
  wantedOnce ??= Math.max(0, ...readdirSync(FOLDER).map((name) => Number.parseInt(name, 10) || 0));
  return wantedOnce;
}
let wantedOnce: number | undefined;

/**
 * Migrates the database at an address. Several processes may call it at once.
 * Throws a StartError where the server is too old, the schema is newer than this program, or an
 * applied file has been changed since.
 */
export async function migrate(url: string, address?: () => ServerAddress) {
  const sql = postgres(url, {
    max: 1,
    onnotice: () => {},
    connect_timeout: 10,
    ...connectingTo(address),
  });
  try {
    return await migratePool(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function migratePool(db: Db): Promise<{ from: number; to: number }> {
  await checkServer(db);
  const to = wantedVersion();
  // Most starts have nothing to do, and find that out with one statement and no lock.
  if ((await databaseVersion(db)) === to) return { from: to, to };
  return db.begin(async (tx) => {
    await run(tx)`select pg_advisory_xact_lock(${LOCK}::bigint)`;
    const from = await databaseVersion(tx);
    if (from > to) throw newer(from, to);
    await migrateIn(tx);
    return { from, to };
  });
}

async function migrateIn(tx: postgres.TransactionSql): Promise<void> {
  const postgrator = new Postgrator({
    driver: "pg",
    schemaTable: TABLE,
    // The folder's own name may hold characters that mean something in a pattern.
    migrationPattern: `${FOLDER.replace(/[?*()[\]{}\\!+@]/g, "\\$&")}/*.sql`,
    newline: "LF",
    execQuery: async (query) => ({ rows: await tx.unsafe(query) }),
    execSqlScript: async (script) => {
      for (const statement of statementsOf(script)) await tx.unsafe(statement);
    },
  });
  let current = "";
  postgrator.on("migration-started", ({ filename }) => (current = filename));
  try {
    await postgrator.migrate();
  } catch (error) {
    const text = (error as Error).message;
    const file = /MD5/.test(text) ? "a file that was applied has been changed since" : current;
    const message = `The migration failed, nothing was changed: ${file}: ${text}`;
    throw new StartError(message, { cause: error });
  }
}

/** A piece of SQL that a semicolon does not end: comments, quoted texts and names, `$$` bodies. */
const PIECE =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|;|[^;'"$/-]+|[\s\S]/g;

/** The statements of a script. Bodies of functions must be dollar-quoted. */
export function statementsOf(script: string): string[] {
  const statements = [""];
  for (const [piece] of script.matchAll(PIECE)) {
    if (piece.startsWith("--") || piece.startsWith("/*")) continue;
    if (piece === ";") statements.push("");
    else statements[statements.length - 1] += piece;
  }
  return statements.map((text) => text.trim()).filter((text) => text !== "");
}

/** 0 where nothing was ever migrated. */
async function databaseVersion(db: Db | postgres.TransactionSql): Promise<number> {
  // Not to_regclass(): its answer may be a cached one from before another process migrated.
  const there = await run(db)`
    select from pg_class where relname = ${TABLE} and pg_table_is_visible(oid)`;
  if (there.length === 0) return 0;
  const [row] = await run(db)`select max(version)::int as version from ${raw(TABLE)}`;
  return (row?.["version"] as number | null) ?? 0;
}

/** For readiness: whether the database has the schema that this program wants. */
export async function migrationState(sql: Db) {
  const [current, wanted] = [await databaseVersion(sql), wantedVersion()];
  return { current, wanted, ready: current === wanted };
}

/** Throws a StartError unless the database has the schema that this program wants. */
export async function mustBeMigrated(sql: Db): Promise<void> {
  const { current, wanted, ready } = await migrationState(sql);
  if (current > wanted) throw newer(current, wanted);
  if (!ready) {
    throw new StartError(
      `The database is at version ${current}, this program needs ${wanted}: run \`leadport migrate\`.`,
    );
  }
}

const newer = (version: number, wanted: number) =>
  new StartError(
    `The database is at version ${version}, this program knows ${wanted}: it was migrated by a later one.`,
  );

async function checkServer(sql: Db): Promise<void> {
  const { version, supported } = await serverVersion(sql);
  if (!supported) {
    throw new StartError(`PostgreSQL 15 or newer is needed; this one is ${version}.`);
  }
}

export async function serverVersion(db: Db) {
  const [row] = await run<{ number: number; version: string }[]>(db)`
    select current_setting('server_version_num')::int as number,
           current_setting('server_version') as version`;
  const { number = 0, version = "" } = row ?? {};
  return { version, supported: number >= OLDEST_SERVER };
}
