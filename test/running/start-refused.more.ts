/** Reasons why a service cannot start or stop. Nothing may be left behind. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { findBinaries } from "../../src/platform/embedded/binaries.ts";
import { freePort } from "../../src/platform/embedded/postmaster.ts";
import { filledFolder, openFolder } from "../kit/cluster.ts";
import { eventually } from "../kit/eventually.ts";
import {
  asUser,
  isAlive,
  folder,
  isRoot,
  kill,
  leadport,
  NOBODY,
  ROOT,
  serverPid,
  settings,
} from "./leadport.ts";
import { spawnLeadport, startLeadport } from "./leadport.ts";
import { listening, startProcess, atEnd } from "../kit/started.ts";

/** An ordinary user: a different one if the tests run as root, otherwise the current one. */
const ORDINARY = isRoot ? NOBODY : undefined;
const NOBODY_NAME = "nobody";

const takenPort = async (t: TestContext) => String(await listening(t, createServer()));

for (const processes of ["1", "2"]) {
  test(`a taken port is noticed before a database is created, with ${processes} processes`, async (t) => {
    const env = { ...settings(t), PORT: await takenPort(t), PROCESSES: processes };
    const { code, err } = await leadport(t, ["start"], { env });
    assert.equal(code, 1);
    assert.equal(
      err,
      `Port ${env.PORT} on 127.0.0.1 is already in use. Set PORT to another port.\n`,
    );
    assert.deepEqual(readdirSync(env.DATA_DIR), ["lock"]);
  });
}

test("a start without built pages says how to build them, before a database is created", async (t) => {
  const root = folder(t);
  for (const name of ["bin", "src", "migrations", "package.json"]) {
    cpSync(join(ROOT, name), join(root, name), { recursive: true });
  }
  symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
  const env = settings(t);
  const { code, out, err } = await leadport(t, ["start"], { env, root });
  const message = "The pages are not built. Run `npm run build`.\n";
  assert.deepEqual({ code, out, err }, { code: 1, out: "", err: message });
  assert.deepEqual(readdirSync(env.DATA_DIR), ["lock"]);
});

test(
  "an ordinary user learns how to get a database that root has started",
  { skip: !isRoot && "needs root" },
  async (t) => {
    const dataDir = await filledFolder(t);
    chownSync(dataDir, NOBODY.uid, NOBODY.gid);
    const env = { DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "warn" };
    for (const name of readdirSync(dataDir)) {
      if (name !== "postgres") chownSync(join(dataDir, name), NOBODY.uid, NOBODY.gid);
    }
    execFileSync("chown", ["-R", "daemon:", join(dataDir, "postgres")]);
    const { code, err } = await leadport(t, ["start"], { env, ...asUser(t, NOBODY) });
    assert.equal(code, 1);
    assert.equal(
      err,
      `PostgreSQL runs as the user ${NOBODY_NAME} and cannot open the database in ${dataDir}/postgres: ` +
        `${dataDir}/postgres belongs to the user daemon. Run this command and start again:\n` +
        `  chown -R ${NOBODY_NAME}: ${dataDir}/postgres\n`,
    );
  },
);

test("a data folder that becomes read-only does not keep the service from ending", async (t) => {
  const env = settings(t, ORDINARY);
  const service = await startLeadport(t, { env, ...asUser(t, ORDINARY) });
  const database = serverPid(env.DATA_DIR) ?? 0;
  // No file can be removed from the folder, as if its file system had been remounted read-only
  // after a fault.
  chmodSync(env.DATA_DIR, 0o511);
  const before = service.err();
  kill(service.pid, "SIGTERM");
  const ended = await service.ended;
  chmodSync(env.DATA_DIR, 0o711);
  assert.deepEqual(ended, { code: 0, out: service.out(), err: before });
  assert.equal(isAlive(database), false);
  assert.ok(existsSync(join(env.DATA_DIR, "database-url")));
});

test("the start waits for a database that is starting, with a line every few seconds", async (t) => {
  const dataDir = await filledFolder(t);
  const data = join(dataDir, "postgres/data");
  // A standby that accepts no clients rejects connections just like a database that is starting
  // (57P03).
  writeFileSync(join(data, "standby.signal"), "");
  const url = await standby(t, data, dataDir);
  const MASTER_KEY = randomBytes(32).toString("base64");
  const env = { DATABASE_URL: url, DATA_DIR: join(openFolder(t), "data"), MASTER_KEY };
  const migrating = spawnLeadport(t, ["migrate"], { env });
  const err = collected(migrating.child.stderr);
  await eventually(err, (text) => text.split("Waiting for the database").length > 2, 60_000);
  assert.equal(migrating.child.exitCode, null);
  assert.match(err(), /^(Waiting for the database: the database system is [^\n]+\n)+$/);
  writeFileSync(join(data, "promote"), "");
  kill(serverPid(dataDir) ?? 0, "SIGUSR1");
  const { code, out } = await migrating.ended;
  assert.equal(code, 0);
  assert.match(out, /The database is at version \d+/);
});

/** Starts the embedded PostgreSQL on a data directory. Returns the URL of its database. */
async function standby(t: TestContext, data: string, dataDir: string): Promise<string> {
  const { folder, uid, gid } = { folder: dirname(data), ...statSync(data) };
  const port = await freePort();
  const settings = [`port=${port}`, "hot_standby=off", `unix_socket_directories=${folder}`];
  const { postgres } = findBinaries(isRoot ? { uid, gid, name: "" } : undefined);
  const command = [postgres, "-D", data, ...settings.flatMap((text) => ["-c", text])] as const;
  const options = { cwd: folder, env: { LC_ALL: "C" }, ...(isRoot ? { uid, gid } : {}) };
  const child = startProcess(t, command, options);
  for (const stream of [child.stdout, child.stderr]) stream.resume();
  atEnd(t, async () => {
    const ended = once(child, "close");
    if (child.kill("SIGQUIT")) await ended;
  });
  // PostgreSQL writes this line once it listens. Before that, connections are refused, which `migrate` reports at once.
  const state = join(data, "postmaster.pid");
  await eventually(
    () => existsSync(state) && /^(starting|standby)/m.test(readFileSync(state, "utf8")),
  );
  const password = readFileSync(join(dataDir, "database-password"), "utf8").trim();
  return `postgres://leadport:${password}@127.0.0.1:${port}/leadport`;
}

/** Returns the content of a stream so far. */
function collected(stream: NodeJS.ReadableStream | null): () => string {
  let text = "";
  stream?.on("data", (chunk: Buffer) => (text += chunk.toString()));
  return () => text;
}
