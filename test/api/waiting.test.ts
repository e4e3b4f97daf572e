/** Requests that wait for a lock hold no connection, so other requests are not affected. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer } from "../kit/api.ts";
import { fileApi } from "../kit/file-api.ts";
import { ok, type Body } from "./samples.ts";

const api = await fileApi();
/** More requests than the service has database connections in these tests (test/kit/api.ts). */
const WAITERS = 6;
const times = <T>(count: number, work: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => work(at));

const sent = (at: number) => ({ name: `N${at}`, email: "one@example.com" });

/**
 * Makes requests wait for a lock, and checks that another tenant is served meanwhile. Returns the responses to the
 * waiting requests.
 */
async function whileHeld(place: string, want: () => Promise<Answer>[]): Promise<Answer[]> {
  const rival = await api.tenant();
  const { _id } = ok(await rival.post("/crm/leads", { name: "Elsewhere" })).body;
  let done = 0;
  const wanting = await api.sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtextextended(${place}, 0))`;
    const asked = want().map(async (answer) => answer.finally(() => done++));
    // Long enough for all requests to arrive and to try more than once to get the lock.
    for (let round = 0; round < 20; round++) {
      ok(await rival.get(`/crm/leads/${_id}`));
      await tx`select pg_sleep(0.03)`;
    }
    assert.equal(done, 0);
    return { asked };
  });
  return Promise.all(wanting.asked);
}

test("while the keys of a type are held, writers by key wait and all others are served", async () => {
  const acme = await api.tenant();
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
  const acme = await api.tenant();
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
