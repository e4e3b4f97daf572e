/** Kills, doubles and deaths: the service comes up by itself, loses nothing, and runs once. */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive, kill, leadport, serverPid, settings, spawnLeadport } from "./leadport.ts";
import { type Settings, startLeadport, tokenOf } from "./leadport.ts";

const authorized = (env: Settings) => ({
  authorization: `Bearer ${tokenOf(env.DATA_DIR)}`,
  "content-type": "application/json",
});

async function addLead(base: string, env: Settings, name: string): Promise<number> {
  const body = JSON.stringify({ name });
  const url = `${base}/crm/leads`;
  return (await fetch(url, { method: "POST", headers: authorized(env), body })).status;
}

async function leadNames(base: string, env: Settings): Promise<string[]> {
  const answer = await fetch(`${base}/crm/leads?page_size=500`, { headers: authorized(env) });
  const { leads } = (await answer.json()) as { leads: { name: string }[] };
  return leads.map(({ name }) => name);
}

/** Writes until the service is gone; the names of what was answered 200. */
async function writeUntilGone(base: string, env: Settings, answered: string[]): Promise<void> {
  for (let n = 0; ; n += 1) {
    try {
      if ((await addLead(base, env, `Lead ${n}`)) === 200) answered.push(`Lead ${n}`);
    } catch {
      return;
    }
  }
}

for (const victims of ["service", "service and database", "database's whole family"] as const) {
  test(`after SIGKILL of the ${victims} a start finds every answered write`, async (t) => {
    const env = settings(t);
    const { DATA_DIR } = env;
    const service = await startLeadport(t, { env });
    const database = serverPid(DATA_DIR) ?? 0;
    const answered: string[] = [];
    const writing = writeUntilGone(service.base, env, answered);
    while (answered.length === 0) await sleep(20);
    await sleep(400);
    if (victims === "database's whole family") kill(-database, "SIGKILL");
    if (victims === "service and database") kill(database, "SIGKILL");
    kill(service.pid, "SIGKILL");
    await writing;
    if (victims === "service") assert.ok(isAlive(database), "the database outlives the service");
    const again = await startLeadport(t, { env });
    const found = new Set(await leadNames(again.base, env));
    assert.deepEqual(
      answered.slice(-400).filter((name) => !found.has(name)),
      [],
    );
    kill(again.pid, "SIGTERM");
    assert.equal((await again.ended).code, 0);
    assert.equal(isAlive(database), false);
    assert.equal(serverPid(DATA_DIR), undefined);
  });
}

test("a first start that is killed at any moment is made good by the next", async (t) => {
  for (const after_ms of [80, 200, 350, 500, 700, 1000]) {
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

test("a pid that another process has now is not taken for the database", async (t) => {
  const env = settings(t);
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

test("a second start on the same folder is refused and names the first", async (t) => {
  const env = settings(t);
  const service = await startLeadport(t, { env });
  const { code, err } = await leadport(t, ["start"], { env });
  assert.equal(code, 1);
  assert.match(
    err,
    new RegExp(`^Leadport already runs on \\S+ \\(process ${service.pid}, since 2`),
  );
  assert.equal((await fetch(`${service.base}/readyz`)).status, 200);
});

test("of two starts at once on one folder one wins", async (t) => {
  const env = settings(t);
  const both = [1, 2].map(() => spawnLeadport(t, ["start"], { env }));
  const first = await Promise.race(both.map(({ ended }) => ended));
  assert.equal(first.code, 1);
  assert.match(first.err, /Leadport already runs on/);
  for (let i = 0; i < 500 && !both.some(({ out }) => out().includes("runs on")); i += 1)
    await sleep(20);
  assert.equal(both.filter(({ out }) => out().includes("runs on")).length, 1);
});

test("a database that dies is started again, and 503 is answered meanwhile", async (t) => {
  const env = settings(t);
  const { base } = await startLeadport(t, { env });
  const before = serverPid(env.DATA_DIR) ?? 0;
  assert.ok(before > 1);
  kill(-before, "SIGKILL");
  const seen = new Set<number>();
  const until = performance.now() + 15_000;
  for (let good = 0; good < 5 && performance.now() < until; await sleep(20)) {
    const status = await addLead(base, env, "Meanwhile");
    seen.add(status);
    good = status === 200 ? good + 1 : 0;
  }
  assert.equal((await fetch(`${base}/readyz`)).status, 200);
  assert.notEqual(serverPid(env.DATA_DIR), before);
  assert.deepEqual(
    [...seen].filter((status) => status !== 200 && status !== 503),
    [],
  );
});

test("SIGTERM answers what is in flight, and all is gone within 10 s", async (t) => {
  const env = settings(t);
  const service = await startLeadport(t, { env });
  const { port } = new URL(service.base);
  const body = JSON.stringify({ name: "In flight" });
  const socket = connect(Number(port), "127.0.0.1");
  t.after(() => socket.destroy());
  const headers = Object.entries({ ...authorized(env), host: "x", "content-length": body.length });
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.write(`POST /crm/leads HTTP/1.1\r\n${head}\r\n${body.slice(0, 5)}`);
  let answer = "";
  socket.on("data", (chunk) => (answer += chunk));
  await sleep(300);
  const database = serverPid(env.DATA_DIR) ?? 0;
  const asked = performance.now();
  kill(service.pid, "SIGTERM");
  await sleep(300);
  socket.write(body.slice(5));
  assert.equal((await service.ended).code, 0);
  assert.match(answer, /^HTTP\/1\.1 200 /);
  const took_ms = performance.now() - asked;
  assert.ok(took_ms < 3_000, `an answered connection keeps nobody waiting (${took_ms} ms)`);
  assert.equal(isAlive(database), false);
});

test("a connection that never ends its request does not keep the service", async (t) => {
  const env = settings(t);
  const service = await startLeadport(t, { env });
  const socket = connect(Number(new URL(service.base).port), "127.0.0.1").on("error", () => {});
  t.after(() => socket.destroy());
  socket.write("POST /crm/leads HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n{");
  await sleep(200);
  const asked = performance.now();
  kill(service.pid, "SIGTERM");
  assert.equal((await service.ended).code, 0);
  assert.ok(performance.now() - asked < 10_000);
});

for (const { to, signal } of [
  { to: "npm alone", signal: "SIGTERM" },
  { to: "the whole group", signal: "SIGTERM" },
  { to: "the whole group", signal: "SIGINT" },
  { to: "npm alone", signal: "SIGKILL" },
] as const) {
  test(`under npm, ${signal} to ${to} leaves nothing behind`, async (t) => {
    const env = { ...settings(t), HOME: process.env["HOME"] ?? "/" };
    const service = await startLeadport(t, { env, through: ["npm", "start", "--silent"] });
    const { pid } = JSON.parse(readFileSync(join(env.DATA_DIR, "holder.json"), "utf8")) as {
      pid: number;
    };
    const database = serverPid(env.DATA_DIR) ?? 0;
    kill(to === "npm alone" ? service.pid : -service.pid, signal);
    for (let i = 0; i < 500 && (isAlive(pid) || isAlive(database)); i += 1) await sleep(20);
    assert.deepEqual([isAlive(pid), isAlive(database)], [false, false]);
  });
}
