/**
 * Writes that the database stops: a statement that runs too long, and a lock that is held too long.
 * Uses a separate server, because long transactions delay the change feeds of all its databases.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { databaseOf, installed, startLeadport, tokenOf } from "../leadport.ts";

/** `lost-database.more.ts` checks the limits themselves: 20 s for a statement, 10 s for a lock. */
test("the database stops slow writes, and nothing is written", async (t) => {
  const env = await installed(t);
  const { base } = await startLeadport(t, { env });
  const sql = databaseOf(t, env);
  const headers = {
    authorization: `Bearer ${tokenOf(env.DATA_DIR)}`,
    "content-type": "application/json",
  };
  const send = async (method: string, path: string, body?: object) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(base + path, { method, headers, ...sent });
    // oxlint-disable-next-line typescript/no-explicit-any -- responses have several shapes
    const answer = (await response.json()) as any;
    return { status: response.status, headers: response.headers, body: answer };
  };

  await t.test("a statement of more than 20 s returns 503", async () => {
    await sql.unsafe(`
      create function linger() returns trigger language plpgsql as
        $$ begin perform pg_sleep(60); return new; end $$;
      create trigger linger before insert on leads for each row
        when (new.body ->> 'name' = 'Slow') execute function linger()`);
    const { status, body, headers } = await send("POST", "/crm/leads", { name: "Slow" });
    assert.equal(status, 503, JSON.stringify(body));
    assert.deepEqual(body, {
      detail: "The database did not finish this request in time; try again",
    });
    assert.match(headers.get("retry-after") ?? "", /^\d+$/);
    assert.deepEqual((await send("GET", "/crm/leads")).body.leads, []);
    // The connection can be used for the next request.
    assert.equal((await send("POST", "/crm/leads", { name: "Quick" })).status, 200);
  });

  await t.test("waiting more than 10 s for a lock returns 409", async () => {
    const { body: lead } = await send("POST", "/crm/leads", { name: "Held" });
    const path = `/crm/leads/${String(lead._id)}`;
    await sql.begin(async (tx) => {
      await tx`select from leads where id = ${String(lead._id)} for update`;
      const { status, body } = await send("PATCH", path, { name: "Changed" });
      assert.equal(status, 409, JSON.stringify(body));
      assert.match(body.detail, /try again/);
    });
    assert.equal((await send("GET", path)).body.name, "Held");
    assert.equal((await send("PATCH", path, { name: "Changed" })).status, 200);
  });
});
