/** Imports resume without creating duplicates, however they were interrupted. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import http from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pacedBody } from "../../../src/files/imports/patient-body.ts";
import { fileApi } from "../../kit/file-api.ts";
import { holdWrites } from "../../kit/held-writes.ts";
import { casesOf, isLong } from "../../kit/long.ts";
import { folder, kill, leadport, oldNode, spawnLeadport } from "../../running/leadport.ts";
import type { Client } from "../../kit/api.ts";
import { assertCounts, importFile, prepare, send, type Import } from "./sending.ts";
import { eventually } from "../../kit/eventually.ts";

const api = await fileApi();

/** Each row is about a kilobyte, so a file consists of several chunks. */
const ROWS = 4000;
const line = (at: number) => `Lead ${at},lead-${at}@example.com,${"x".repeat(900)}\n`;
const FILE = `name,email,comments\n${Array.from({ length: ROWS }, (_, at) => line(at)).join("")}`;

/**
 * Sends the first 70 percent of a file. `breakOff` closes the connection. `finish` sends the rest and returns the status
 * of the response.
 */
function beginSending(client: Client, id: string, content: string) {
  const url = new URL(`${client.url}/crm/imports/${id}/data`);
  const request = http.request(url, {
    method: "PUT",
    headers: { authorization: `Bearer ${client.bearer}`, "transfer-encoding": "chunked" },
  });
  request.on("error", () => undefined);
  const answered = once(request, "response").then(([response]) => {
    const { statusCode } = (response as http.IncomingMessage).resume();
    return statusCode;
  });
  answered.catch(() => undefined);
  const sent = Math.floor(content.length * 0.7);
  request.write(content.slice(0, sent));
  return {
    breakOff: () => request.destroy(),
    finish: () => {
      request.end(content.slice(sent));
      return answered;
    },
  };
}

const importWhen = (client: Client, id: string, isWanted: (found: Import) => boolean) =>
  eventually(async () => (await client.get(`/crm/imports/${id}`)).body as Import, isWanted);

async function assertWhole(client: Client, rows = ROWS): Promise<void> {
  const [found] = await api.sql`
    select count(*)::int as records, count(distinct name)::int as names
      from leads where tenant_id = ${client.tenantId}`;
  assert.deepEqual({ ...found }, { records: rows, names: rows });
}

test("after its sender goes away an import continues with the same file", async () => {
  const acme = await api.tenant();
  const id = await prepare(acme, "leads");
  const sending = beginSending(acme, id, FILE);
  await importWhen(acme, id, (found) => (found["last_line"] as number) > 0);
  sending.breakOff();
  const broken = await importWhen(acme, id, ({ state }) => state === "interrupted");
  assert.ok((broken["rows"] as number) > 0 && (broken["rows"] as number) < ROWS);
  const other = await send(acme, id, FILE.replace("Lead 0", "Load 0"));
  assert.equal(other.status, 409);
  assert.match(other.body.detail, /not the file/);
  const answer = await send(acme, id, FILE);
  assert.equal(answer.status, 200, answer.text);
  assertCounts(answer.body as Import, { rows: ROWS, created: ROWS });
  await assertWhole(acme);
  assert.equal((await send(acme, id, FILE)).status, 409);
});

test("of two senders of one import the second gets an error that names the first", async () => {
  const acme = await api.tenant();
  const id = await prepare(acme, "leads");
  const sending = beginSending(acme, id, FILE);
  await importWhen(acme, id, ({ state }) => state === "running");
  const second = await send(acme, id, FILE);
  assert.equal(second.status, 409);
  assert.equal(second.body.status, "running");
  sending.breakOff();
  await importWhen(acme, id, ({ state }) => state === "interrupted");
});

test("a sender whose lease was taken over writes nothing more, and its upload returns 409", async () => {
  const acme = await api.tenant();
  const id = await prepare(acme, "leads");
  const sending = beginSending(acme, id, FILE);
  const before = await importWhen(acme, id, (found) => (found["rows"] as number) > 0);
  // Simulate an import that has been idle for too long.
  await api.sql`
    update imports set lease = 'another', lease_until_ms = 0
     where tenant_id = ${acme.tenantId} and id = ${id}`;
  assert.equal((await importWhen(acme, id, () => true)).state, "interrupted");
  const answer = await send(acme, id, FILE);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(await sending.finish(), 409);
  assert.ok((before["rows"] as number) < ROWS);
  assertCounts(answer.body as Import, { rows: ROWS, created: ROWS });
  await assertWhole(acme);
});

/** A file whose import takes several seconds, so that a command cannot finish it before it is killed. */
const LONG_ROWS = isLong ? 20_000 : 8000;
const writeLongFile = (path: string): void =>
  writeFileSync(
    path,
    `name,email,comments\n${Array.from({ length: LONG_ROWS }, (_, at) => line(at)).join("")}`,
  );

/** The write with which a command finishes its import. It is held back, so that a late kill still interrupts the import. */
const FINISHING = "before update on imports for each row when (new.state = 'finished')";

for (const kills of isLong ? [1, 3] : [1]) {
  test(`a command that is killed ${kills} times ends with every row once`, async (t) => {
    const acme = await api.tenant();
    const path = join(folder(t), "leads.csv");
    writeLongFile(path);
    const env = {
      DATABASE_URL: api.databaseUrl,
      MASTER_KEY: masterKey,
      LOG_LEVEL: "warn",
    };
    const args = ["import", "leads", path, "--tenant", acme.tenantId];
    for (let round = 0; round < kills; round += 1) {
      const before = await rowsOf(acme);
      const held = await holdWrites(api.sql, FINISHING);
      const running = spawnLeadport(t, args, { env });
      try {
        await eventually(async () => (await rowsOf(acme)) !== before);
        await sleep(round * 15);
        kill(-running.pid, "SIGKILL");
        await running.ended;
      } finally {
        // Also waits for the last transaction of the killed command, which could otherwise renew its lease later.
        await held.end();
      }
      // Expire the killed command's lease, so that the retry does not have to wait for it.
      await api.sql`update imports set lease_until_ms = 0 where tenant_id = ${acme.tenantId}`;
    }
    const { code, out, err } = await leadport(t, args, { env });
    assert.equal(code, 0, err);
    assert.match(out, /Resuming import \w+ after line \d+\./);
    assert.ok(out.includes(`${LONG_ROWS} created, 0 updated, 0 unchanged, 0 rejected`), out);
    await assertWhole(acme, LONG_ROWS);
  });
}

const masterKey = randomBytes(32).toString("base64url");

async function rowsOf({ tenantId }: Client): Promise<number> {
  const [found] = await api.sql`
    select coalesce(sum(rows), 0)::int as n from imports where tenant_id = ${tenantId}`;
  return found?.["n"] as number;
}

// With an older Node, bin/leadport is a launcher, which forwards the signals that it receives.
const RUNTIMES = [
  ["this Node", process.execPath, false],
  ["an older Node", oldNode, oldNode === undefined && "needs an older Node next to this one"],
] as const;

for (const [runtime, node, skip] of casesOf(RUNTIMES, 1)) {
  test(
    `under ${runtime} a command that is asked to stop prints how to continue`,
    { skip },
    async (t) => {
      const acme = await api.tenant();
      const path = join(folder(t), "leads.csv");
      writeLongFile(path);
      const env = { DATABASE_URL: api.databaseUrl, MASTER_KEY: masterKey, LOG_LEVEL: "warn" };
      const args = ["import", "leads", path, "--tenant", acme.tenantId];
      const running = spawnLeadport(t, args, { env, through: [node ?? "", "bin/leadport"] });
      await eventually(async () => (await rowsOf(acme)) > 0);
      kill(-running.pid, "SIGINT");
      const { code, err } = await running.ended;
      assert.equal(code, 1);
      assert.match(err, /Run the same command again to continue/);
      const again = await leadport(t, [...args, "--resume"], { env });
      assert.equal(again.code, 0, again.err);
      await assertWhole(acme, LONG_ROWS);
      const none = await leadport(t, [...args, "--resume"], { env });
      assert.equal(none.code, 1);
      assert.match(none.err, /no interrupted import of this file/);
    },
  );
}

test("a long file that does not match its options gets a response while it is sent", async () => {
  const acme = await api.tenant();
  const id = await prepare(acme, "leads", { map: { Nme: "name" } });
  const answer = await send(acme, id, FILE.repeat(5));
  assert.equal(answer.status, 422);
  assert.match(answer.text, /no column/);
});

const sign = () => String.fromCodePoint(0x20000 + (randomBytes(2).readUInt16BE() % 40_000));

test("rows that cannot be stored affect no others", async () => {
  const acme = await api.tenant();
  // This name may be too long for an index: 500 characters of 4 bytes each.
  const odd = Array.from({ length: 500 }, sign).join("");
  const done = await importFile(acme, "leads", `name,profession\nAnn,a\n${odd},b\nBo,c\n`);
  assert.equal((done["created"] as number) + (done["refused"] as number), 3);
  assert.ok((done["created"] as number) >= 2);
});

test("a sender that sends nothing for too long is cut off", async () => {
  const body = new Readable({ read() {} });
  body.push("name\n");
  const taken = (async () => {
    for await (const _ of pacedBody(body, { window_ms: 50 }));
  })();
  await assert.rejects(taken, /nothing arrived for too long/);
});
