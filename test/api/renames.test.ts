/** After a rename, other records show the new name. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { startWorker } from "../../src/service/worker.ts";
import { createOutgoing } from "../../src/platform/outgoing/outgoing.ts";
import { systemClock } from "../../src/platform/clock/clock.ts";
import { idSource } from "../../src/platform/clock/ids.ts";
import { followOneRename } from "../../src/records/index.ts";
import { fileApi } from "../kit/file-api.ts";
import { startOwnApp } from "./own-app.ts";
import { makeReferable, ok, type Body } from "./samples.ts";
import { eventually } from "../kit/eventually.ts";
import { atEnd } from "../kit/started.ts";

const api = await fileApi();
const acme = await api.tenant();
const makeId = idSource(systemClock());

const followAll = async (): Promise<void> => {
  while (await followOneRename(api.sql, makeId));
};

const TYPES = [
  ["/crm/opportunities", { name: "Deal" }],
  ["/crm/invoices", { total_amount: 1, invoice_line_list: [] }],
  ["/crm/orders", {}],
] as const;
const LONG_AGO = {
  created_ts: 1_600_000_000,
  updated_ts: 1_600_000_000,
  status_update_date: 1_600_000_000,
};

test("records that show a renamed account or contact follow: their version changes, their timestamps do not", async () => {
  const { account, contact } = await makeReferable(acme);
  const made: [path: string, body: Body][] = [];
  for (const [path, fields] of TYPES) {
    const number = path === "/crm/invoices" ? { invoice_num: "renamed" } : {};
    const sent = { ...fields, ...number, account_id: account, contact_id: contact };
    const { _id } = ok(await acme.post(path, sent)).body;
    await api.restamp(
      path === "/crm/opportunities" ? "deals" : (path.split("/")[2] ?? ""),
      _id,
      LONG_AGO,
    );
    made.push([path, ok(await acme.get(`${path}/${_id}`)).body]);
  }
  ok(await acme.patch(`/crm/accounts/${account}`, { name: "New Ltd" }));
  ok(await acme.patch(`/crm/contacts/${contact}`, { name: "Newly Named" }));
  await followAll();
  for (const [path, before] of made) {
    const after = ok(await acme.get(`${path}/${String(before["_id"])}`)).body;
    assert.deepEqual(after, {
      ...before,
      account_name: "New Ltd",
      contact_name: "Newly Named",
      version: 3,
    });
    const [entry] = ok(await acme.get(`${path}/${String(before["_id"])}/history`)).body;
    assert.equal(entry.actor.kind, "service");
    assert.deepEqual(Object.keys(entry.fields).length, 1);
  }
});

test("more records than one chunk follow, and then the queue is empty", async () => {
  const { account } = await makeReferable(acme);
  await Promise.all(
    Array.from({ length: 410 }, () => acme.post("/crm/orders", { account_id: account })),
  );
  ok(await acme.patch(`/crm/accounts/${account}`, { name: "Chunky Ltd" }));
  await followAll();
  const [{ stale } = {}] = await api.sql`
    select count(*)::int as stale from orders
     where account_id = ${account ?? ""} and body->>'account_name' <> 'Chunky Ltd'`;
  assert.equal(stale, 0);
  assert.equal((await api.sql`select from renames`).length, 0);
});

test("a rename that fails is not queued", async () => {
  ok(await acme.post("/crm/accounts", { name: "Holder", external_id: "held" }));
  const { account } = await makeReferable(acme);
  const refused = await acme.patch(`/crm/accounts/${account}`, {
    name: "Other",
    external_id: "held",
  });
  assert.equal(refused.status, 409);
  assert.equal((await api.sql`select from renames`).length, 0);
});

test("no name is stale in records that are created while their account is renamed", async () => {
  const { account } = await makeReferable(acme);
  const makeDeals = async (): Promise<void> => {
    for (let at = 0; at < 15; at++) {
      const { _id } = ok(
        await acme.post("/crm/opportunities", { name: "D", account_id: account }),
      ).body;
      ok(await acme.patch(`/crm/opportunities/${_id}`, { value_of_sale: at }));
    }
  };
  const rename = async (): Promise<void> => {
    for (let at = 0; at < 15; at++)
      ok(await acme.patch(`/crm/accounts/${account}`, { name: `Name ${at}` }));
  };
  const follow = async (): Promise<void> => {
    for (let at = 0; at < 15; at++) await followOneRename(api.sql, makeId);
  };
  await Promise.all([makeDeals(), makeDeals(), rename(), follow()]);
  await followAll();
  const names = await api.sql`
    select distinct body->>'account_name' as name from deals where account_id = ${account ?? ""}`;
  assert.deepEqual(
    names.map(({ name }) => name as string),
    ["Name 14"],
  );
});

test("the background worker applies renames automatically, and stops", async (t) => {
  const { app: _, ...service } = await startOwnApp(t, { url: api.databaseUrl });
  const log = { warn: () => undefined } as never;
  const worker = await startWorker({
    db: service.db,
    clock: systemClock(),
    log,
    config: { deliveryRetention_days: 30 },
    keys: { all: [randomBytes(32)] },
    outgoing: createOutgoing({ allow: [] }),
  });
  atEnd(t, () => worker.stop());
  const { account } = await makeReferable(acme);
  const { _id } = ok(await acme.post("/crm/orders", { account_id: account })).body;
  ok(await acme.patch(`/crm/accounts/${account}`, { name: "Followed" }));
  await eventually(
    async () => ok(await acme.get(`/crm/orders/${_id}`)).body.account_name,
    (name) => name === "Followed",
  );
});
