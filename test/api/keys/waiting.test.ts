/** Requests that wait for a lock hold no connection, so other requests are not affected. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, type Answer } from "../../kit/api.ts";
import { eventually } from "../../kit/eventually.ts";
import { file, fileApi } from "../../kit/file-api.ts";
import { noteStatements } from "../../kit/sql.ts";
import { startOwnApp } from "../own-app.ts";
import { ok, type Body } from "../samples.ts";

const api = await fileApi();
const { sent: statements, wrap } = noteStatements();
const CONNECTIONS = 4;
const app = await startOwnApp(file, { url: api.databaseUrl, connections: CONNECTIONS, wrap });
const WAITERS = CONNECTIONS + 2;
/** How often a waiting request tries to get the lock while it is held, on average. */
const TRIES = 5;
/** The number of times that requests have tried to get a lock. */
const tries = () => statements.filter((text) => /\bpg_try_.* is_held/s.test(text)).length;

/** Creates a tenant. Returns a client of the app whose statements are noted. */
async function newTenant(): Promise<Client> {
  const made = await api.tenant();
  const token = (permissions: readonly string[]) => made.token(permissions);
  return new Client(app.url, made.bearer, made.tenantId, made.personId, token);
}

const times = <T>(count: number, work: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => work(at));

const sent = (at: number) => ({ name: `N${at}`, email: "one@example.com" });

/**
 * Makes requests wait for a lock, and checks that another tenant is served meanwhile. Returns the responses to the
 * waiting requests.
 */
async function whileHeld(place: string, want: () => Promise<Answer>[]): Promise<Answer[]> {
  const rival = await newTenant();
  const { _id } = ok(await rival.post("/crm/leads", { name: "Elsewhere" })).body;
  let done = 0;
  const wanting = await api.sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended(${place}, 0))`;
    statements.splice(0);
    const asked = want().map(async (answer) => answer.finally(() => done++));
    await eventually(
      async () => {
        ok(await rival.get(`/crm/leads/${_id}`));
        return tries();
      },
      (tried) => tried >= TRIES * asked.length,
    );
    assert.equal(done, 0);
    return { asked };
  });
  return Promise.all(wanting.asked);
}

test("while the keys of a type are held, writers by key wait and all others are served", async () => {
  const acme = await newTenant();
  const items = times(40, (at) => ({ name: "B", email: `many${at}@example.com` }));
  const keyed = (at: number) =>
    acme.request({
      method: "POST",
      path: "/crm/leads?on_duplicate=update",
      headers: { "content-type": "application/json", "idempotency-key": `key-${at}` },
      body: JSON.stringify(sent(at)),
    });
  const answers = await whileHeld(`${acme.tenantId} lead`, () => [
    ...times(WAITERS, (at) => acme.post("/crm/leads?on_duplicate=update", sent(at))),
    ...times(WAITERS, (at) => acme.put("/crm/leads/by/email/one@example.com", { name: `P${at}` })),
    ...times(WAITERS, keyed),
    ...times(2, () => acme.post("/crm/leads/batch?on_duplicate=update", { items })),
  ]);
  const batches = answers.splice(-2);
  assert.equal(new Set(answers.map((answer) => ok(answer).body._id)).size, 1);
  const results = answers.map(({ headers }) => headers.get("x-result"));
  assert.equal(results.filter((result) => result === "created").length, 1);
  const ids = batches.map(({ status, body, text }) => {
    assert.equal(status, 207, text);
    return body.map((item: Body) => item["_id"]) as unknown[];
  });
  assert.deepEqual(ids[0], ids[1]);
});

test("while a tenant's merge lock is held, merges wait and all others are served", async () => {
  const acme = await newTenant();
  const path = "/crm/contacts";
  const make = async () => ok(await acme.post(path, { name: "A" })).body._id as string;
  const pairs = await Promise.all(times(WAITERS, async () => [await make(), await make()]));
  const merge = ([into, old]: string[], at: number) =>
    acme.request({
      method: "POST",
      path: `${path}/${into}/merge`,
      headers: {
        "content-type": "application/json",
        "idempotency-key": at % 2 === 0 ? `merge-${at}` : null,
      },
      body: JSON.stringify({ ids: [old] }),
    });
  const answers = await whileHeld(`merge ${acme.tenantId}`, () => pairs.map(merge));
  for (const [at, answer] of answers.entries()) assert.equal(ok(answer).body._id, pairs[at]?.[0]);
});
