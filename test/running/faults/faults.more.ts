/** Kills and shutdowns of every kind, at any time: the next start finds all data, and nothing is left behind. */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { addLead, killAndStartAgain } from "./killed.ts";
import {
  installed,
  isAlive,
  kill,
  serverPid,
  settings,
  spawnLeadport,
  startLeadport,
} from "../leadport.ts";
import { eventually } from "../../kit/eventually.ts";
import { casesOf, isLong } from "../../kit/long.ts";

const VICTIMS = ["service and database", "service"] as const;

for (const victims of casesOf(VICTIMS, 1)) {
  test(`after SIGKILL of the ${victims} a start finds every acknowledged write`, (t) =>
    killAndStartAgain(t, victims));
}

test("a first start that is killed at any moment is completed by the next", async (t) => {
  for (const after_ms of isLong ? [80, 200, 350, 500, 700, 1000] : [700]) {
    const env = settings(t);
    const first = spawnLeadport(t, ["start"], { env });
    await sleep(after_ms);
    kill(first.pid, "SIGKILL");
    await first.ended;
    const { base, pid, ended } = await startLeadport(t, { env });
    assert.equal(await addLead(base, env, "First"), 200, `killed after ${after_ms} ms`);
    kill(pid, "SIGTERM");
    await ended;
  }
});

test("a process id that is used by another process now is not taken for the database", async (t) => {
  const env = await installed(t);
  const { DATA_DIR } = env;
  const service = await startLeadport(t, { env });
  const note = join(DATA_DIR, "postgres/data/postmaster.pid");
  const text = readFileSync(note, "utf8");
  kill(service.pid, "SIGTERM");
  await service.ended;
  writeFileSync(note, text.replace(/^\d+/, String(process.pid)));
  const { base } = await startLeadport(t, { env });
  assert.equal(await addLead(base, env, "Here"), 200);
});

test("of two concurrent starts on one folder one wins", async (t) => {
  const env = await installed(t);
  const both = [1, 2].map(() => spawnLeadport(t, ["start"], { env }));
  const first = await Promise.race(both.map(({ ended }) => ended));
  assert.equal(first.code, 1);
  assert.match(first.err, /Leadport is already running with/);
  await eventually(() => both.some(({ out }) => out().includes("Leadport is running on")));
  assert.equal(both.filter(({ out }) => out().includes("Leadport is running on")).length, 1);
});

const SIGNALED = [
  { to: "npm alone", signal: "SIGTERM" },
  { to: "the whole group", signal: "SIGINT" },
  { to: "the whole group", signal: "SIGTERM" },
  { to: "npm alone", signal: "SIGKILL" },
] as const;

for (const { to, signal } of casesOf(SIGNALED, 1)) {
  test(`under npm, ${signal} to ${to} leaves nothing behind`, async (t) => {
    const env = { ...(await installed(t)), HOME: process.env["HOME"] ?? "/" };
    const service = await startLeadport(t, { env, through: ["npm", "start", "--silent"] });
    const { pid } = JSON.parse(readFileSync(join(env.DATA_DIR, "holder.json"), "utf8")) as {
      pid: number;
    };
    const database = serverPid(env.DATA_DIR) ?? 0;
    kill(to === "npm alone" ? service.pid : -service.pid, signal);
    await eventually(() => !isAlive(pid) && !isAlive(database));
  });
}
