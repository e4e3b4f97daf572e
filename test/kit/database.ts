/**
 * PostgreSQL for tests: a new empty database or a clone of a migrated one, on a server that the whole run shares.
 * `node --test --test-global-setup=test/kit/global-setup.ts` starts that server once. A test file that runs without it
 * starts its own server and stops it at the end. To use another server, set TEST_DATABASE_URL to a superuser's
 * connection string.
 */

import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { migrate } from "../../src/platform/migrations/migrate.ts";
import { startTestServer, type TestServer } from "./server.ts";
import { allFiles, atEnd, openSession, type Owner } from "./started.ts";
import type { TestSql } from "./sql.ts";

export interface TestDatabase {
  readonly sql: TestSql;
  readonly url: string;
}

const MIGRATIONS = join(import.meta.dirname, "../../migrations");
/** The key of an advisory lock that lets only one process at a time build the template. Any constant works. */
const LOCK = 5_120_417;

let server: Promise<TestServer> | undefined;
let template: Promise<string> | undefined;
let administration: Promise<TestSql> | undefined;

/** Creates an empty database and drops it when the test ends. */
export const testDatabase = (t: Owner): Promise<TestDatabase> => open(t, "template0");

/** Creates a database with this version's schema and no rows, and drops it when the test ends. */
export async function migratedDatabase(t: Owner): Promise<TestDatabase> {
  template ??= migratedTemplate();
  return open(t, await template);
}

/**
 * Changes a database so that only programs with this schema version or a later one can serve it, as the upgrade to a
 * later release does. Returns the version that it was.
 */
export async function requireSchema(sql: TestSql, version: number): Promise<number> {
  const [before] = await sql<{ serves_from: number }[]>`select serves_from from schema_state`;
  await sql`update schema_state set serves_from = ${version}`;
  return before?.serves_from ?? 0;
}

async function open(t: Owner, source: string): Promise<TestDatabase> {
  const name = `t_${randomBytes(8).toString("hex")}`;
  // Copying files takes a fifth of the processor time of the default, which also logs every page.
  await administer((sql) =>
    sql.unsafe(`create database ${name} template ${source} strategy file_copy`),
  );
  atEnd(t, () =>
    administer((admin) => admin.unsafe(`drop database if exists ${name} with (force)`)),
  );
  const url = databaseUrl(await serverUrl(), name);
  return { sql: openSession(t, url, { max: 4 }), url };
}

/**
 * Returns the name of the template database for a folder of migrations. It contains a hash of them, so that a server
 * that outlives the run never provides an outdated template. `npm run test:upgrade -- previous` provides its own template.
 */
export function templateName(migrations: string): string {
  const hash = createHash("sha256");
  const files = readdirSync(migrations, { recursive: true, encoding: "utf8" });
  for (const file of files.filter((path) => path.endsWith(".sql")).toSorted()) {
    hash.update(file).update(readFileSync(join(migrations, file)));
  }
  return `leadport_template_${hash.digest("hex").slice(0, 12)}`;
}

async function migratedTemplate(): Promise<string> {
  const name = templateName(MIGRATIONS);
  await administer(async (sql) => {
    await sql`select pg_advisory_lock(${LOCK})`;
    try {
      await buildTemplate(sql, name);
    } finally {
      await sql`select pg_advisory_unlock(${LOCK})`;
    }
  });
  return name;
}

async function buildTemplate(sql: TestSql, name: string): Promise<void> {
  const found = await sql`select from pg_database where datname = ${name}`;
  if (found.length > 0) return;
  // Build the template under a different name first, so that a run that is killed leaves no incomplete template behind.
  await sql.unsafe(`drop database if exists ${name}_new with (force)`);
  await sql.unsafe(`create database ${name}_new template template0`);
  await migrate(databaseUrl(await serverUrl(), `${name}_new`));
  await sql.unsafe(`alter database ${name}_new rename to ${name}`);
}

/** Returns the URL of the run's server. In a file that runs on its own, the first call starts a server. */
async function serverUrl(): Promise<string> {
  const given = process.env["TEST_DATABASE_URL"];
  if (given !== undefined) return given;
  server ??= separateServer(allFiles);
  return (await server).url;
}

/** Starts a server that a test may stop or kill. */
export async function separateServer(t: Owner): Promise<TestServer> {
  const started = await startTestServer();
  atEnd(t, started.stop);
  return started;
}

/** Runs statements in a session that all test files of this process share. A new one takes as long as the statements. */
async function administer(work: (sql: TestSql) => Promise<unknown>): Promise<void> {
  administration ??= openAdministration();
  await work(await administration);
}

const openAdministration = async (): Promise<TestSql> => openSession(allFiles, await serverUrl());

/** Returns the URL of a database on a server. */
export function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
