/**
 * Every POST, PUT and PATCH with an Idempotency-Key, sent twice: the second request changes nothing, and both responses
 * are the same.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer } from "../../kit/api.ts";
import { sharedApi } from "../../kit/file-api.ts";
import { answerOf, isReplay, keyedWorld, newKey, READY, sendKeyed } from "./keyed-samples.ts";
import { operationsOf, readDocument } from "../operations.ts";

/**
 * Operations that do not accept an Idempotency-Key. send_import_data streams its file, so it cannot be compared with
 * the file of an earlier request. Demo data is loaded once, and a second request returns 409. The response of
 * report_person contains personal data and must not be stored. A second erasure finds nothing to erase. Each tenant
 * download is encrypted differently.
 */
const KEYLESS = new Set([
  "send_import_data",
  "load_demo",
  "create_demo_link",
  "report_person",
  "erase_person",
  "create_tenant_export",
]);

const api = await sharedApi();
const acme = await api.tenant();
const world = await keyedWorld(acme);
const document = await readDocument(acme);
const operations = [...operationsOf(document), ...operationsOf(document, "PartnerToken")].filter(
  ({ id, method }) => ["POST", "PUT", "PATCH"].includes(method) && !KEYLESS.has(id),
);

/** Operations whose response contains a secret, with the member that contains it. */
const SECRETS: Readonly<Record<string, string>> = {
  create_access_token: "token",
  create_person: "link",
  create_person_link: "link",
  create_partner: "access_code",
  reissue_access_code: "access_code",
  issue_webhook_secret: "secret",
  create_event_webhook: "secret",
  issue_event_webhook_secret: "secret",
  create_partner_webhook: "secret",
  issue_partner_webhook_secret: "secret",
};

/** Operations that store nothing. */
const ASKING = new Set([
  "partner_lookup",
  "preview_import_webhook",
  "preview_duplicate_check",
  "test_import_webhook",
  "test_duplicate_check",
  "test_event_webhook",
  "test_partner_webhook",
]);

/** Counts the tenant's rows in `changes`. Every write adds at least one. */
async function written(): Promise<number> {
  const [row] = await api.sql`
    select count(*)::integer as count from changes where tenant_id = ${acme.tenantId}`;
  return row?.["count"] as number;
}

async function stored(key: string): Promise<{ is_sealed: boolean; text: string }> {
  const [row] = await api.sql`
    select is_sealed, convert_from(body, 'UTF8') as text from idempotency_keys
     where tenant_id = ${acme.tenantId} and key = ${key}`;
  return row as never;
}

/** Asserts that a response rejects the key because it was first used with a different request. */
function refusesKey(answer: Answer): void {
  assert.equal(answer.status, 422, answer.text);
  const [issue] = answer.body.detail;
  assert.deepEqual(issue.loc, ["header", "Idempotency-Key"]);
  assert.match(issue.msg, /a different request/);
}

test("there is a request here for every operation that takes a key, and openapi.json says so", () => {
  for (const { id, method, path } of operations) {
    assert.ok(READY[id], `no request for ${id}`);
    const { parameters } = document.paths[path][method.toLowerCase()];
    const names = parameters.map(({ name }: { name: string }) => name);
    assert.ok(names.includes("Idempotency-Key"), id);
  }
});

for (const { id, method } of operations) {
  test(`${id} is done once for a key, and returns the same bytes again`, async () => {
    const { as = acme, ...request } = (await READY[id]?.(world)) ?? { path: "", body: {} };
    const key = newKey();
    const before = await written();
    const first = await sendKeyed(as, method, key, request);
    assert.ok(first.status === 200 || first.status === 207, first.text);
    assert.equal(isReplay(first), false);
    const after = await written();
    assert.equal(after > before, !ASKING.has(id));
    const second = await sendKeyed(as, method, key, request);
    assert.ok(isReplay(second), second.text);
    assert.deepEqual(answerOf(second), answerOf(first));
    const spaced = { ...request, body: `${JSON.stringify(request.body)} ` };
    refusesKey(await sendKeyed(as, method, key, spaced));
    refusesKey(await sendKeyed(as, method, key, { ...request, path: `${request.path}?` }));
    assert.equal(await written(), after);

    const { is_sealed, text } = await stored(key);
    const secret = first.body[SECRETS[id] ?? ""];
    assert.deepEqual(
      [is_sealed, typeof secret],
      id in SECRETS ? [true, "string"] : [false, "undefined"],
    );
    assert.equal(text === first.text, !is_sealed);
    if (is_sealed) assert.ok(!text.includes(secret));
  });
}
