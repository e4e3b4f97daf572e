/** Reading the change feed with the client: each change at least once and in order, whatever fails. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createClient,
  CursorExpired,
  LeadportError,
  type FeedChange,
} from "../../sdk/src/index.ts";
import { readersOf } from "../events/feed-kit.ts";
import { all, api, sdkWorld, type SdkWorld } from "./sdk-kit.ts";
import { eventually } from "../kit/eventually.ts";

/** Waits until the feed has returned everything written so far. Open transactions can delay this. */
const { nowOf: settled } = readersOf(api.sql);

const told = ({ type, action, version }: FeedChange): string => `${type} ${action} ${version}`;

/** Creates leads, one after another, and waits until the feed has returned them. */
async function createLeads({ plain }: SdkWorld, from: number, to: number): Promise<void> {
  for (let i = from; i < to; i += 1) await plain.post("/crm/leads", { name: `Lead ${i}` });
  await settled(plain);
}

const nameIn = ({ changed_fields }: FeedChange): unknown => changed_fields["name"]?.new;

const names = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, i) => `Lead ${from + i}`);

test("every change arrives in order, with what changed", async (t) => {
  const { leadport, plain } = await sdkWorld(t);
  const lead = await leadport.post("/crm/leads", { body: { name: "Mara Lind" } });
  await leadport.edit("lead", lead._id, () => ({ title: "Captain" }));
  const task = await leadport.post("/crm/tasks", { body: { name: "Call back" } });
  await leadport.delete("/crm/tasks/{task_id}", { path: { task_id: task._id } });
  await settled(plain);
  const changes = await all(leadport.changes({ follow: false }));
  assert.deepEqual(changes.map(told), [
    "lead created 1",
    "lead updated 2",
    "task created 1",
    "task deleted 2",
  ]);
  assert.deepEqual(changes[1]?.changed_fields["title"], { old: null, new: "Captain" });
  const ofTasks = await all(leadport.changes({ types: ["task"], limit: 1, follow: false }));
  assert.deepEqual(ofTasks.map(told), ["task created 1", "task deleted 2"]);
  assert.deepEqual(await all(leadport.changes({ since: "now", follow: false })), []);
});

test("a loop that is left continues after what it accepted, and repeats what it did not finish", async (t) => {
  const world = await sdkWorld(t);
  await createLeads(world, 0, 5);
  let since: string | undefined;
  const save = (cursor: string) => (since = cursor);
  const read = async (limit: number, fails: string): Promise<unknown[]> => {
    const taken: unknown[] = [];
    try {
      for await (const change of world.leadport.changes({ since, save, limit, follow: false })) {
        if (nameIn(change) === fails) throw new Error("busy");
        taken.push(nameIn(change));
      }
    } catch (error) {
      assert.equal((error as Error).message, "busy");
    }
    return taken;
  };
  assert.deepEqual(await read(10, "Lead 2"), names(0, 2));
  assert.deepEqual(await read(2, "Lead 4"), names(2, 4));
  assert.deepEqual(await read(10, ""), names(4, 5));
  assert.deepEqual(await read(10, ""), []);
});

test("following waits for new changes, through broken connections", async (t) => {
  const world = await sdkWorld(t);
  await createLeads(world, 0, 2);
  const taken: unknown[] = [];
  for await (const change of world.leadport.changes({ every_ms: 10 })) {
    taken.push(nameIn(change));
    if (taken.length === 2) {
      world.proxy.next({ kind: "lose-answer" }, { kind: "refuse" }, { kind: "cut", bytes: 30 });
      await createLeads(world, 2, 4);
    }
    if (taken.length === 4) break;
  }
  assert.deepEqual(taken, names(0, 4));
});

test("an expired cursor is reported, with what to do", async (t) => {
  const { leadport, proxy } = await sdkWorld(t);
  const body = JSON.stringify({ detail: "too old", restart: "/crm/changes?since=now" });
  const answer = { kind: "answer", status: 410, body } as const;
  for (const read of [leadport.changes, leadport.changeStream]) {
    proxy.next(answer);
    await assert.rejects(all(read({ since: "x" })), (error) => {
      assert.ok(error instanceof CursorExpired && error instanceof LeadportError);
      assert.equal(error.detail, "too old");
      return true;
    });
    assert.equal(proxy.seen.length, 1);
  }
  proxy.next({ kind: "answer", status: 410, body: JSON.stringify({ detail: "too old" }) });
  const erasure = leadport.persons.erase({ report_id: "x", record_ids: [] });
  await assert.rejects(erasure, { name: "LeadportError", status: 410 });
  const foreign = { status: 422 };
  await assert.rejects(all(leadport.changes({ since: "x" })), foreign);
});

test("the stream continues after it broke off, and its cursor can be stored", async (t) => {
  const world = await sdkWorld(t);
  const { leadport, proxy } = world;
  await createLeads(world, 0, 2);
  const taken: unknown[] = [];
  let saved: string | undefined;
  const stream = leadport.changeStream({ save: (cursor) => (saved = cursor), types: ["lead"] });
  for await (const change of stream) {
    if (taken.at(-1) !== nameIn(change)) taken.push(nameIn(change));
    if (taken.length === 2) {
      await createLeads(world, 2, 4);
      proxy.next({ kind: "refuse" }, { kind: "cut", bytes: 300 });
      proxy.cutAll();
    }
    if (taken.length === 4) break;
  }
  assert.deepEqual(taken, names(0, 4));
  const rest = await all(leadport.changes({ since: saved, follow: false }));
  assert.deepEqual(rest.map(nameIn), ["Lead 3"], "it was left before Lead 3 was taken");
});

test("the cursor of now is stored before the first change", async (t) => {
  const world = await sdkWorld(t);
  const { leadport } = world;
  for (const read of [leadport.changes, leadport.changeStream]) {
    const stop = new AbortController();
    let saved = "";
    const isSaved = new Promise<void>((resolve) => {
      const save = (cursor: string) => {
        saved = cursor;
        resolve();
      };
      const loop = read({ since: "now", signal: stop.signal, save });
      void assert.rejects(loop.next(), /enough/);
    });
    await isSaved;
    stop.abort(new Error("enough"));
    await createLeads(world, 0, 1);
    const missed = await all(leadport.changes({ since: saved, follow: false }));
    assert.deepEqual(missed.map(nameIn), ["Lead 0"]);
  }
});

test("changes from now on at which a loop was left are returned again", async (t) => {
  const world = await sdkWorld(t);
  let since = "now";
  const save = (cursor: string) => (since = cursor);
  const read = () => world.leadport.changes({ since, save, every_ms: 10 });
  const first = read().next();
  await eventually(() => world.proxy.seen.length >= 2);
  await createLeads(world, 0, 1);
  assert.equal(nameIn((await first).value as FeedChange), "Lead 0");
  assert.equal(nameIn((await read().next()).value as FeedChange), "Lead 0");
});

test("a stream from now misses nothing, and ends with its token or its signal", async (t) => {
  const world = await sdkWorld(t);
  const { leadport, proxy, plain } = world;
  await createLeads(world, 0, 1);
  const stop = new AbortController();
  const stream = leadport.changeStream({ since: "now", signal: stop.signal, idle_ms: 300 });
  proxy.next(undefined, { kind: "hang" });
  const first = stream.next();
  await eventually(() => proxy.seen.length >= 3);
  await createLeads(world, 1, 2);
  assert.equal(nameIn((await first).value as FeedChange), "Lead 1");
  const second = stream.next();
  stop.abort(new Error("enough"));
  await assert.rejects(second, /enough/);

  const revoked = await plain.post("/crm/admin/access_tokens", {
    name: "reader",
    permissions: ["records:read"],
  });
  const reader = createClient({ url: proxy.url, token: revoked.body.token as string });
  const reading = reader.changeStream({ since: "now" });
  // The stream may end before the response to the deletion arrives.
  const ended = assert.rejects(reading.next(), { status: 401 });
  await plain.delete(`/crm/admin/access_tokens/${revoked.body.id}`);
  await ended;
});
