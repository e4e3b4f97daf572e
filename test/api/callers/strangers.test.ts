/** Sends another tenant's user and partner tokens to every operation: nothing is returned, changed or revealed. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { partnerOf } from "../../exchange/partner-kit.ts";
import { fileApi } from "../../kit/file-api.ts";
import {
  filled,
  leastOf,
  operationsOf,
  readDocument,
  type ListedOperation,
} from "../operations.ts";
import { oneOfEach } from "../one-of-each.ts";

const api = await fileApi();
const acme = await api.tenant();
const rival = await api.tenant();
const document = await readDocument(acme);
const forTokens = operationsOf(document);
const forPartners = operationsOf(document, "PartnerToken");
const operations = [...forTokens, ...forPartners];
/**
 * A PUT by key creates the record if the tenant has no record with that key, so the other tenant creates its own
 * record.
 */
const byKey = operations.filter(({ path }) => path.includes("/by/"));
const byId = operations.filter(({ names, path }) => names.length > 0 && !path.includes("/by/"));
const byNothing = operations.filter(({ names }) => names.length === 0);

const { owned, keys } = await oneOfEach(acme, document);
const rivalPartner = await partnerOf(rival, { allowed_marketing_sources: ["Google"] });

/** Returns all of Acme's rows in the database, except for last-used times and request counts. */
async function everything(): Promise<unknown> {
  const tables = await api.sql`
    select table_name from information_schema.columns
     where table_schema = 'public' and column_name = 'tenant_id'
       and table_name not in ('request_counts', 'request_outcomes') order by 1`;
  const found: Record<string, unknown> = {};
  for (const { table_name } of tables) {
    const rows = await api.sql`
      select to_jsonb(t) - 'last_used_ts' as row from ${api.sql(String(table_name))} t
       where t.tenant_id = ${acme.tenantId} order by 1`;
    found[String(table_name)] = rows.map(({ row }) => row as unknown);
  }
  return found;
}

const MISSING = "6b00a22b870ca000ec6e9532";

function attempt(operation: ListedOperation, idOf: (name: string) => string) {
  const { method, path, body } = operation;
  const stranger = forPartners.includes(operation) ? rivalPartner : rival;
  return stranger.request({
    method,
    path: filled(path, idOf),
    ...(body !== undefined && {
      headers: { "content-type": body.type },
      body: body.type === "application/json" ? JSON.stringify(leastOf(document, body.schema)) : "x",
    }),
  });
}

test("every path parameter names something of Acme's here", () => {
  const named = [
    ...byId.flatMap(({ names }) => names.map((name) => [name, owned[name]])),
    ...byKey.flatMap(({ names }) => names.map((name) => [name, keys[name]])),
  ];
  assert.deepEqual(
    named.filter(([, value]) => value === undefined),
    [],
  );
});

for (const operation of byId) {
  test(`${operation.method} ${operation.path} returns to another tenant what it returns for a missing id`, async () => {
    const before = await everything();
    const theirs = await attempt(operation, (name) => owned[name] ?? "");
    const missing = await attempt(operation, () => MISSING);
    assert.equal(theirs.status, 404, theirs.text);
    assert.equal(missing.status, 404, missing.text);
    assert.deepEqual(theirs.body, missing.body);
    assert.deepEqual(await everything(), before);
    if (operation.path.endsWith("/{lead_id}")) {
      assert.equal((await rival.get(`/crm/leads/${owned["lead_id"]}?reveal=ssn`)).status, 404);
    }
  });
}

for (const operation of [...byNothing, ...byKey]) {
  test(`${operation.method} ${operation.path} shows another tenant nothing and changes nothing`, async () => {
    const before = await everything();
    const answer = await attempt(operation, (name) => encodeURIComponent(keys[name] ?? ""));
    assert.ok(answer.status < 500, answer.text);
    for (const secret of [...Object.values(owned), acme.tenantId, acme.personId]) {
      assert.ok(!answer.text.includes(secret), `${secret} in ${answer.text.slice(0, 500)}`);
    }
    assert.deepEqual(await everything(), before);
  });
}
