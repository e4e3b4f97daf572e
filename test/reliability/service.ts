/**
 * The service that the campaign attacks. This is either `leadport start` with its own data folder,
 * PostgreSQL and port, which can be killed and restarted at the same address, or processes of
 * `leadport serve` on a shared database. To compare with another checkout, set CHECKOUT to its
 * path.
 */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { testDatabase } from "../kit/database.ts";
import { eventually } from "../kit/eventually.ts";
import { listeningPort } from "../kit/listening-port.ts";
import {
  type Ended,
  installed,
  isAlive,
  kill,
  leadport,
  serverPid,
  settings,
  spawnLeadport,
  startLeadport,
  tokenOf,
} from "../running/leadport.ts";
import { backendsOf, childrenOf } from "./processes.ts";
import { atEnd } from "../kit/started.ts";

const CHECKOUT = process.env["CHECKOUT"];
const program = CHECKOUT === undefined ? {} : { root: CHECKOUT };

export interface ServiceUnderTest {
  readonly url: string;
  readonly dataDir: string;
  /** The owner token of the first tenant. */
  readonly token: string;
  readonly databaseUrl: () => string;
  /** The pid of the serving process. */
  readonly pid: () => number;
  readonly isAlive: () => boolean;
  /** The exit code and output of the process; undefined while it is running. */
  readonly ended: () => Ended | undefined;
  /** The pid of its PostgreSQL's postmaster; undefined while there is none. */
  readonly postmaster: () => number | undefined;
  readonly backends: () => readonly number[];
  /** Restarts the service after it has exited. */
  readonly startAgain: () => Promise<void>;
  /** Kills the service and every process of its PostgreSQL with SIGKILL. */
  readonly killEverything: () => void;
  /** Adds another tenant. Returns its owner token. */
  readonly addTenant: (name: string) => Promise<string>;
}

/** Starts the service on `DATA_DIR` with additional settings. It stops when the test ends. */
export async function startService(
  t: TestContext,
  own: Readonly<Record<string, string>> = {},
): Promise<ServiceUnderTest> {
  let running: Awaited<ReturnType<typeof startLeadport>> | undefined;
  let ended: Ended | undefined;
  const env = { ...(await installed(t)), ...own };
  const { DATA_DIR } = env;
  // The system chooses the port at the first start. Later starts use the same one.
  let port = "0";
  const postmaster = (): number | undefined => {
    const pid = serverPid(DATA_DIR);
    return pid !== undefined && isAlive(pid) ? pid : undefined;
  };
  const pid = (): number => running?.pid ?? 0;
  const killEverything = (): void => {
    const server = postmaster();
    const family = server === undefined ? [] : [server, ...childrenOf(server)];
    for (const one of [pid(), ...family]) if (one > 0) kill(one, "SIGKILL");
  };
  const start = async (): Promise<void> => {
    ended = undefined;
    const started = await startLeadport(t, { env: { ...env, PORT: port }, ...program });
    running = started;
    ({ port } = new URL(started.base));
    void started.ended.then((end) => (ended = end));
    atEnd(t, async () => {
      // Unlike a signal to its process id, this cannot reach another process after this one has exited.
      started.child.kill("SIGTERM");
      // A timer with a reference would keep the test file running after its last test.
      await Promise.race([started.ended, sleep(15_000, undefined, { ref: false })]);
      killEverything();
    });
  };
  await start();
  return {
    url: `http://127.0.0.1:${port}`,
    dataDir: DATA_DIR,
    token: tokenOf(DATA_DIR),
    databaseUrl: () => readFileSync(join(DATA_DIR, "database-url"), "utf8").trim(),
    pid,
    isAlive: () => isAlive(pid()),
    ended: () => ended,
    postmaster,
    backends: () => backendsOf(postmaster() ?? 0),
    killEverything,
    startAgain: async () => {
      await running?.ended;
      await start();
    },
    addTenant: (name) => addTenant(t, name, env),
  };
}

/** Adds a tenant. Returns its owner token. */
async function addTenant(
  t: TestContext,
  name: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const { code, out, err } = await leadport(t, ["tenant", "create", name], { env, ...program });
  assert.equal(code, 0, err);
  return out.trim();
}

export interface SharedDatabase {
  readonly url: string;
  /** The owner token of the database's tenant. */
  readonly token: string;
  /** Starts a serving process that connects to the database at this URL. */
  readonly serve: (databaseUrl: string) => Promise<{ readonly url: string; readonly pid: number }>;
}

/** Returns a migrated database with a tenant, for any number of processes of `leadport serve`. */
export async function sharedDatabase(t: TestContext): Promise<SharedDatabase> {
  const { url } = await testDatabase(t);
  const own = {
    ...settings(t),
    MASTER_KEY: randomBytes(32).toString("base64"),
    RATE_LIMIT: "off",
    ANONYMOUS_RATE_LIMIT: "off",
    LOG_LEVEL: "fatal",
  };
  const env = { ...own, DATABASE_URL: url };
  const { code, err } = await leadport(t, ["migrate"], { env, ...program });
  assert.equal(code, 0, err);
  return {
    url,
    token: await addTenant(t, "Shared", env),
    serve: async (DATABASE_URL) => {
      const running = spawnLeadport(t, ["serve"], { env: { ...own, DATABASE_URL }, ...program });
      const port = await eventually(() => listeningPort(running.out()), Boolean, 60_000);
      return { url: `http://127.0.0.1:${port}`, pid: running.pid };
    },
  };
}
