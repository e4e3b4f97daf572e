/** Cursors of the change feed after the database was restored from a backup. */

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { lastChangeOf } from "../../src/events/last-change.ts";
import { deriveKey } from "../../src/platform/secrets/master-key.ts";
import { ok } from "../api/samples.ts";
import type { Client } from "../kit/api.ts";
import { eventually } from "../kit/eventually.ts";
import {
  openStream,
  readersOf,
  readPage,
  recordRestore,
  seqOf,
  type ServerEvent,
} from "./feed-kit.ts";
import { restoreWorld, type RestoreWorld } from "./restore-kit.ts";
import { type Owner } from "../kit/started.ts";

const RESTART = "/crm/changes?since=now";
const REVIEW = "/crm/admin/pushed_leads/stream";
const STREAMS = ["/crm/changes/stream", REVIEW];

const writeLeads = async (client: Client, count: number): Promise<void> => {
  for (let at = 0; at < count; at++) ok(await client.post("/crm/leads", { name: `Lead ${at}` }));
};

/** Returns how the feed and the streams respond to a cursor, for each way of sending it. */
async function responsesTo(client: Client, cursor: string, types?: string) {
  const headers = { "last-event-id": cursor };
  return Promise.all([
    client.get("/crm/changes", { since: cursor, types }),
    ...STREAMS.flatMap((path) => [
      client.get(path, { since: cursor }),
      client.request({ method: "GET", path, headers }),
    ]),
  ]);
}

async function isRefused(client: Client, cursor: string, types?: string): Promise<void> {
  for (const { status, body } of await responsesTo(client, cursor, types)) {
    assert.equal(status, 410);
    assert.equal(body.restart, RESTART);
    assert.match(body.detail, /does not belong to the current history/);
  }
  assert.deepEqual(ok(await client.get(RESTART)).body.changes, []);
}

async function isTaken(client: Client, cursor: string): Promise<void> {
  const statuses = (await responsesTo(client, cursor)).map(({ status }) => status);
  assert.deepEqual(new Set(statuses), new Set([200]));
}

/** Builds a cursor in the original format, which had no digest: position, time and signature. */
function firstForm({ keys }: RestoreWorld, { tenantId }: Client, cursor: string): string {
  const place = Buffer.from(cursor, "base64url").subarray(1, 13);
  const key = deriveKey(keys.all[0], "feed cursors", tenantId);
  const signature = createHmac("sha256", key).update(place).digest().subarray(0, 12);
  return Buffer.concat([place, signature]).toString("base64url");
}

/** Returns a tenant that was backed up after its first changes, and all kinds of cursors for later changes. */
async function lostCursors(t: Owner, world: RestoreWorld) {
  const first = await world.tenant();
  await writeLeads(first, 3);
  const { next: before } = await readersOf(world.sql()).readOn(first);
  await world.backUp();
  const acme = world.clientOf(first);
  await writeLeads(acme, 5);
  const { changes, next } = await readersOf(world.sql()).readOn(acme, before);
  assert.equal(changes.length, 5);
  const tasks = await readersOf(world.sql()).readOn(acme, before, { types: "task" });
  assert.deepEqual(tasks.changes, []);
  const now = await readersOf(world.sql()).nowOf(acme);
  const ids = await streamedIds(t, acme, before);
  return {
    first,
    before,
    lost: [...changes.map(({ cursor }) => cursor), next, tasks.next, now, ...ids],
  };
}

/** Returns the ids of the events from the change stream and the review stream. */
async function streamedIds(t: Owner, client: Client, before: string): Promise<readonly string[]> {
  const feed = await openStream(t, client, { query: `?since=${before}` });
  const review = await openStream(t, client, { path: REVIEW, query: "?since=now" });
  const events = await eventually(
    (): readonly ServerEvent[] => [...feed.events, ...review.events],
    (seen) => seen.length >= 7,
  );
  feed.cut();
  review.cut();
  // The first id is the cursor from before the backup, with which the stream started.
  return events.map(({ id }) => id).filter((id) => seqOf(id) > seqOf(before));
}

test("cursors of lost changes are rejected while the restored history is shorter", async (t) => {
  const world = await restoreWorld(t);
  const { first, before, lost } = await lostCursors(t, world);
  const latest = lost.reduce((one, other) => (seqOf(other) > seqOf(one) ? other : one));
  const original = world.clientOf(first);
  for (const cursor of lost) await isTaken(original, cursor);
  await isTaken(original, firstForm(world, first, latest));
  await world.restore();
  const acme = world.clientOf(first);
  for (const cursor of lost) await isRefused(acme, cursor);
  await isRefused(acme, firstForm(world, first, latest));
  await isTaken(acme, before);
});

test("cursors of lost changes are rejected when other changes have their positions", async (t) => {
  const world = await restoreWorld(t);
  const { first, before, lost } = await lostCursors(t, world);
  await world.restore();
  const acme = world.clientOf(first);
  // Write changes one at a time, until their positions are past those of all cursors.
  for (let written = 1; written <= 8; written++) {
    await writeLeads(acme, 1);
    const { changes } = await readersOf(world.sql()).readOn(acme, before);
    assert.equal(changes.length, written, "a cursor from before the backup misses nothing");
    for (const cursor of lost) await isRefused(acme, cursor);
  }
  await isRefused(acme, lost[0]!, "task");
});

test("a quiet tenant's cursor is rejected as soon as its next change is below it", async (t) => {
  const world = await restoreWorld(t);
  const quiet = await world.tenant();
  const busy = await world.tenant();
  await writeLeads(quiet, 1);
  await world.backUp();
  await writeLeads(world.clientOf(busy), 6);
  const cursor = await readersOf(world.sql()).nowOf(world.clientOf(quiet));
  await world.restore();
  await writeLeads(world.clientOf(quiet), 1);
  await isRefused(world.clientOf(quiet), cursor);
  await writeLeads(world.clientOf(busy), 10);
  await readersOf(world.sql()).nowOf(world.clientOf(busy));
  await isRefused(world.clientOf(quiet), cursor);
});

test("a cursor from before a tenant's first change is rejected if a change is below it", async (t) => {
  const world = await restoreWorld(t);
  const fresh = await world.tenant();
  const busy = await world.tenant();
  await world.backUp();
  await writeLeads(world.clientOf(busy), 4);
  const { next } = await readersOf(world.sql()).readOn(world.clientOf(fresh));
  await isTaken(world.clientOf(fresh), next);
  await world.restore();
  await writeLeads(world.clientOf(fresh), 1);
  await writeLeads(world.clientOf(busy), 6);
  await readersOf(world.sql()).nowOf(world.clientOf(busy));
  await isRefused(world.clientOf(fresh), next);
});

test("a cursor issued after restoring an older backup is rejected when a newer backup is restored", async (t) => {
  const world = await restoreWorld(t);
  const first = await world.tenant();
  await writeLeads(first, 1);
  const { next: before } = await readersOf(world.sql()).readOn(first);
  await writeLeads(first, 2);
  await world.backUp();
  const acme = world.clientOf(first);
  const { changes } = await readersOf(world.sql()).readOn(acme, before);
  const [missing, last] = changes.map(({ cursor }) => cursor);
  // The older backup was taken while the transaction of the first of the two changes was running.
  await world.sql().begin(async (tx) => {
    await tx`delete from changes where seq = ${seqOf(missing!)}`;
    await recordRestore(tx);
  });
  const { next } = await readersOf(world.sql()).readOn(acme, before);
  assert.equal(seqOf(next) >= seqOf(last!), true);
  await isTaken(acme, next);
  await world.restore();
  await recordRestore(world.sql());
  await isRefused(world.clientOf(first), next);
  await isTaken(world.clientOf(first), before);
});

for (const others of [0, 6]) {
  test(`a running stream ends when its history is replaced by one with ${others} other changes`, async (t) => {
    const world = await restoreWorld(t);
    const acme = await world.tenant();
    const shared = await readersOf(world.sql()).nowOf(acme);
    await writeLeads(acme, 4);
    const cursor = await readersOf(world.sql()).nowOf(acme);
    const stream = await openStream(t, acme, { query: `?since=${cursor}` });
    await eventually(
      () => stream.events.length,
      (count) => count > 0,
    );
    await world.sql().begin(async (tx) => {
      await tx`delete from changes where seq > ${seqOf(shared)}`;
      await tx`select setval('change_positions', ${seqOf(shared)})`;
      // Insert the other changes in the same transaction, so that the stream never reads the reset positions without
      // these changes.
      for (let at = 0; at < others; at++) {
        await tx`
          insert into changes (tenant_id, id, at, subject_type, subject_id, action, actor_kind,
                               actor_id, actor_name, fields)
          values (${acme.tenantId}, ${`other ${at}`}, clock_timestamp(), 'lead', 'x', 'updated',
                  'token', 'x', 'x', '{}')`;
      }
    });
    assert.equal(await stream.ended, true);
    await isRefused(acme, stream.events.at(-1)?.id ?? "");
  });
}

test("a cursor whose last change has been removed by age is valid", async (t) => {
  const world = await restoreWorld(t);
  const acme = await world.tenant();
  await writeLeads(acme, 1);
  const sql = world.sql();
  await sql`update changes set at = at - interval '31 days'`;
  const quiet = await readersOf(sql).nowOf(acme);
  await writeLeads(acme, 1);
  const { next } = await readersOf(sql).readOn(acme, quiet);
  await sql`delete from changes where at < now() - interval '30 days'`;
  assert.equal((await readersOf(sql).readOn(acme, quiet)).changes.length, 1);
  await isTaken(acme, next);
  await sql`delete from changes where subject_type = 'lead'`;
  await isRefused(acme, next);
});

test("digests without a restore keep their format", () => {
  const change = { seq: 7, record_id: "a", version: null, at: "2026-11-26T12:00:00.000Z" };
  assert.equal(lastChangeOf(change, []).digest.toString("hex"), "2a108ccfef8c02ac");
});

test("cursors of the first format are continued by those of the second", async (t) => {
  const world = await restoreWorld(t);
  const acme = await world.tenant();
  const start = await readersOf(world.sql()).nowOf(acme);
  await writeLeads(acme, 2);
  const old = firstForm(world, acme, start);
  const { changes, next } = await readersOf(world.sql()).readOn(acme, old);
  assert.equal(changes.length, 2);
  assert.equal(old.length, 32);
  assert.equal(next.length, 52);
  for (const cursor of [`${old}A`, next.slice(0, 51), `${next}AAAA`, `B${next.slice(1)}`]) {
    assert.equal((await acme.get("/crm/changes", { since: cursor })).status, 422);
  }
  assert.deepEqual((await readPage(acme, { since: next })).changes, []);
});
