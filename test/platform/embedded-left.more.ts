/** A database left running by a killed service: the next start takes it over or stops it, and then serves requests. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type TestContext, test } from "node:test";
import { attachEmbedded } from "../../src/platform/embedded/index.ts";
import { lockFolder } from "../../src/platform/storage/index.ts";
import { ask, filledFolder, keptIn, openFolder, start } from "../kit/cluster.ts";
import { eventually } from "../kit/eventually.ts";
import { leadport } from "../running/leadport.ts";
import { startScript, openSession, atEnd } from "../kit/started.ts";

const pidFile = (dataDir: string) => join(dataDir, "postgres/data/postmaster.pid");
const linesOf = (dataDir: string): string[] => {
  try {
    return readFileSync(pidFile(dataDir), "utf8").split("\n");
  } catch {
    return [];
  }
};
const pidOf = (dataDir: string) => Number(linesOf(dataDir)[0]);
const statusOf = (dataDir: string) => linesOf(dataDir)[7]?.trim();

function signal(pid: number, name: NodeJS.Signals): void {
  assert.ok(pid > 1);
  try {
    process.kill(pid, name);
  } catch {
    // The process has already exited.
  }
}

/** Returns whether a process is running. A zombie does not count as running. */
function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** Starts a database in a separate process. `kill` kills only that process and leaves the database running. */
async function startToKill(t: TestContext, dataDir: string) {
  const script = join(import.meta.dirname, "../kit/left-server.ts");
  atEnd(t, async () => {
    const pid = pidOf(dataDir);
    if (!(pid > 1)) return;
    signal(pid, "SIGQUIT");
    // While the server runs, it could write to the folder that is removed next.
    await eventually(() => !isAlive(pid));
  });
  const { child, printed: url } = await startScript(t, script, dataDir);
  return {
    url,
    kill: async () => {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** Opens a connection that stays open. Returns the id of the process that serves it. */
async function session(t: TestContext, url: string) {
  const sql = openSession(t, url);
  const [row] = await sql`select pg_backend_pid() as pid`;
  return Number(row?.["pid"]);
}

test("a server that was left running is taken over", async (t) => {
  const dataDir = await filledFolder(t);
  const left = await startToKill(t, dataDir);
  const before = pidOf(dataDir);
  await left.kill();
  const embedded = await start(t, dataDir);
  assert.deepEqual([embedded.adopted, pidOf(dataDir)], [true, before]);
  assert.equal(await keptIn(embedded), "here");
});

test("a server that never finishes stopping is ended, with a message", async (t) => {
  const dataDir = await filledFolder(t);
  // PostgreSQL 18 can hang if it is asked to stop while it recovers from the loss of a process. The moment at which
  // this happens varies, so the test tries repeatedly.
  for (let round = 0; ; round += 1) {
    const left = await startToKill(t, dataDir);
    const before = pidOf(dataDir);
    signal(await session(t, left.url), "SIGKILL");
    await sleep(60 + 4 * round);
    signal(before, "SIGINT");
    await left.kill();
    await eventually(
      () => !isAlive(before) || statusOf(dataDir) === "stopping",
      (isEither) => isEither,
    );
    const told: string[] = [];
    const embedded = await start(t, dataDir, told);
    assert.equal(isAlive(before), false);
    assert.equal(await keptIn(embedded), "here");
    await embedded.stop();
    const line = `Waiting for the database server that an earlier service left (process ${before}) to stop`;
    if (told.includes(line)) return;
    assert.ok(round < 20, "it always stopped");
  }
});

test("processes of a killed server are ended before another is started", async (t) => {
  const dataDir = await filledFolder(t);
  const left = await startToKill(t, dataDir);
  const before = pidOf(dataDir);
  const backend = await session(t, left.url);
  // A stopped backend does not react to anything, just like a backend that is computing or waiting for a disk.
  signal(backend, "SIGSTOP");
  await left.kill();
  signal(before, "SIGKILL");
  await eventually(() => !isAlive(before));
  const told: string[] = [];
  const starting = start(t, dataDir, told);
  await eventually(
    () => told,
    ([line]) => line !== undefined,
  );
  assert.match(
    told[0] ?? "",
    new RegExp(`^Waiting for processes of a killed database server to end \\(.*\\b${backend}\\b`),
  );
  assert.ok(isAlive(backend));
  assert.equal(pidOf(dataDir), before, "the lock file stays while a process is attached");
  const embedded = await starting;
  assert.equal(isAlive(backend), false);
  assert.equal(await keptIn(embedded), "here");
});

test("a process that may not be the server is not signaled, and the start is rejected", async (t) => {
  const dataDir = await filledFolder(t);
  const left = await startToKill(t, dataDir);
  await left.kill();
  const [pid = "", data = "", started = "", ...others] = linesOf(dataDir);
  const text = [pid, data, String(Number(started) - 3600), ...others].join("\n");
  writeFileSync(pidFile(dataDir), text);
  await assert.rejects(start(t, dataDir), (error: Error) => {
    assert.match(
      error.message,
      new RegExp(`^Process ${pid} seems to run PostgreSQL on \\S+, but `),
    );
    assert.match(error.message, new RegExp(`\n  kill -INT ${pid}$`));
    return true;
  });
  assert.equal(await keptIn({ url: left.url }), "here", "it was left alone");
  assert.equal(readFileSync(pidFile(dataDir), "utf8"), text);
});

test("a process id that is used by another process now is not taken for the server", async (t) => {
  const dataDir = await filledFolder(t);
  const left = await startToKill(t, dataDir);
  const [pid = "", ...others] = linesOf(dataDir);
  // In this order, because the killed process could otherwise restart the server first.
  await left.kill();
  signal(Number(pid), "SIGKILL");
  await eventually(() => !isAlive(Number(pid)));
  // Replace the server's id with that of this test's own process.
  writeFileSync(pidFile(dataDir), [String(process.pid), ...others].join("\n"));
  assert.equal(await keptIn(await start(t, dataDir)), "here");
});

/**
 * Kills a database while another program takes its port, and waits until it listens only on its socket. Returns the
 * other program's number of connections.
 */
async function moveToSocket(t: TestContext, dataDir: string, url: string): Promise<() => number> {
  const before = pidOf(dataDir);
  const backend = await session(t, url);
  // The stopped backend prevents the next server from starting. The backend is killed once another program uses the
  // port.
  signal(backend, "SIGSTOP");
  signal(before, "SIGKILL");
  const port = Number(new URL(url).port);
  let connections = 0;
  const program = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  atEnd(t, () => program.close());
  await eventually(
    async () => {
      program.removeAllListeners("error");
      const listens = new Promise((resolve) => {
        program.once("error", () => resolve(false)).once("listening", () => resolve(true));
      });
      program.listen(port, "127.0.0.1");
      return listens;
    },
    (listens) => listens === true,
  );
  signal(backend, "SIGKILL");
  await eventually(
    () => [linesOf(dataDir)[5]?.trim(), statusOf(dataDir)],
    ([address, status]) => address === "" && status === "ready",
  );
  return () => connections;
}

test("a database that dies while another program takes its port continues on its socket", async (t) => {
  const dataDir = await filledFolder(t);
  const told: string[] = [];
  const { url, address } = await start(t, dataDir, told);
  assert.deepEqual(address(), { host: "127.0.0.1", port: Number(new URL(url).port) });
  await moveToSocket(t, dataDir, url);
  assert.match(told.join("\n"), /listens only on its socket/);
  assert.ok("path" in address());
  const sql = openSession(t, url, { address });
  assert.equal((await sql`select text from kept`)[0]?.["text"], "here");
});

test("a database that listens only on its socket is checked and taken over there", async (t) => {
  const dataDir = await filledFolder(t);
  const left = await startToKill(t, dataDir);
  const connections = await moveToSocket(t, dataDir, left.url);
  const { out } = await leadport(t, ["doctor"], { env: { DATA_DIR: dataDir } });
  assert.match(out, /^ok +version /m);
  await left.kill();
  const before = pidOf(dataDir);
  const { adopted, address } = await start(t, dataDir);
  assert.deepEqual([adopted, pidOf(dataDir), "path" in address()], [true, before, true]);
  assert.equal(connections(), 0);
});

test("if another command keeps using the data folder, a command names that command", async (t) => {
  const dataDir = openFolder(t);
  const release = lockFolder(dataDir, "command");
  atEnd(t, () => release?.());
  await assert.rejects(attachEmbedded({ dataDir, log: { warn: () => {} } }), {
    message: `A command (process ${process.pid}) is using ${dataDir}. Try again when it has ended.`,
  });
});

test("a database that something else stops is started again", async (t) => {
  const dataDir = await filledFolder(t);
  const told: string[] = [];
  const { url } = await start(t, dataDir, told);
  const before = pidOf(dataDir);
  await session(t, url);
  // After SIGTERM, PostgreSQL waits for all sessions to end, but a pool never ends its sessions.
  signal(before, "SIGTERM");
  await eventually(
    () => [pidOf(dataDir), statusOf(dataDir)],
    ([pid, status]) => pid !== before && status === "ready",
    60_000,
  );
  assert.match(
    told.join("\n"),
    new RegExp(`Another process has asked the database \\(process ${before}\\) to stop`),
  );
  assert.equal(
    await ask(url, async (sql) => (await sql`select text from kept`)[0]?.["text"]),
    "here",
  );
});

test("a stop does not wait for a database that is being restarted", async (t) => {
  const dataDir = await filledFolder(t);
  const told: string[] = [];
  const { url, stop } = await start(t, dataDir, told);
  const before = pidOf(dataDir);
  await ask(url, (sql) => sql`select 1`);
  signal(before, "SIGKILL");
  await eventually(
    () => told.length,
    (lines) => lines > 0,
  );
  await stop();
  assert.equal(isAlive(pidOf(dataDir)), false);
});
