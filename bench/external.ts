/**
 * An external PostgreSQL server. It runs the same binaries in a separate process, with initdb's default settings. The
 * service connects to it over TCP.
 */

import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { findBinaries } from "../src/platform/embedded/binaries.ts";
import { freePort } from "../src/platform/embedded/postmaster.ts";
import { runAsFor } from "../src/platform/embedded/run-as.ts";

export interface External {
  /** The settings that connect a service to this server. */
  readonly settings: Readonly<Record<"DATABASE_URL" | "MASTER_KEY", string>>;
  readonly stop: () => Promise<void>;
}

const START_WITHIN_ms = 60_000;
const NAME = "leadport";

/** Starts the server of this folder. Creates the folder if it is missing. */
export async function startExternal(folder: string): Promise<External> {
  const runAs = runAsFor(folder);
  const { postgres: program, initdb } = findBinaries(runAs);
  const user = runAs && { uid: runAs.uid, gid: runAs.gid };
  const data = join(folder, "data");
  const env = { LC_ALL: "C" };
  if (!existsSync(join(data, "PG_VERSION"))) {
    mkdirSync(folder, { recursive: true, mode: 0o711 });
    if (user !== undefined) chownSync(folder, user.uid, user.gid);
    const options = ["--pgdata", data, "--username", NAME, "--encoding", "UTF8", "--auth", "trust"];
    execFileSync(initdb, options, { stdio: "ignore", cwd: folder, env, ...user });
  }
  const port = await freePort();
  const settings = [`port=${port}`, "unix_socket_directories="].flatMap((text) => ["-c", text]);
  const child = spawn(program, ["-D", data, ...settings], {
    ...{ stdio: "ignore", cwd: folder, env },
    ...user,
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await createDatabase(`postgres://${NAME}@127.0.0.1:${port}/postgres`);
  return {
    settings: {
      DATABASE_URL: `postgres://${NAME}@127.0.0.1:${port}/${NAME}`,
      MASTER_KEY: masterKeyIn(folder),
    },
    stop: async () => {
      child.kill("SIGINT");
      await exited;
    },
  };
}

/** Returns the master key that belongs to the database, or a new one. */
function masterKeyIn(folder: string): string {
  const file = join(folder, "master-key");
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString("base64"), { mode: 0o600 });
  return readFileSync(file, "utf8");
}

/** Waits until the server responds, and creates the database if it is missing. */
async function createDatabase(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    for (const until = performance.now() + START_WITHIN_ms; ; await sleep(50)) {
      try {
        const [known] = await sql`select from pg_database where datname = ${NAME}`;
        if (known === undefined) await sql.unsafe(`create database ${NAME}`);
        return;
      } catch (error) {
        if (performance.now() > until) throw error;
      }
    }
  } finally {
    await sql.end();
  }
}
