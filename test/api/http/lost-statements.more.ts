/**
 * Runs each operation repeatedly, each time with a different failing statement. Only the request with the failing
 * statement may fail. An unhandled rejection would crash the process, so it fails the test.
 */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import type { Database } from "../../../src/platform/database/db.ts";
import type { Db } from "../../../src/platform/database/tx.ts";
import { Client } from "../../kit/api.ts";
import { fileApi } from "../../kit/file-api.ts";
import { keyedWorld, newKey, READY } from "../keys/keyed-samples.ts";
import { filled, operationsOf, readDocument } from "../operations.ts";
import { startOwnApp } from "../own-app.ts";
import { file } from "../../kit/started.ts";
import { intercepted } from "../../kit/sql.ts";
import type { MasterKey } from "../../../src/platform/secrets/index.ts";

/** More statements than any request sends, including those sent in parallel. */
const STATEMENTS_MAX = 40;

/** Returns the error of a terminated database session. Operations return 503 for it. */
const lost = (): Error =>
  Object.assign(new Error("The connection was closed"), { code: "CONNECTION_CLOSED" });

/** The number of statements left until a statement fails. The statement that brings this number to zero fails. */
let left = Infinity;

/** Returns a handle whose statements can fail, including those in transactions. */
const failing = (db: Db): Db =>
  intercepted(db, {
    withReads: true,
    submit: (query, send) => ((left -= 1) === 0 ? query.fail(lost()) : send(query)),
  });

const wrap = (db: Database): Database => ({
  ...db,
  sql: failing(db.sql),
  lists: failing(db.lists),
  reads: failing(db.reads),
});

const keys: MasterKey = { all: [randomBytes(32)] };
// Without a rate limit, because thousands of requests prepare the others.
const api = await fileApi({ keys, rateLimit: 0 });
const acme = await api.tenant();
const app = await startOwnApp(file, {
  url: api.databaseUrl,
  connections: 4,
  rateLimit: 0,
  keys,
  wrap,
});
const client = new Client(app.url, acme.bearer, acme.tenantId, acme.personId, () =>
  Promise.reject(new Error("not here")),
);
const world = await keyedWorld(acme);
const { _id: lead } = (await acme.post("/crm/leads", { name: "Known" })).body;
const { id: download } = (await acme.post("/crm/admin/tenant/exports")).body;
const { next: cursor } = (await acme.get("/crm/changes", { limit: 1 })).body;
const operations = operationsOf(await readDocument(acme));

/** Sends a request repeatedly. A different statement fails each time, until none does. */
async function loseEach(send: () => Promise<{ readonly status: number; readonly text: string }>) {
  for (let at = 1; at <= STATEMENTS_MAX; at += 1) {
    left = at;
    const { status, text } = await send();
    const wasLost = left <= 0;
    left = Infinity;
    assert.notEqual(status, 500, text);
    if (!wasLost) return at - 1;
  }
  throw new Error(`More than ${STATEMENTS_MAX} statements`);
}

/** Returns definitions that are part of the service, to a caller that is cached. */
const WITHOUT_STATEMENTS = "get_fields";

for (const { id, path } of operations.filter(({ method }) => method === "GET")) {
  test(`${id}: a lost statement fails one request`, { timeout: 300_000 }, async () => {
    const query = id.endsWith("_changes") ? `?since=${cursor}` : "";
    const statements = await loseEach(() =>
      client.get(filled(path, (name) => (name === "export_id" ? download : lead)) + query),
    );
    assert.equal(statements > 0, id !== WITHOUT_STATEMENTS);
  });
}

for (const { id, method } of operations) {
  const ready = READY[id];
  if (ready === undefined) continue;
  test(`${id}: a lost statement fails one request`, { timeout: 300_000 }, async () => {
    const statements = await loseEach(async () => {
      const { path, body, as = acme } = await ready(world);
      assert.equal(as, acme);
      const headers = { "content-type": "application/json", "idempotency-key": newKey() };
      return client.request({ method, path, headers, body: JSON.stringify(body) });
    });
    assert.ok(statements > 0);
  });
}
