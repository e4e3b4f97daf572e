/** A service that can be moved to a copy of its database, as in a restore from a backup. */

import { randomBytes } from "node:crypto";
import type { TestContext } from "node:test";
import { createTenant } from "../../src/access/create-tenant.ts";
import { systemClock } from "../../src/platform/clock/clock.ts";
import { idSource } from "../../src/platform/ids/ids.ts";
import type { MasterKey } from "../../src/platform/secrets/master-key.ts";
import { startOwnApp } from "../api/own-app.ts";
import { Client } from "../kit/api.ts";
import { migratedDatabase } from "../kit/database.ts";
import { eventually } from "../kit/eventually.ts";
import { openSession, atEnd } from "../kit/started.ts";
import type { TestSql } from "../kit/sql.ts";

export interface RestoreWorld {
  readonly keys: MasterKey;
  /** A client of a new tenant. Valid until the next `backUp` or `restore`; then use `clientOf`. */
  readonly tenant: () => Promise<Client>;
  /** Returns a client with the same credentials for the running service. */
  readonly clientOf: (client: Client) => Client;
  /** Stops the service, copies its database, and starts it again on the original. */
  readonly backUp: () => Promise<void>;
  /** Stops the service and starts it on a copy of the backup. */
  readonly restore: () => Promise<void>;
  /** Returns the connection pool of the database that is currently served. */
  readonly sql: () => TestSql;
}

const nobody = () => Promise.reject(new Error("Only the owner's token is needed here"));

export async function restoreWorld(t: TestContext): Promise<RestoreWorld> {
  const keys: MasterKey = { all: [randomBytes(32)] };
  const deps = { clock: systemClock(), makeId: idSource(systemClock()) };
  const { sql: admin, url: firstUrl } = await migratedDatabase(t);
  const name = new URL(firstUrl).pathname.slice(1);
  const server = openSession(t, urlOf("postgres"));
  let copies = 0;
  let current = name;
  let app = await startOwnApp(t, { url: urlOf(current), keys });
  let sql = openSql(current);

  function urlOf(database: string): string {
    const url = new URL(firstUrl);
    url.pathname = `/${database}`;
    return url.href;
  }
  function openSql(database: string): TestSql {
    return openSession(t, urlOf(database), { max: 2 });
  }
  const stop = async (): Promise<void> => {
    await app.stop();
    await sql.end({ timeout: 1 });
  };
  const startOn = async (database: string): Promise<void> => {
    current = database;
    app = await startOwnApp(t, { url: urlOf(database), keys });
    sql = openSql(database);
  };
  const copyTo = async (from: string, to: string): Promise<void> => {
    // Ended sessions remain briefly, and a database with connections cannot be copied.
    await eventually(
      () => server`select from pg_stat_activity where datname = ${from}`,
      (sessions) => sessions.length === 0,
    );
    await server.unsafe(`create database ${to} template ${from}`);
    atEnd(t, () => server.unsafe(`drop database if exists ${to} with (force)`));
  };
  // The kit's own connections would also prevent copies.
  await admin.end({ timeout: 1 });

  const clientOf = ({ bearer, tenantId, personId }: Client): Client =>
    new Client(app.url, bearer, tenantId, personId, nobody);
  let backup = "";
  return {
    keys,
    clientOf,
    sql: () => sql,
    tenant: async () => {
      const { tenant, owner, ownerToken } = await createTenant(sql, deps, { name: deps.makeId() });
      return new Client(app.url, ownerToken, tenant.id, owner.id, nobody);
    },
    backUp: async () => {
      await stop();
      backup = `${name}_${++copies}`;
      await copyTo(current, backup);
      await startOn(current);
    },
    restore: async () => {
      await stop();
      const restored = `${name}_${++copies}`;
      await copyTo(backup, restored);
      await startOn(restored);
    },
  };
}
