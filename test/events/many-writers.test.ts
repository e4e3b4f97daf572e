/**
 * Many writers run in two processes, with transactions of all lengths. Readers use pages, streams
 * that are cut, and time windows. Nothing is skipped, duplicated or out of order.
 */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { eventually } from "../kit/eventually.ts";
import { SERVICE, type TenantId } from "../../src/audit/index.ts";
import { systemClock } from "../../src/platform/clock/clock.ts";
import { idSource } from "../../src/platform/ids/ids.ts";
import { findStored, store } from "../../src/records/store/index.ts";
import { withoutStamps } from "../../src/records/schemas/schemas.ts";
import { fileApi } from "../kit/file-api.ts";
import { startOwnApp } from "../api/own-app.ts";
import { ok, recordsIn, whenFree } from "../api/samples.ts";
import { Client } from "../kit/api.ts";
import { changesIn, openStream, readersOf, readPage, type Change } from "./feed-kit.ts";
import { file, openSession } from "../kit/started.ts";
import type { TestSql } from "../kit/sql.ts";
import type { MasterKey } from "../../src/platform/secrets/index.ts";
import { BUILT_IN_TYPES } from "../../src/records/types/index.ts";

const WRITERS = 12;
const TRANSACTIONS = 4;
const LASTING_ms = 2500;

const keys: MasterKey = { all: [randomBytes(32)] };
// On a fast machine, the writers send more requests per minute than the default limit.
const rateLimit = 0;
const api = await fileApi({ keys, rateLimit });
const acme = await api.tenant();
const rival = await api.tenant();
const { nowOf } = readersOf(api.sql);
const twin = await startOwnApp(file, { url: api.databaseUrl, keys, connections: 4, rateLimit });
const atTwin = new Client(twin.url, acme.bearer, acme.tenantId, acme.personId, () =>
  Promise.reject(new Error("not here")),
);
const clients = [acme, atTwin];
const anyOf = <T>(of: readonly T[]): T => of[Math.floor(Math.random() * of.length)] as T;
const makeId = idSource(systemClock());

/** Creates an account, and returns a function that creates deals for it. */
const dealOf = async (client: Client) => {
  const { _id } = ok(await client.post("/crm/accounts", { name: "Account" })).body;
  return (name: string, by = client) =>
    by.post("/crm/opportunities", { name, account_id: _id as string });
};
const acmeDeal = await dealOf(acme);
const rivalDeal = await dealOf(rival);
const shared: string[] = [];
for (let at = 0; at < 20; at++) {
  shared.push(ok(await acmeDeal(`Shared ${at}`)).body._id);
}
let isOver = false;
/** Everything that was written, in order. Empty until it is known. */
let expected: readonly string[] = [];
const isToldBy = (told: readonly unknown[]): boolean =>
  expected.length > 0 && told.length >= expected.length;

/** Creates deals and changes shared deals through both processes. */
async function write(): Promise<void> {
  for (let at = 0; !isOver; at++) {
    const client = anyOf(clients);
    if (at % 3 === 0) ok(await whenFree(() => acmeDeal(`New ${at}`, client)));
    else {
      const change = { value_of_sale: Math.round(Math.random() * 1e6) };
      const path = `/crm/opportunities/${anyOf(shared)}`;
      ok(await whenFree(() => client.patch(path, change)));
    }
    if (at % 7 === 0) ok(await whenFree(() => rivalDeal("Not Acme's")));
  }
}

/** Changes several records in each slow transaction, and rolls back every fourth transaction. */
async function transact(session: TestSql): Promise<void> {
  const tenantId = acme.tenantId as TenantId;
  for (let at = 0; !isOver; at++) {
    const rollback = at % 4 === 3;
    await session
      .begin(async (tx) => {
        const scope = { db: tx as never, tenantId, actor: SERVICE };
        for (const id of [...new Set([anyOf(shared), anyOf(shared)])].toSorted()) {
          const stored = await findStored(scope, BUILT_IN_TYPES.deal, id, { lock: true });
          assert.ok(stored !== undefined);
          const body = {
            ...withoutStamps(stored.body),
            business_need_description: String(Math.random()),
          };
          const next = { id, body, internal: stored.internal, fields: {} };
          const deals = { scope, deps: { makeId, participants: [] }, type: BUILT_IN_TYPES.deal };
          const records = [{ stored, next }];
          await store(deals, { kind: "updated", records, action: "updated" });
          await delay(Math.random() * 40);
        }
        if (rollback) throw new Error("taken back");
      })
      .catch((error: Error) => assert.equal(error.message, "taken back"));
  }
}

/** Reads pages from both processes in turn, until everything that was written has been returned. */
async function readPages(since: string): Promise<Change[]> {
  const told: Change[] = [];
  for (let next = since; !isToldBy(told);) {
    const page = await readPage(anyOf(clients), { since: next, limit: 50 });
    told.push(...page.changes);
    next = page.next;
    if (isOver) await delay(20);
  }
  return told;
}

/** Reads streams that are cut repeatedly, each one starting where the previous one ended. */
async function readStreams(since: string): Promise<Change[]> {
  const told: Change[] = [];
  let last = since;
  while (!isToldBy(told)) {
    const stream = await openStream(file, anyOf(clients), { last });
    await Promise.race([delay(100 + Math.random() * 400), stream.ended]);
    stream.cut();
    await stream.ended;
    told.push(...changesIn(stream));
    last = stream.events.at(-1)?.id ?? last;
  }
  return told;
}

/**
 * Polls the time window of updated records, each time from the start date that the previous
 * response returned. Returns ids with versions.
 */
async function poll(): Promise<{ seen: Set<string>; starts: string[] }> {
  const seen = new Set<string>();
  const starts: string[] = [];
  let isLast = false;
  let start_date: string | undefined;
  for (;;) {
    const answer = ok(await anyOf(clients).get("/crm/deals/updated", { start_date }));
    for (const { _id, version } of recordsIn(answer)) seen.add(`${String(_id)} ${String(version)}`);
    start_date = answer.headers.get("x-next-start-date") ?? "";
    starts.push(start_date);
    if (isLast) return { seen, starts };
    isLast = expected.length > 0;
    await delay(50);
  }
}

const brief = (told: readonly Change[]) => told.map(({ id, version }) => `${id} ${version}`);

test("nothing is missed, returned twice or out of order", async () => {
  const since = await nowOf(acme);
  const sessions = openSession(file, api.databaseUrl, { max: TRANSACTIONS });
  const stored = async () => {
    const rows = await api.sql`
      select subject_id as id, version from changes
       where tenant_id = ${acme.tenantId} and subject_type = 'deal' and seq is not null order by seq`;
    return rows.map(({ id, version }) => `${id} ${version}`).slice(shared.length);
  };
  const reading = [readPages(since), readStreams(since)];
  const polling = poll();
  const writing = [
    ...Array.from({ length: WRITERS }, write),
    ...Array.from({ length: TRANSACTIONS }, () => transact(sessions)),
  ];
  await Promise.all([delay(LASTING_ms), eventually(stored, ({ length }) => length > 100, 60_000)]);
  isOver = true;
  await Promise.all(writing);
  expected = await stored();
  for (const told of await Promise.all(reading)) assert.deepEqual(brief(told), expected);
  const versions = new Map<string, number>();
  for (const change of expected) {
    const [id = "", version] = change.split(" ");
    assert.equal(Number(version), (versions.get(id) ?? (shared.includes(id) ? 1 : 0)) + 1);
    versions.set(id, Number(version));
  }
  const { seen, starts } = await polling;
  for (const [id, version] of versions) assert.ok(seen.has(`${id} ${version}`), `${id} ${version}`);
  assert.ok(new Set(starts).size > 1, "the beginning of the next poll moves on");
});
