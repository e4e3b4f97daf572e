/** After a rename, other records show the new name. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { startWorker } from "../../../src/service/worker.ts";
import { createOutgoing } from "../../../src/platform/outgoing/outgoing.ts";
import { systemClock } from "../../../src/platform/clock/clock.ts";
import { idSource } from "../../../src/platform/ids/ids.ts";
import { createRenaming } from "../../../src/records/write/index.ts";
import { fileApi } from "../../kit/file-api.ts";
import { startOwnApp } from "../own-app.ts";
import { makeReferable, ok, type Body } from "../samples.ts";
import { eventually } from "../../kit/eventually.ts";
import { atEnd } from "../../kit/started.ts";

const api = await fileApi();
const acme = await api.tenant();
const makeId = idSource(systemClock());

const renameNext = createRenaming(api.sql, { makeId, participants: [] });

const followAll = async (): Promise<void> => {
  while (await renameNext());
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

test("a rename is applied in steps, and the tenants take turns", async () => {
  const first = await api.tenant();
  const second = await api.tenant();
  for (const { tenant, count } of [
    { tenant: first, count: 410 },
    { tenant: second, count: 210 },
  ]) {
    const { _id } = ok(await tenant.post("/crm/accounts", { name: "Before" })).body;
    const items = Array.from({ length: count }, () => ({ account_id: _id }));
    await tenant.post("/crm/orders/batch", { items });
    ok(await tenant.patch(`/crm/accounts/${_id}`, { name: "After" }));
  }
  const behind = async (): Promise<readonly number[]> => {
    const rows = await api.sql`
      select count(*) filter (where body->>'account_name' = 'Before')::int as behind from orders
       where tenant_id = any(${[first.tenantId, second.tenantId]}) group by tenant_id
       order by count(*) desc`;
    return rows.map((row) => Number(row["behind"]));
  };
  const seen: (readonly number[])[] = [];
  do seen.push(await behind());
  while (await renameNext());
  const [, one] = seen;
  assert.ok(one?.join() === "210,210" || one?.join() === "410,10", String(one));
  assert.deepEqual(seen[2], [210, 10]);
  assert.deepEqual(seen.at(-1), [0, 0]);
});

/** Renames an account in a tenant. Returns a function that reads the name that its order shows. */
const renamedIn = async (tenant: typeof acme, name: string) => {
  const { _id } = ok(await tenant.post("/crm/accounts", { name: "Before" })).body;
  const order = ok(await tenant.post("/crm/orders", { account_id: _id })).body;
  ok(await tenant.patch(`/crm/accounts/${_id}`, { name }));
  return async () => ok(await tenant.get(`/crm/orders/${order._id}`)).body.account_name;
};

test("a rename that fails delays neither the tenant's other renames nor those of other tenants", async (t) => {
  const failing = await api.tenant();
  const other = await api.tenant();
  await api.sql`
    create function refuse_name() returns trigger language plpgsql as
      $$ begin raise exception 'refused'; end $$`;
  await api.sql`
    create trigger refuse_name before update on orders for each row
      when (new.body->>'account_name' = 'Refused') execute function refuse_name()`;
  atEnd(t, () => api.sql`drop function refuse_name cascade`);
  const refused = await renamedIn(failing, "Refused");
  const shown = [await renamedIn(failing, "After"), await renamedIn(other, "After")];
  let failures = 0;
  for (let at = 0; at < 4; at++) await renameNext().catch(() => (failures += 1));
  for (const name of shown) assert.equal(await name(), "After");
  assert.ok(failures > 0);
  assert.equal(await refused(), "Before");
  await api.sql`drop trigger refuse_name on orders`;
  await followAll();
  assert.equal(await refused(), "Refused");
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

const followSome = async (): Promise<void> => {
  for (let at = 0; at < 15; at++) await renameNext();
};

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
  await Promise.all([makeDeals(), makeDeals(), rename(), followSome()]);
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
