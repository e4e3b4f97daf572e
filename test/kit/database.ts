/**
 * A PostgreSQL for tests: a fresh database, or a clone of a migrated one, on a server that the whole
 * run shares. `node --test --test-global-setup=test/kit/global-setup.ts` starts that server once; a
 * file that is run by itself starts one and stops it when it ends. TEST_DATABASE_URL names a server
 * to use instead (a superuser's address).
 */

import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, type TestContext } from "node:test";
import postgres from "postgres";
import { migrate } from "../../src/platform/database/migrate.ts";
import { startTestServer, type TestServer } from "./server.ts";

export interface TestDatabase {
  readonly sql: postgres.Sql;
  readonly url: string;
  /**
   * Ends what works on the database, before it is dropped. A test's own hooks run in the order in which
   * they were said, so that one of those would come too late: a driver (3.4.9) whose session ended in
   * the middle of a statement connects anew without end or pause when it is refused by name.
   */
  readonly beforeDrop: (end: () => Promise<unknown>) => void;
}

const MIGRATIONS = join(import.meta.dirname, "../../migrations");
/** Makes one process of several build the template; any constant does. */
const LOCK = 5_120_417;

let server: Promise<TestServer> | undefined;
let template: Promise<string> | undefined;

const users: (() => unknown)[] = [];

// Registered here and not where the server starts: inside a test, `after` would mean the end of that test.
after(async () => {
  for (const close of users.toReversed()) await close();
  await (await server)?.stop();
});

/** Closes something at the end of the file, before the server that it uses is stopped. */
export const closeBeforeServer = (close: () => unknown): void => void users.push(close);

/** An empty database, dropped when the test ends. */
export const testDatabase = (t: TestContext): Promise<TestDatabase> => open(t, "template0");

/** A database with this program's schema and nothing in it, dropped when the test ends. */
export async function migratedDatabase(t: TestContext): Promise<TestDatabase> {
  template ??= migratedTemplate();
  return open(t, await template);
}

async function open(t: TestContext, source: string): Promise<TestDatabase> {
  const name = `t_${randomBytes(8).toString("hex")}`;
  await administer((sql) => sql.unsafe(`create database ${name} template ${source}`));
  const url = databaseUrl(await serverUrl(), name);
  const sql = pool(url, 4);
  const ends: (() => Promise<unknown>)[] = [];
  t.after(async () => {
    for (const end of ends.toReversed()) await end();
    await sql.end({ timeout: 1 });
    await administer((admin) => admin.unsafe(`drop database if exists ${name} with (force)`));
  });
  return { sql, url, beforeDrop: (end) => void ends.push(end) };
}

/**
 * Its name holds a hash of the migrations, so that a server that is kept never serves an old one.
 */
async function migratedTemplate(): Promise<string> {
  const hash = createHash("sha256");
  for (const file of readdirSync(MIGRATIONS).toSorted()) {
    hash.update(file).update(readFileSync(join(MIGRATIONS, file)));
  }
  const name = `leadport_template_${hash.digest("hex").slice(0, 12)}`;
  await administer(async (sql) => {
    await sql`select pg_advisory_lock(${LOCK})`;
    const found = await sql`select from pg_database where datname = ${name}`;
    if (found.length > 0) return;
    // Built under another name, so that a run that is killed half-way leaves no half template.
    await sql.unsafe(`drop database if exists ${name}_new with (force)`);
    await sql.unsafe(`create database ${name}_new template template0`);
    await migrate(databaseUrl(await serverUrl(), `${name}_new`));
    await sql.unsafe(`alter database ${name}_new rename to ${name}`);
  });
  return name;
}

/** The run's server; the first call of a file that runs by itself starts one. */
async function serverUrl(): Promise<string> {
  const given = process.env["TEST_DATABASE_URL"];
  if (given !== undefined) return given;
  server ??= startTestServer();
  return (await server).url;
}

async function administer(work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = pool(await serverUrl(), 1);
  try {
    await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

const pool = (url: string, max: number) => postgres(url, { max, onnotice: () => {} });

function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
