/**
 * Requests abandoned by their client are dropped if they have not started. They cannot overwrite the changes of a later
 * request, and they cannot start long after they were sent.
 */

import assert from "node:assert/strict";
import { request } from "node:http";
import { test, type TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { eventually } from "../../kit/eventually.ts";
import { fileApi } from "../../kit/file-api.ts";
import { startOwnApp } from "../own-app.ts";
import { file, atEnd } from "../../kit/started.ts";
import { run } from "../../../src/platform/database/index.ts";

const CONNECTIONS = 2;

const api = await fileApi();
const acme = await api.tenant();
const app = await startOwnApp(file, { url: api.databaseUrl, connections: CONNECTIONS });

interface Sent {
  /** Resolves with the status, or with undefined if the client has closed the connection. */
  readonly status: Promise<number | undefined>;
  readonly giveUp: () => void;
}

/** Sends a request on a separate connection. */
function send(method: string, path: string, body?: object, headers: object = {}): Sent {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  const sent = request(app.url + path, {
    method,
    agent: false,
    headers: {
      authorization: `Bearer ${acme.bearer}`,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
  });
  sent.on("response", (response) => {
    response.resume();
    resolve(response.statusCode);
  });
  sent.on("error", () => resolve(undefined));
  sent.end(body && JSON.stringify(body));
  return { status: promise, giveUp: () => sent.destroy() };
}

/** Occupies every connection of the write pool until the returned function is called or the test ends. */
async function holdPool(t: TestContext): Promise<() => Promise<void>> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let held = 0;
  const holding = Array.from({ length: CONNECTIONS }, () =>
    app.db.sql.begin("", async (tx) => {
      await run(tx)`select 1`;
      held += 1;
      await released;
    }),
  );
  atEnd(t, () => release());
  await eventually(
    () => held,
    (count) => count === CONNECTIONS,
  );
  return async () => {
    release();
    await Promise.all(holding);
  };
}

/** Returns the number of statements and transactions that are waiting for a slot in the write pool. */
const waiting = (): number => app.db.admission.snapshot().sql.waiting.interactive;

/** Returns the number of client connections that are open on the service. */
const connections = () =>
  new Promise<number>((resolve) =>
    app.app.server.getConnections((_error, count) => resolve(count)),
  );

/** Make the process cache the caller first. Otherwise, looking up the caller would also wait for the pool. */
const remember = () => send("GET", "/crm/leads?limit=1").status;

const lead = async (): Promise<string> =>
  (await acme.post("/crm/leads", { name: "First" })).body._id;
const nameOf = async (id: string): Promise<string> =>
  (await acme.get(`/crm/leads/${id}`)).body.name;
const leadsNamed = async (name: string): Promise<number> => {
  const [row] = await api.sql`
    select count(*)::integer as count from leads where body->>'name' = ${name}`;
  return row?.["count"] as number;
};

/** Writes that would overwrite a later write. Each of them reaches the database through a different code path. */
const OVERWRITING: Readonly<Record<string, (id: string, name: string) => Sent>> = {
  "PATCH of a record": (id, name) => send("PATCH", `/crm/leads/${id}`, { name }),
  "PATCH with a key": (id, name) =>
    send(
      "PATCH",
      `/crm/leads/${id}`,
      { name },
      { "idempotency-key": `${id} ${name}`.replaceAll(" ", "-") },
    ),
  "PUT by a key of the record": (_id, name) =>
    send("PUT", "/crm/leads/by/external_id/abandoned", { name }),
  "POST of a record": (_id, name) => send("POST", "/crm/leads", { name }),
  "POST of a batch": (_id, name) => send("POST", "/crm/leads/batch", { items: [{ name }] }),
};

for (const [what, sendIt] of Object.entries(OVERWRITING)) {
  test(`an abandoned ${what} that waits for a connection is never carried out`, async (t) => {
    const id = await lead();
    const name = `Abandoned ${what}`;
    await remember();
    const release = await holdPool(t);
    const abandoned = sendIt(id, name);
    await eventually(waiting, (count) => count > 0);
    abandoned.giveUp();
    assert.equal(await abandoned.status, undefined);
    await eventually(connections, (count) => count === 0);
    await release();
    assert.equal((await acme.patch(`/crm/leads/${id}`, { name: "Newer" })).status, 200);
    assert.equal(await nameOf(id), "Newer");
    assert.equal(await leadsNamed(name), 0);
  });
}

test("a write that cannot start while the pool is held returns 503 and is never carried out", async (t) => {
  const id = await lead();
  await remember();
  const release = await holdPool(t);
  const statuses = Object.entries(OVERWRITING).map(
    ([what, sendIt]) => sendIt(id, `Late ${what}`).status,
  );
  // The pool is still occupied, so these requests were rejected without getting a connection.
  assert.deepEqual(await Promise.all(statuses), [503, 503, 503, 503, 503]);
  await release();
  assert.equal(await nameOf(id), "First");
  for (const what of Object.keys(OVERWRITING)) assert.equal(await leadsNamed(`Late ${what}`), 0);
});

test("a write that waits for a lock ends with the connection of its client", async () => {
  const given = { external_id: "turn", name: "First" };
  const created = await acme.post("/crm/leads", given);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let isHeld = false;
  const place = `${acme.tenantId} lead external_id:turn`;
  const holding = api.sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended(${place}, 0))`;
    isHeld = true;
    await released;
  });
  await eventually(() => isHeld, Boolean);
  const tried = async (): Promise<number> => {
    const [row] = await api.sql`
      select coalesce(sum(xact_rollback), 0)::integer as count from pg_stat_database
       where datname = current_database()`;
    return row?.["count"] as number;
  };
  const before = await tried();
  const abandoned = send("PUT", "/crm/leads/by/external_id/turn", { name: "Abandoned" });
  // The write has been tried at least once. Even then, it may still wait, but it ends when its client disconnects.
  await eventually(tried, (count) => count > before);
  abandoned.giveUp();
  assert.equal(await abandoned.status, undefined);
  await eventually(connections, (count) => count === 0);
  // Wait longer than the longest pause between two attempts.
  await delay(500);
  release();
  await holding;
  await delay(500);
  assert.equal(await nameOf(created.body._id), "First");
});
