/** Writes by key lock the key before they look up the record, so that two concurrent writes create only one record. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileApi } from "../../kit/file-api.ts";
import { noteStatements } from "../../kit/sql.ts";
import { file } from "../../kit/started.ts";
import { startOwnApp } from "../own-app.ts";

const api = await fileApi();
const acme = await api.tenant();
const { sent, wrap } = noteStatements();
const app = await startOwnApp(file, { url: api.databaseUrl, wrap });

const LOCK = /pg_try_advisory_xact_lock/;
const LOOKUP = /\bfrom leads\b/;

for (const [method, path, body] of [
  ["PUT", "/crm/leads/by/email/ada@example.com", { name: "Ada" }],
  ["PUT", "/crm/leads/by/external_id/a-1", { name: "Ada" }],
  ["POST", "/crm/leads?on_duplicate=update", { name: "Ada", email: "bob@example.com" }],
] as const) {
  test(`${method} ${path} locks the key before it looks for its record`, async () => {
    sent.splice(0);
    const response = await fetch(app.url + path, {
      method,
      headers: { authorization: `Bearer ${acme.bearer}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    assert.equal(response.status, 200, await response.text());
    const inTransaction = sent.slice(sent.indexOf("begin"));
    const [lock, lookup] = [LOCK, LOOKUP].map((pattern) =>
      inTransaction.findIndex((text) => pattern.test(text)),
    ) as [number, number];
    assert.ok(lock >= 0 && lookup >= 0, inTransaction.join("\n"));
    assert.ok(lock < lookup, inTransaction.join("\n"));
  });
}
