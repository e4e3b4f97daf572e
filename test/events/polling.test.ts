/** X-Next-Start-Date: where the next poll of a time window starts, so that the client skips no record. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { SERVICE, type TenantId } from "../../src/audit/index.ts";
import { systemClock } from "../../src/platform/clock/clock.ts";
import { idSource } from "../../src/platform/ids/ids.ts";
import { store } from "../../src/records/store/index.ts";
import { withoutStamps } from "../../src/records/schemas/schemas.ts";
import { nextStart } from "../../src/records/list/window.ts";
import { fileApi } from "../kit/file-api.ts";
import { LISTS, ok, recordsIn } from "../api/samples.ts";
import { eventually } from "../kit/eventually.ts";
import { file, openSession } from "../kit/started.ts";
import { BUILT_IN_TYPES } from "../../src/records/types/index.ts";

const api = await fileApi();
const acme = await api.tenant();
const session = openSession(file, api.databaseUrl);

const HEADER = "x-next-start-date";
const CREATED = "/crm/leads/created";
const secondsOf = (text: string | null): number => Date.parse(text ?? "") / 1000;
const isNow = (text: string | null): boolean => Math.abs(secondsOf(text) - Date.now() / 1000) < 60;

test("every window returns it, no other list does", async () => {
  // Until changes are settled, the header contains the start of the time window. The server's other
  // databases can delay settling.
  await eventually(async () => isNow(ok(await acme.get(CREATED)).headers.get(HEADER)));
  for (const { listing } of LISTS) {
    const answer = ok(await acme.get(listing.path));
    const told = answer.headers.get(HEADER);
    assert.equal(told !== null, listing.windowHours !== undefined, listing.path);
    if (told === null) continue;
    assert.match(told, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    assert.ok(isNow(told), told);
  }
});

test("a record that commits after its timestamp is found by the next poll", async () => {
  const { body: sample } = ok(await acme.post("/crm/leads", { name: "Sample" }));
  const scope = { db: session as never, tenantId: acme.tenantId as TenantId, actor: SERVICE };
  const makeId = idSource(systemClock());
  const id = makeId();
  const body = { ...withoutStamps(sample), _id: id, id, name: "Late" };
  await session`begin`;
  const leads = { scope, deps: { makeId, participants: [] }, type: BUILT_IN_TYPES.lead };
  await store(leads, { kind: "created", records: [{ id, body, internal: {}, fields: {} }] });
  const [stamped] = await session`select created_ts::int as at from leads where id = ${id}`;
  // Wait until the next second has started and the service has checked again which changes are settled.
  await delay(2100);
  const before = ok(await acme.get(CREATED));
  const next = before.headers.get(HEADER);
  assert.ok(!recordsIn(before).some(({ _id }) => _id === id));
  assert.ok(secondsOf(next) <= Number(stamped?.["at"]), "no later than the late record's stamp");
  await session`commit`;
  const found = recordsIn(ok(await acme.get(CREATED, { start_date: next })));
  assert.ok(found.some(({ _id }) => _id === id));
  await eventually(async () => {
    const moved = ok(await acme.get(CREATED)).headers.get(HEADER);
    return secondsOf(moved) > Number(stamped?.["at"]);
  });
});

test("the pages of a window return the value of the first page, never later than the window's end", async () => {
  ok(await acme.post("/crm/leads", { name: "Another" }));
  const first = ok(await acme.get(CREATED, { page_size: 1 }));
  await delay(1100);
  const path = /<([^>]+)>/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
  const second = ok(await acme.get(path));
  assert.equal(second.headers.get(HEADER), first.headers.get(HEADER));
  const start_date = "2026-01-01T00:00:00Z";
  const end_date = "2026-01-31T12:00:00Z";
  const past = ok(await acme.get(CREATED, { start_date, end_date }));
  assert.equal(past.headers.get(HEADER), end_date);
});

test("a cursor with a forged start is not an error of the service", async () => {
  const first = ok(await acme.get(CREATED, { page_size: 1 }));
  const url = new URL(/<([^>]+)>/.exec(first.headers.get("link") ?? "")?.[1] ?? "", api.url);
  const parts = JSON.parse(
    Buffer.from(url.searchParams.get("cursor") ?? "", "base64url").toString(),
  ) as unknown[];
  for (const made of [9e15, -9e15, "x", null, 1.5, undefined]) {
    const cursor = Buffer.from(JSON.stringify([...parts.slice(0, 5), made])).toString("base64url");
    const answer = ok(await acme.get(CREATED, { page_size: 1, cursor }));
    assert.equal(answer.headers.get(HEADER), null);
  }
});

test("it is the settled moment, but no later than the window's end; the window's start if none is known", () => {
  assert.equal(nextStart({ from: 10, to: 100 }, 90), 90);
  assert.equal(nextStart({ from: 10, to: 100 }, 5), 5);
  assert.equal(nextStart({ from: 10, to: 100 }, 110), 100);
  assert.equal(nextStart({ from: 10, to: 100 }, 0), 10);
  assert.equal(nextStart({ from: 200, to: 100 }, 0), 100);
});
