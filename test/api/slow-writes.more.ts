/** Writes that the database stops: a statement that runs for too long, and a lock that is held for too long. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileApi } from "../kit/file-api.ts";
import { ok, recordsIn } from "./samples.ts";

const api = await fileApi();
const acme = await api.tenant();

/** The status and the time that a request takes, in s. */
async function timed<T>(work: () => Promise<T>): Promise<{ answer: T; took_s: number }> {
  const begun_ms = performance.now();
  const answer = await work();
  return { answer, took_s: (performance.now() - begun_ms) / 1000 };
}

test("a write whose statement runs for more than 20 s is a 503, and nothing is written", async () => {
  await api.sql.unsafe(`
    create function linger() returns trigger language plpgsql as
      $$ begin perform pg_sleep(60); return new; end $$;
    create trigger linger before insert on leads for each row
      when (new.body ->> 'name' = 'Slow') execute function linger()`);
  const { answer, took_s } = await timed(() => acme.post("/crm/leads", { name: "Slow" }));
  assert.equal(answer.status, 503, answer.text);
  assert.deepEqual(answer.body, {
    detail: "The database did not finish this request in time; try again",
  });
  assert.match(answer.headers.get("retry-after") ?? "", /^\d+$/);
  assert.ok(took_s > 19 && took_s < 25, `${took_s} s`);
  const found = ok(await acme.get("/crm/leads", { match_filter_dict: '{"name":"Slow"}' }));
  assert.deepEqual(recordsIn(found), []);

  // The connection is good for the next request.
  ok(await acme.post("/crm/leads", { name: "Quick" }));
});

test("a write that waits for a lock for more than 10 s is a 409, and nothing is written", async () => {
  const lead = ok(await acme.post("/crm/leads", { name: "Held" })).body;
  await api.sql.begin(async (tx) => {
    await tx`select from leads where id = ${lead.id} for update`;
    const { answer, took_s } = await timed(() =>
      acme.patch(`/crm/leads/${lead.id}`, { name: "Changed" }),
    );
    assert.equal(answer.status, 409, answer.text);
    assert.match(answer.body.detail, /try again/);
    assert.ok(took_s > 9 && took_s < 22, `${took_s} s`);
  });
  assert.equal(ok(await acme.get(`/crm/leads/${lead.id}`)).body.name, "Held");
  ok(await acme.patch(`/crm/leads/${lead.id}`, { name: "Changed" }));
});
