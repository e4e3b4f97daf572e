/**
 * Lists with a time window but without page_size stream all their records, whether the reader is fast, slow or
 * disconnects.
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Client } from "../../kit/api.ts";
import { eventually } from "../../kit/eventually.ts";
import { fileApi } from "../../kit/file-api.ts";
import { casesOf } from "../../kit/long.ts";
import { startOwnApp } from "../own-app.ts";
import { LISTS, makeReferable, ok, recordsIn, type Body } from "../samples.ts";
import { file } from "../../kit/started.ts";

const RECORDS = 12_000;
const FILLING = "x".repeat(3000);

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const api = await fileApi();
const acme = await api.tenant();
const refs = await makeReferable(acme);
/** Its limits are so long that a busy machine does not exceed them. */
const app = await startOwnApp(file, {
  url: api.databaseUrl,
  connections: 1,
  listTimeout_ms: 60_000,
});

/** Inserts copies of a record with different ids in a single statement. */
async function multiply(table: string, id: string, copies: number): Promise<void> {
  const columns = await api.sql`
    select column_name from information_schema.columns where table_name = ${table}`;
  const names = columns
    .map(({ column_name }) => String(column_name))
    .filter((name) => !["id", "body", "external_id", "invoice_num"].includes(name));
  await api.sql.unsafe(
    `insert into ${table} (id, body, ${names.join(", ")})
     select n.id, replace(r.body::text, r.id, n.id)::json, ${names.map((name) => `r.${name}`).join(", ")}
       from ${table} r, (select 'f' || lpad(to_hex(i), 23, '0') as id from generate_series(1, $2) i) n
      where r.id = $1`,
    [id, copies],
  );
}

const order = ok(
  await acme.post("/crm/orders", { account_id: refs["account"], description: FILLING }),
);
await multiply("orders", order.body._id, RECORDS - 1);

/** Sends a request and returns its response before the body is read. */
async function open(client: Client, path: string, url = app.url): Promise<IncomingMessage> {
  const sent = request(url + path, { headers: { authorization: `Bearer ${client.bearer}` } });
  sent.end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return answer;
}

/** Reads the rest of a response. Returns its text and whether the connection broke. */
async function readAll(answer: IncomingMessage): Promise<{ text: string; broken: boolean }> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    return { text: Buffer.concat(chunks).toString(), broken: false };
  } catch {
    return { text: Buffer.concat(chunks).toString(), broken: true };
  }
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const sessions = async (): Promise<string[]> => {
  const rows = await api.sql`
    select state from pg_stat_activity
     where application_name = 'leadport lists' and datname = current_database()`;
  return rows.map(({ state }) => String(state));
};

/** Waits until no request is in progress except the one for the metrics, which are cached for a second. */
async function untilNoOther(url = app.url): Promise<void> {
  await delay(1000);
  await eventually(
    async () => (await fetch(`${url}/metrics`)).text(),
    (metrics) => metrics.includes("leadport_http_requests_in_flight 1\n"),
  );
}

for (const path of casesOf(["/crm/orders/created", "/crm/orders/updated"], 1)) {
  test(`${path} returns ${RECORDS} records, each once, newest first`, async () => {
    const { text, broken } = await readAll(await open(acme, path));
    assert.ok(!broken);
    const ids = (JSON.parse(text) as Body[]).map(({ _id }) => String(_id));
    assert.equal(ids.length, RECORDS);
    assert.equal(new Set(ids).size, RECORDS);
    assert.deepEqual(ids, ids.toSorted().toReversed());
  });
}

test("every window returns more than one batch", async () => {
  for (const { type, name, listing } of LISTS.filter(({ listing }) => listing.windowHours)) {
    if (type.name === "order") continue;
    const body = {
      name: "n",
      invoice_num: name,
      account_id: refs["account"],
      invoice_line_list: [],
      total_amount: 1,
    };
    const { name: text, account_id, ...invoice } = body;
    const sent =
      type.name === "invoice"
        ? { account_id, ...invoice }
        : type.name === "deal"
          ? { name: text, account_id }
          : { name: text };
    const client = await api.tenant();
    const own = await makeReferable(client);
    const made = ok(
      await client.post(type.writePath, {
        ...sent,
        ...("account_id" in sent && { account_id: own["account"] }),
      }),
    );
    await api.sql.unsafe(
      `delete from ${type.table} where id like 'f%' and id <> $1 and tenant_id <> $2`,
      [made.body._id, acme.tenantId],
    );
    await multiply(type.table, made.body._id, 1001);
    const found = recordsIn(ok(await client.get(listing.path))).length;
    assert.ok(found >= 1002 && found <= 1003, `${listing.path}: ${found}`);
  }
});

test("a slow reader costs no memory, and no transaction waits for it", async (t) => {
  const slow = await startOwnApp(t, { url: api.databaseUrl, connections: 1 });
  try {
    const used = (): number => {
      collectGarbage();
      return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
    };
    const before = used();
    const answer = await open(acme, "/crm/orders/created", slow.url);
    for (let look = 0; look < 8; look++) {
      await delay(50);
      assert.ok(!(await sessions()).some((state) => state.startsWith("idle in transaction")));
    }
    await eventually(sessions, (states) => states.every((state) => state === "idle"));
    const grown = used() - before;
    assert.ok(grown < 24 * 1024 * 1024, `${Math.round(grown / 1024 / 1024)} MiB`);
    // While the reader is slow, the pool's only connection serves other requests.
    assert.equal(
      (
        await fetch(`${slow.url}/crm/orders?page_size=1`, {
          headers: { authorization: `Bearer ${acme.bearer}` },
        })
      ).status,
      200,
    );
    answer.destroy();
  } finally {
    await slow.stop();
  }
});

test("a reader that hangs up ends the query, and is counted once", async () => {
  const answer = await open(acme, "/crm/orders/created");
  await once(answer, "data");
  answer.destroy();
  await eventually(sessions, (states) => states.every((state) => state === "idle"));
  const got = await fetch(`${app.url}/crm/orders?page_size=1`, {
    headers: { authorization: `Bearer ${acme.bearer}` },
  });
  assert.equal(got.status, 200);
  await got.text();
  await untilNoOther();
});

test("a reader that reads nothing is cut off", async (t) => {
  const hasty = await startOwnApp(t, { url: api.databaseUrl, connections: 1, stall_ms: 1000 });
  const answer = await open(acme, "/crm/orders/created", hasty.url);
  await untilNoOther(hasty.url);
  const { text, broken } = await readAll(answer);
  assert.ok(broken);
  assert.ok(!isJson(text));
});

test("a failure in the middle leaves the JSON unclosed and the connection broken", async () => {
  const answer = await open(acme, "/crm/orders/created");
  await once(answer, "data");
  answer.pause();
  await api.sql`alter table orders rename to orders_gone`;
  const { text, broken } = await readAll(answer);
  await api.sql`alter table orders_gone rename to orders`;
  assert.ok(broken);
  assert.ok(!isJson(text) && !text.endsWith("]"));
});

test("a database session that ends midway cuts off the response, and the pool recovers", async () => {
  const answer = await open(acme, "/crm/orders/created");
  await once(answer, "data");
  answer.pause();
  await api.sql.begin(async (tx) => {
    // Block the next batch, so that the session is terminated while the batch is running.
    await tx`lock table orders in access exclusive mode`;
    const all = readAll(answer);
    await eventually(
      () => api.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'leadport lists' and datname = current_database()
           and wait_event_type = 'Lock'`,
      ({ count }) => count > 0,
    );
    const { text, broken } = await all;
    assert.ok(broken);
    assert.ok(!isJson(text));
  });
  const headers = { authorization: `Bearer ${acme.bearer}` };
  await eventually(
    async () => (await fetch(`${app.url}/crm/orders?page_size=1`, { headers })).status,
    (status) => status === 200,
  );
});

test("a window that takes too long returns 422 before the first byte", async (t) => {
  const limits = { connections: 1, listTimeout_ms: 2000 };
  const hasty = await startOwnApp(t, { url: api.databaseUrl, ...limits });
  await api.sql.begin(async (tx) => {
    await tx`lock table orders in access exclusive mode`;
    const answer = await open(acme, "/crm/orders/created", hasty.url);
    assert.equal(answer.statusCode, 422);
    const { text } = await readAll(answer);
    assert.match(text, /takes too long/);
  });
});

test("a service that stops lets a reader finish, or cuts off the response", async (t) => {
  const one = await startOwnApp(t, { url: api.databaseUrl, connections: 1 });
  const finishing = await open(acme, "/crm/orders/created", one.url);
  const closing = one.app.close();
  const { text, broken } = await readAll(finishing);
  assert.ok(!broken);
  assert.equal((JSON.parse(text) as Body[]).length, RECORDS);
  await closing;
  await one.stop();
  const two = await startOwnApp(t, { url: api.databaseUrl, connections: 1 });
  const cut = await open(acme, "/crm/orders/created", two.url);
  await once(cut, "data");
  cut.pause();
  await two.stop();
  const rest = await readAll(cut);
  assert.ok(rest.broken && !isJson(rest.text));
});
