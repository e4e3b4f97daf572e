/**
 * The restore drill: a service with automatic backups under load is killed, and its data folder is
 * removed. Restoring to a point in time recovers every write that was acknowledged before it and
 * none that began after it.
 */

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { listBackups } from "../../src/backup/index.ts";
import { eventually } from "../kit/eventually.ts";
import { momentOf_s } from "../events/feed-kit.ts";
import { listening } from "../kit/started.ts";
import {
  clusterOf,
  databaseOf,
  folder,
  kill,
  printed,
  serverPid,
  type Settings,
  settings,
  startLeadport,
  tokenOf,
} from "../running/leadport.ts";

interface Write {
  readonly name: string;
  readonly sent_ms: number;
  /** Undefined if the write was not acknowledged. */
  acknowledged_ms?: number;
}

// oxlint-disable-next-line typescript/no-explicit-any -- responses of any shape
type Body = any;

const parsed = (text: string): Body => (text === "" ? undefined : JSON.parse(text));

async function ask(base: string, token: string, path: string, body?: object) {
  const response = await fetch(base + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const [, next] = /<([^>]+)>; rel="next"/.exec(response.headers.get("link") ?? "") ?? [];
  return {
    status: response.status,
    body: parsed(text),
    next,
  };
}

/** Writes leads one after the other until the service stops. */
async function writeUntilGone(base: string, token: string, writes: Write[], writer: number) {
  for (let n = 0; ; n += 1) {
    const write: Write = { name: `Lead ${writer}-${n}`, sent_ms: Date.now() };
    writes.push(write);
    try {
      const { status } = await ask(base, token, "/crm/leads", { name: write.name });
      if (status === 200) write.acknowledged_ms = Date.now();
    } catch {
      return;
    }
  }
}

async function allNames(base: string, token: string): Promise<Set<string>> {
  const names = new Set<string>();
  let path: string | undefined = "/crm/leads?page_size=500";
  while (path !== undefined) {
    const { body, next } = await ask(base, token, path);
    for (const { name } of body.leads as { name: string }[]) names.add(name);
    path = next;
  }
  return names;
}

/** Returns a webhook receiver. `requests` contains the requested paths. */
async function receiver(t: TestContext) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(String(request.url));
    request.resume().on("end", () => response.end());
  });
  return { url: `http://127.0.0.1:${await listening(t, server)}/hook`, requests };
}

test("a restore to a moment has every acknowledged write before it, and is secured", async (t) => {
  const backups = join(folder(t), "backups");
  const env: Settings = {
    ...settings(t),
    BACKUP_DIR: backups,
    BACKUP_VERIFY: "off",
    OUTGOING_ALLOW: "127.0.0.1",
    // The writers do not pause. On a fast machine, they would exceed the limit, and with it every other request.
    RATE_LIMIT: "off",
  };
  const { DATA_DIR } = env;
  const first = await startLeadport(t, { env });
  const owner = tokenOf(DATA_DIR);
  const hook = await receiver(t);
  const cursorBefore = (await ask(first.base, owner, "/crm/changes?since=now")).body.next as string;
  const writes: Write[] = [];
  const writers = [0, 1, 2].map((n) => writeUntilGone(first.base, owner, writes, n));
  await eventually(
    () => listBackups(backups).length,
    (count) => count === 1,
    180_000,
  );
  const taken = writes.length;
  assert.ok(taken > 0, "leads are written while the backup is taken");
  // Wait for writes that follow the backup, so that only the archived write-ahead log contains them.
  await eventually(
    () => writes.length,
    (count) => count > taken + 30,
  );
  const moment_ms = Math.ceil(Date.now() / 1000) * 1000;
  await eventually(
    () => Date.now(),
    (now_ms) => now_ms > moment_ms + 1500,
  );
  // Open transactions hold back the position up to which all changes are visible, so wait until it is past the moment.
  const cursorAfter = await eventually(
    async () => (await ask(first.base, owner, "/crm/changes?since=now")).body.next as string,
    (cursor) => momentOf_s(cursor) > moment_ms / 1000,
  );
  // The write-ahead log file for this point in time is archived within a minute. Files before it may be archived later
  // than they were finished, so wait for this one.
  const [file] = await databaseOf(t, env)`
    select pg_walfile_name(pg_current_wal_insert_lsn()) as name`;
  const archived = join(backups, "wal", `${file?.["name"]}.gz`);
  await eventually(() => existsSync(archived), Boolean, 300_000);
  const database = serverPid(DATA_DIR) ?? 0;
  kill(first.pid, "SIGKILL");
  kill(-database, "SIGKILL");
  kill(database, "SIGKILL");
  await Promise.all(writers);
  const key = readFileSync(join(DATA_DIR, "master-key"), "utf8");
  // PostgreSQL's processes may still be ending.
  const remove = { recursive: true, force: true, maxRetries: 10 };
  rmSync(clusterOf(DATA_DIR), remove);
  rmSync(DATA_DIR, remove);

  // Without the master key, nothing is restored.
  const at = new Date(moment_ms).toISOString();
  const target: Settings = { ...settings(t), OUTGOING_ALLOW: "127.0.0.1" };
  const refused = await printed(["restore", backups, "--at", at], target);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /needs the master key with the fingerprint [0-9a-f]{16}/);

  mkdirSync(target.DATA_DIR, { recursive: true, mode: 0o711 });
  writeFileSync(join(target.DATA_DIR, "master-key"), key, { mode: 0o600 });
  const restored = await printed(["restore", backups, "--at", at], target);
  assert.equal(restored.code, 0, restored.err);
  assert.ok(!existsSync(join(target.DATA_DIR, "owner-token")));

  const second = await startLeadport(t, { env: target });
  const names = await allNames(second.base, owner);
  const missing = writes.filter(
    ({ name, acknowledged_ms }) =>
      acknowledged_ms !== undefined && acknowledged_ms < moment_ms && !names.has(name),
  );
  assert.deepEqual(missing, [], "acknowledged writes before the moment are there");
  const early = writes.filter(({ name, sent_ms }) => sent_ms > moment_ms && names.has(name));
  assert.deepEqual(early, [], "writes that began after the moment are not");
  assert.ok(names.size > 0);

  // If a change feed reader was ahead of the restored state, its cursor fails with 410. A cursor from before the backup
  // remains valid.
  const ahead = await ask(
    second.base,
    owner,
    `/crm/changes?since=${encodeURIComponent(cursorAfter)}`,
  );
  assert.equal(ahead.status, 410, JSON.stringify(ahead.body));
  const behind = await ask(
    second.base,
    owner,
    `/crm/changes?since=${encodeURIComponent(cursorBefore)}`,
  );
  assert.equal(behind.status, 200, JSON.stringify(behind.body));

  // After a restore, webhook requests are held back until `leadport restore --release-deliveries` releases them.
  const made = await ask(second.base, owner, "/crm/webhooks", {
    url: hook.url,
    events: ["lead.created"],
  });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  assert.equal(
    (await ask(second.base, owner, "/crm/leads", { name: "After the restore" })).status,
    200,
  );
  const doctor = await printed(["doctor"], target);
  assert.match(doctor.out, /No webhook requests have been sent since the restore to/);
  assert.deepEqual(hook.requests, []);
  const released = await printed(["restore", "--release-deliveries"], target);
  assert.match(released.out, /Webhook requests are being sent again/);
  await eventually(
    () => hook.requests,
    (requests) => requests.length > 0,
  );
});
