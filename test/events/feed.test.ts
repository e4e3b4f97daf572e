/** GET /crm/changes: which changes are returned, to which caller, and from which position. */

import assert from "node:assert/strict";
import sql from "sql-template-tag";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SERVICE, type TenantId } from "../../src/audit/index.ts";
import { readRange } from "../../src/events/past-changes.ts";
import { systemClock } from "../../src/platform/clock/clock.ts";
import { firstIdAt, idSource } from "../../src/platform/ids/ids.ts";
import { createRenaming } from "../../src/records/write/index.ts";
import { fileApi } from "../kit/file-api.ts";
import { startOwnApp } from "../api/own-app.ts";
import { fullBody, makeReferable, ok } from "../api/samples.ts";
import { partnerOf } from "../exchange/partner-kit.ts";
import { importFile } from "../files/imports/sending.ts";
import { Client } from "../kit/api.ts";
import { brief, readersOf, readPage, recordRestore } from "./feed-kit.ts";
import { eventually } from "../kit/eventually.ts";
import { atEnd, file } from "../kit/started.ts";
import type { MasterKey } from "../../src/platform/secrets/index.ts";
import { BUILT_IN_TYPES } from "../../src/records/types/index.ts";

const keys: MasterKey = { all: [randomBytes(32)] };
const api = await fileApi({ keys });
const acme = await api.tenant();
const { nowOf, readOn } = readersOf(api.sql);
const refs = await makeReferable(acme);
const makeId = idSource(systemClock());
const at = (url: string, { bearer, tenantId, personId }: Client): Client =>
  new Client(url, bearer, tenantId, personId, () => Promise.reject(new Error("not here")));

/** Runs `act` and returns the resulting changes from the feed. */
async function toldOf(act: () => Promise<unknown>, query: object = {}, client = acme) {
  const since = await nowOf(acme);
  await act();
  return (await readOn(client, since, query)).changes;
}

for (const type of Object.values(BUILT_IN_TYPES)) {
  test(`a ${type.name} that is created and changed is returned with its fields`, async () => {
    const record: { _id?: string } = {};
    const changes = await toldOf(async () => {
      Object.assign(record, ok(await acme.post(type.writePath, fullBody(type, 5, refs))).body);
      ok(await acme.patch(`${type.writePath}/${record._id}`, { external_id: `x ${type.name}` }));
    });
    assert.deepEqual(changes.map(brief), [`${type.name} created 1`, `${type.name} updated 2`]);
    for (const { id } of changes) assert.equal(id, record._id);
    const [created, updated] = changes;
    assert.deepEqual(created?.changed_fields["_id"] ?? { old: null, new: record._id }, {
      old: null,
      new: record._id,
    });
    assert.deepEqual(updated?.changed_fields["external_id"]?.new, `x ${type.name}`);
    assert.ok(!JSON.stringify(changes).includes("123-45-6"), "secrets are masked");
  });
}

test("deletions, conversions, renames and imports are returned, a reveal is not", async () => {
  const changes = await toldOf(async () => {
    const { _id: task } = ok(await acme.post("/crm/tasks", { name: "Gone" })).body;
    ok(await acme.delete(`/crm/tasks/${task}`));
    const { _id: lead } = ok(
      await acme.post("/crm/leads", { name: "Won Over", ssn: "123-45-6789" }),
    ).body;
    ok(await acme.get(`/crm/leads/${lead}`, { reveal: "ssn" }));
    ok(await acme.post(`/crm/leads/${lead}/convert`));
    const { _id: account } = ok(await acme.post("/crm/accounts", { name: "Old" })).body;
    ok(await acme.post("/crm/orders", { account_id: account }));
    ok(await acme.patch(`/crm/accounts/${account}`, { name: "New" }));
    const renameNext = createRenaming(api.sql, { makeId, participants: [] });
    while (await renameNext());
    await importFile(acme, "lead", "name\nFrom A File\n");
  });
  assert.deepEqual(
    changes.map((change) => `${brief(change)} ${change.reason ?? ""}`.trim()),
    [
      "task created 1",
      "task deleted 2",
      "lead created 1",
      "contact created 1",
      "lead updated 2 converted",
      "account created 1",
      "order created 1",
      "account updated 2",
      "order updated 2",
      "lead created 1",
    ],
  );
  assert.deepEqual(changes[1]?.changed_fields["name"], { old: "Gone", new: null });
  assert.deepEqual(changes[8]?.changed_fields, { account_name: { old: "Old", new: "New" } });
});

test("pushed leads are returned only to callers that may review them", async () => {
  const partner = await partnerOf(acme, { allowed_marketing_sources: ["Google"] });
  const reader = await acme.token(["records:read"]);
  const act = async () => {
    const person = { name: "Pushed", email: `p${Math.random()}@example.com` };
    const { id } = ok(await partner.post("/crm/partner/push", person)).body;
    ok(await acme.post(`/crm/admin/pushed_leads/${id}/accept`));
  };
  const seen = await toldOf(act);
  assert.deepEqual(
    seen.map(({ type, action, reason }) => [type, action, reason]),
    [
      ["pushed_lead", "created", "pushed"],
      ["pushed_lead", "updated", "accepted"],
    ],
  );
  assert.deepEqual(await toldOf(act, {}, reader), []);
  const refused = await reader.get("/crm/changes", { types: "lead,pushed_lead" });
  assert.equal(refused.status, 403);
  assert.match(refused.body.detail, /exchange:review/);
  assert.equal((await reader.get("/crm/changes/stream", { types: "pushed_lead" })).status, 403);
});

test("types select what is returned, and the cursor passes the others", async () => {
  const since = await nowOf(acme);
  ok(await acme.post("/crm/leads", { name: "A" }));
  ok(await acme.post("/crm/tasks", { name: "B" }));
  ok(await acme.post("/crm/leads", { name: "C" }));
  const named = async (types: string, from = since) => readOn(acme, from, { types });
  assert.deepEqual((await named("task")).changes.map(brief), ["task created 1"]);
  assert.deepEqual((await named("task, lead,lead")).changes.length, 3);
  const { changes, next } = await named("deal");
  assert.deepEqual(changes, []);
  assert.deepEqual((await readOn(acme, next)).changes, []);
});

test("reading in small pages returns the same as in one page, and each change is a place to continue from", async () => {
  const whole = await readOn(acme, undefined, { limit: 1000 });
  assert.ok(whole.changes.length > 20);
  assert.deepEqual((await readOn(acme, undefined, { limit: 7 })).changes, whole.changes);
  const middle = whole.changes[9]!;
  assert.deepEqual((await readOn(acme, middle.cursor)).changes, whole.changes.slice(10));
});

test("`now` returns nothing, and continues from this moment", async () => {
  const page = await readPage(acme, { since: "now" });
  assert.deepEqual([page.changes, page.has_more], [[], false]);
  ok(await acme.post("/crm/leads", { name: "Later" }));
  assert.deepEqual((await readOn(acme, page.next)).changes.map(brief), ["lead created 1"]);
});

test("another tenant's changes are never returned, and its cursor is invalid", async () => {
  const rival = await api.tenant();
  assert.deepEqual((await readOn(rival)).changes, []);
  const foreign = await nowOf(rival);
  const cursor = await nowOf(acme);
  const other = cursor.startsWith("A") ? `B${cursor.slice(1)}` : `A${cursor.slice(1)}`;
  for (const since of [foreign, other, `${cursor}A`, cursor.slice(1), "NOW", "é"]) {
    const answer = await acme.get("/crm/changes", { since });
    assert.equal(answer.status, 422, since);
    assert.deepEqual(answer.body.detail[0].loc, ["query", "since"]);
  }
});

test("all errors are returned together", async () => {
  const { status, body } = await acme.get("/crm/changes", { since: "x", types: "lead,leads" });
  assert.equal(status, 422);
  const locs = body.detail.map(({ loc }: { loc: string[] }) => loc.join("."));
  assert.deepEqual(locs, ["query.types", "query.since"]);
  for (const limit of [0, 1001]) {
    assert.equal((await acme.get("/crm/changes", { limit })).status, 422);
  }
});

const DAY_ms = 86_400_000;
/** Returns a client of a second app on the same database, whose clock is `days` days ahead. */
async function later(days: number): Promise<Client> {
  const clock = { now_ms: () => Date.now() + days * DAY_ms };
  const app = await startOwnApp(file, { url: api.databaseUrl, keys, clock });
  return at(app.url, acme);
}

test("after 30 days a cursor returns 410 with how to start again, and old changes are not returned", async () => {
  const { changes, next } = await readOn(acme);
  const soon = await later(29.9);
  const late = await later(30.1);
  assert.deepEqual((await readOn(soon, changes[0]?.cursor)).changes, changes.slice(1));
  assert.deepEqual((await readOn(soon)).changes, changes);
  assert.deepEqual((await readOn(late)).changes, []);
  for (const path of ["/crm/changes", "/crm/changes/stream"]) {
    const { status, body } = await late.get(path, { since: next });
    assert.equal(status, 410);
    assert.equal(body.restart, "/crm/changes?since=now");
    assert.match(body.detail, /30 days/);
    assert.deepEqual((await late.get(body.restart)).body.changes, []);
  }
});

test("a reader without a cursor can read on from each page, for at least two hours", async () => {
  const client = await api.tenant();
  const day_s = DAY_ms / 1000;
  /** Logs changes of this age, as they were stored back then. */
  const log = async (age_s: number, count: number) => {
    const at_s = Math.floor(Date.now() / 1000) - age_s;
    await api.sql`
      insert into changes (tenant_id, id, at, subject_type, subject_id, action, version,
                           actor_kind, actor_id, actor_name, fields)
      select ${client.tenantId}, ${firstIdAt(at_s).slice(0, 8)} || lpad(n::text, 16, '0'),
             to_timestamp(${at_s}), 'lead', ${`${age_s} `} || n, 'updated', n, 'token', 'x', 'x', '{}'
        from generate_series(1, ${count}::integer) n`;
  };
  await log(30 * day_s + 1800, 30);
  await log(30 * day_s - 5400, 30);
  // An old change can have a newer position, for example if the clock was wrong.
  await log(31 * day_s, 30);
  await log(29 * day_s, 30);
  const soon = at((await later(1.75 / 24)).url, client);
  const known: string[] = [];
  for (let since: string | undefined = undefined, has_more: boolean = true; has_more;) {
    // The first page is read without a cursor, and each further page 1.75 hours later.
    const page = await readPage(since === undefined ? client : soon, { since, limit: 7 });
    known.push(...page.changes.map(({ id }) => id));
    since = page.next;
    has_more = page.has_more;
  }
  const ages = [30 * day_s - 5400, 31 * day_s, 29 * day_s];
  const logged = ages.flatMap((age_s) => Array.from({ length: 30 }, (_, n) => `${age_s} ${n + 1}`));
  assert.deepEqual(known, logged);
});

test("a cursor is valid as long as the database contains the restore it was issued after", async (t) => {
  const client = await api.tenant();
  const start = await nowOf(client);
  ok(await client.post("/crm/leads", { name: "Grace Hopper" }));
  const before = (await readOn(client, start)).next;
  const statusOf = async (since: string) => (await client.get("/crm/changes", { since })).status;

  await recordRestore(api.sql);
  atEnd(t, () => api.sql`delete from restores`);
  const { changes, next } = await readOn(client, start);
  const issued = [next, changes[0]!.cursor];
  ok(await acme.post("/crm/leads", { name: "Ada Lovelace" }));
  const polled = (await readOn(client, before)).next;
  await recordRestore(api.sql);
  for (const cursor of [before, polled, ...issued]) assert.equal(await statusOf(cursor), 200);

  // Simulate restoring a backup from before the first restore.
  await api.sql`delete from restores where id = (select min(id) from restores)`;
  for (const cursor of issued) assert.equal(await statusOf(cursor), 410);
  for (const cursor of [before, polled]) assert.equal(await statusOf(cursor), 200);
});

test("a cursor stays valid after the master key under which it was signed is replaced", async (t) => {
  const cursor = await nowOf(acme);
  const app = await startOwnApp(t, {
    url: api.databaseUrl,
    keys: { all: [randomBytes(32), ...keys.all] },
  });
  const renewed = (await readPage(at(app.url, acme), { since: cursor })).next;
  assert.notEqual(renewed, cursor);
  assert.equal((await acme.get("/crm/changes", { since: renewed })).status, 422);
});

test("a reader without changes for long is not late: each response renews its cursor", async () => {
  const quiet = await api.tenant();
  const cursor = await nowOf(quiet);
  await eventually(async () => (await readPage(quiet, { since: cursor })).next !== cursor);
});

test("the recipe of docs/changes.md handles each change once, in order", async () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/changes.md"), "utf8");
  const code = /```js\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
  const { readChanges } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    readChanges: (url: string, token: string, cursor: string, tell: unknown) => Promise<string>;
  };
  const since = await nowOf(acme);
  const made = [
    await acme.post("/crm/leads", { name: "1" }),
    await acme.post("/crm/leads", { name: "2" }),
  ];
  await readOn(acme, since);
  const told: { id: string }[] = [];
  const tell = (change: { id: string }) => void told.push(change);
  const next = await readChanges(acme.url, acme.bearer, since, tell);
  assert.deepEqual(
    told.map(({ id }) => id),
    made.map(({ body }) => body._id),
  );
  await readChanges(acme.url, acme.bearer, next, tell);
  assert.equal(told.length, 2);
  await assert.rejects(readChanges(acme.url, acme.bearer, "x", tell), /^Error: 422/);
});

test("changes of a megabyte come a few at a time, in the feed and in replays", async () => {
  const product_dict_list = Array.from({ length: 900 }, () => ({ product_id: "x".repeat(990) }));
  const since = await nowOf(acme);
  for (let at = 0; at < 4; at++) {
    const deal = { name: `Big ${at}`, account_id: refs["account"], product_dict_list };
    ok(await acme.post("/crm/opportunities", deal));
  }
  assert.equal((await readOn(acme, since)).changes.length, 4);
  const { changes, next, has_more } = await readPage(acme, { since });
  assert.deepEqual([changes.length, has_more], [2, true]);
  assert.equal((await readOn(acme, next)).changes.length, 2);
  const scope = { db: api.sql, tenantId: acme.tenantId as TenantId, actor: SERVICE };
  const records = sql`select id from deals where body->>'name' like 'Big %'`;
  const range = { types: ["deal"], start_ts: 0, end_ts: 4e9, records };
  const sizes: number[] = [];
  for (let after_id = "", isLast = false; !isLast;) {
    const { entries, isEnd } = await readRange(scope, range, { after_id, limit: 200 });
    sizes.push(entries.length);
    after_id = entries.at(-1)?.id ?? "";
    isLast = isEnd;
  }
  assert.deepEqual(sizes, [2, 2]);
});
