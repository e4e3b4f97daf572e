/** A person is found everywhere, and erased everywhere. */

import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { startApi } from "../kit/api.ts";
import { fileApi } from "../kit/file-api.ts";
import { file, temporaryFolder } from "../kit/started.ts";
import { ok } from "../api/samples.ts";
import { startReceiver } from "../delivery/receiver.ts";
import { eventually } from "../kit/eventually.ts";
import { createSealer, type MasterKey } from "../../src/platform/secrets/index.ts";
import { digestsOf } from "../../src/privacy/blocked-persons.ts";
import { columnsOf } from "../../src/privacy/registry.ts";
import { PERSONAL_COLUMNS } from "../../src/service/modules.ts";
import { JANE, LEAD, occurrencesOf, SHARED, SPELLINGS, storePerson } from "./person-kit.ts";

const erasureLog = join(temporaryFolder(file), "erasures.ndjson");
const keys: MasterKey = { all: [randomBytes(32)] };
const api = await fileApi({ works: true, erasureLog, keys });
const receiver = await startReceiver(file);

const REPORT = "/crm/admin/persons/report";
const ERASE = "/crm/admin/persons/erase";

/**
 * Columns with encrypted values, and columns that mention a person only rarely. An erasure also removes the person from
 * these columns.
 */
const RARE =
  /\.internal$|^(idempotency_keys\.headers|import_rejects\.reason|imports\.error|delivery_attempts\.request)$/;

/** The columns that are declared to contain personal data. */
const declared = Object.keys(PERSONAL_COLUMNS).flatMap((table) =>
  [...columnsOf(PERSONAL_COLUMNS, table)].flatMap(([name, kind]) =>
    kind === "yes" ? [`${table}.${name}`] : [],
  ),
);

/** Digests of Jane's email and phone numbers, as an attacker might compute them. */
function digestsIn(tenantId: string): readonly string[] {
  const emails = [JANE.email.toLowerCase()];
  const phones = ["14155550187", "16285550142"];
  const plain = [...emails, ...phones].flatMap((text) =>
    ["md5", "sha1", "sha256"].map((name) => createHash(name).update(text).digest("hex")),
  );
  const keyed = digestsOf(createSealer(keys), tenantId, { emails, phones });
  return [...plain, ...keyed.map((digest) => digest.toString("hex"))];
}

test("a person is found in everything, and erased from everything", async () => {
  const client = await api.tenant();
  const stored = await storePerson(api, client, receiver);
  const filled = await occurrencesOf(api.sql, client.tenantId, [...SPELLINGS, ...SHARED]);
  const columns = new Set(filled.map((column) => column.split(" ")[0]));
  assert.deepEqual(
    declared.filter((column) => !columns.has(column) && !RARE.test(column)),
    [],
    "She is stored in every column that is declared to hold personal data.",
  );
  await api.sql`analyze`;
  const before = ok(await client.get("/crm/admin/analytics")).body;
  const report = ok(await client.post(REPORT, { email: JANE.email.toUpperCase() })).body;
  const chosen = [
    stored.lead,
    stored.contact,
    stored.account,
    stored.task,
    stored.pushed,
    stored.rejected,
    stored.formerly,
    ...report.records.flatMap(({ type, id }: { type: string; id: string }) =>
      type === "rejected_row" ? [id] : [],
    ),
  ];
  const listed = new Map(
    report.records.map((record: { id: string }) => [record.id, record] as const),
  ) as ReadonlyMap<string, { effect: string; matched: readonly string[] }>;
  const effectOf = (id: string) => listed.get(id)?.effect;
  assert.equal(effectOf(stored.lead), "erase");
  assert.equal(effectOf(stored.contact), "erase");
  assert.equal(effectOf(stored.account), "clear");
  assert.equal(effectOf(stored.deal), "unlink");
  assert.equal(effectOf(stored.invoice), "unlink");
  assert.equal(effectOf(stored.order), "unlink");
  assert.equal(effectOf(stored.task), "erase");
  assert.equal(effectOf(stored.pushed), "erase");
  assert.equal(effectOf(stored.formerly), "clear");
  assert.deepEqual(listed.get(stored.formerly)?.matched, ["history"]);
  assert.ok(listed.has(stored.twin), "the merged copy is listed");
  assert.ok(!listed.has(stored.other), "another person has only the same number");
  assert.deepEqual(
    report.mentions.map(({ id }: { id: string }) => id),
    [stored.other, stored.noted],
  );
  assert.ok(report.recipients.some(({ kind }: { kind: string }) => kind === "event_webhook"));
  assert.ok(report.recipients.some(({ kind }: { kind: string }) => kind === "sent_lead"));
  for (const section of ["records", "history", "deliveries", "merged_copies", "stored_responses"]) {
    assert.ok(report.data[section].length > 0, section);
  }

  const request = { report_id: report.report_id, record_ids: chosen, review_ids: [stored.noted] };
  const dry = ok(await client.post(ERASE, { ...request, dry_run: true })).body;
  assert.equal(dry.state, "dry_run");
  assert.equal(ok(await client.get(`/crm/leads/${stored.lead}`)).body.name, JANE.name);

  const done = ok(await client.post(ERASE, request)).body;
  assert.equal(done.state, "done");
  // The erasure's own events may already have been sent, so this count may be higher than in the dry run.
  const { delivery_attempts: sent } = done.counts;
  assert.ok(sent >= dry.counts.delivery_attempts);
  assert.deepEqual(
    { ...done.counts, delivery_attempts: 0 },
    { ...dry.counts, delivery_attempts: 0 },
  );
  assert.deepEqual(
    done.legal_holds.map(({ id }: { id: string }) => id),
    [stored.invoice],
  );

  assert.deepEqual(await occurrencesOf(api.sql, client.tenantId, SPELLINGS), []);
  assert.deepEqual(await occurrencesOf(api.sql, client.tenantId, digestsIn(client.tenantId)), []);
  // Bob, who was not selected for erasure, has one of Jane's numbers.
  const shared = await occurrencesOf(api.sql, client.tenantId, SHARED);
  assert.ok(shared.some((column) => column.startsWith("leads.body")));
  const statistics = await api.sql`
    select tablename, attname from pg_stats
     where concat_ws(' ', most_common_vals::text, histogram_bounds::text, most_common_elems::text)
           ilike '%quimbywick%'`;
  assert.deepEqual([...statistics], []);
  assert.doesNotMatch(api.log(), /quimbywick|zelda|555-?0142|555-?0187/i);
  assert.doesNotMatch(await readFile(erasureLog, "utf8"), /quimbywick|zelda|555-?0142|555-?0187/i);

  for (const path of [
    `/crm/leads/${stored.lead}`,
    `/crm/contacts/${stored.contact}`,
    `/crm/leads/${stored.twin}`,
  ]) {
    assert.equal((await client.get(path)).status, 404, path);
  }
  assert.equal((await client.get(`/crm/admin/pushed_leads/${stored.pushed}`)).status, 404);
  assert.equal((await stored.partner.get(`/crm/partner/pushed/${stored.pushed}`)).status, 404);
  const deal = ok(await client.get(`/crm/deals/${stored.deal}`)).body;
  assert.deepEqual([deal.contact_id, deal.contact_name, deal.value_of_sale], [null, null, 1000]);
  const invoice = ok(await client.get(`/crm/invoices/${stored.invoice}`)).body;
  assert.deepEqual(
    [invoice.contact_id, invoice.contact_name, invoice.account_name],
    [null, null, "Acme Ltd"],
  );
  const account = ok(await client.get(`/crm/accounts/${stored.account}`)).body;
  assert.deepEqual(
    [account.email, account.description],
    ["info@acme.example", "Write to [erased] first."],
  );
  assert.equal(
    ok(await client.get(`/crm/leads/${stored.formerly}`)).body.email,
    "formerly@example.org",
  );
  assert.equal(ok(await client.get(`/crm/leads/${stored.other}`)).body.phone, JANE.phone);
  const after = ok(await client.get("/crm/admin/analytics")).body;
  assert.equal(after.total_pushed, before.total_pushed);

  // Other tests' transactions can delay the feed.
  const feed = await eventually(
    async () => ok(await client.get("/crm/changes", { limit: 1000 })).body.changes,
    (changes) => {
      const actions: readonly string[] = changes.map(
        (change: { id: string; action: string }) => `${change.action} ${change.id}`,
      );
      return [`deleted ${stored.lead}`, `updated ${stored.account}`].every((one) =>
        actions.includes(one),
      );
    },
  );
  const lastOf = (id: string) => feed.findLast((change: { id: string }) => change.id === id);
  assert.deepEqual([lastOf(stored.lead).action, lastOf(stored.lead).reason], ["deleted", "erased"]);
  assert.equal(lastOf(stored.pushed).action, "deleted");
  assert.equal(lastOf(stored.task).action, "deleted");
  assert.equal(lastOf(stored.deal).action, "updated");
  assert.equal(lastOf(stored.account).action, "updated");
  const fields = feed.find((change: { id: string }) => change.id === stored.lead).changed_fields;
  assert.deepEqual(fields.name, { old: null, new: null });

  // Repeating the request with the same key does not create the lead again.
  const replayed = await client.request({
    method: "POST",
    path: "/crm/leads",
    headers: { "content-type": "application/json", "idempotency-key": "first" },
    body: JSON.stringify(LEAD),
  });
  assert.equal(replayed.status, 404, replayed.text);

  const event = await eventually(
    () => receiver.received.find(({ body }) => body.includes('"person.erased"')),
    (found) => found !== undefined,
  );
  assert.doesNotMatch(event?.body ?? "", /quimbywick|zelda|555-?0142|555-?0187/i);
  assert.ok(event?.body.includes(stored.lead));

  // A second erasure finds nothing.
  assert.deepEqual(ok(await client.post(ERASE, request)).body.counts, {});
  const again = ok(await client.post(REPORT, { email: JANE.email })).body;
  assert.deepEqual(again.records, []);
  const erasures = ok(await client.get("/crm/admin/persons/erasures")).body;
  assert.equal(erasures.length, 2);
});

test("an erasure needs a report of the last day, ids of the report, and records that have not changed", async () => {
  const client = await api.tenant();
  const { _id } = ok(
    await client.post("/crm/leads", { name: "Old", email: "old@example.org" }),
  ).body;
  assert.equal((await client.post(REPORT, {})).status, 422);
  assert.equal((await client.post(REPORT, { email: "nobody" })).status, 422);
  const { report_id } = ok(await client.post(REPORT, { email: "old@example.org" })).body;
  const body = { report_id, record_ids: [_id] };
  const unknown = await client.post(ERASE, { ...body, record_ids: ["nothing"] });
  assert.equal(unknown.status, 422);
  assert.equal((await client.post(ERASE, { ...body, report_id: "nothing" })).status, 404);
  ok(await client.patch(`/crm/leads/${_id}`, { title: "Changed" }));
  const changed = await client.post(ERASE, body);
  assert.equal(changed.status, 409);
  assert.deepEqual(changed.body.changed_ids, [_id]);
  // The worker deletes reports that expired more than a day ago.
  await api.sql`
    update person_reports set expires_ts = extract(epoch from now())::bigint - 60 where id = ${report_id}`;
  assert.equal((await client.post(ERASE, body)).status, 410);
  // Another tenant's report cannot be read.
  const stranger = await api.tenant();
  assert.equal((await stranger.post(ERASE, body)).status, 404);
});

test("an erasure that was interrupted is continued by the worker", async () => {
  const client = await api.tenant();
  const email = "half@example.org";
  const { _id } = ok(await client.post("/crm/leads", { name: "Half Way", email })).body;
  const { report_id } = ok(await client.post(REPORT, { email })).body;
  // The step that removes the values from the history fails until the trigger is dropped.
  await api.sql.unsafe(`
    create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'interrupted'; end $$;
    create trigger refuse before update on changes for each row
      when (old.tenant_id = '${client.tenantId}') execute function refuse()`);
  const started = ok(await client.post(ERASE, { report_id, record_ids: [_id] })).body;
  assert.equal(started.state, "running");
  assert.equal((await client.get(`/crm/leads/${_id}`)).status, 404);
  assert.notDeepEqual(await occurrencesOf(api.sql, client.tenantId, [email]), []);
  await api.sql.unsafe("drop trigger refuse on changes");
  const path = `/crm/admin/persons/erasures/${started.id}`;
  await eventually(
    async () => ok(await client.get(path)).body.state,
    (state) => state === "done",
    90_000,
  );
  assert.deepEqual(await occurrencesOf(api.sql, client.tenantId, [email]), []);
});

test("without an erasure log nothing is erased", async (t) => {
  const other = await startApi(t, { erasureLog: null });
  const client = await other.tenant();
  const email = "kept@example.org";
  const { _id } = ok(await client.post("/crm/leads", { name: "Kept", email })).body;
  const { report_id } = ok(await client.post(REPORT, { email })).body;
  const refused = await client.post(ERASE, { report_id, record_ids: [_id] });
  assert.equal(refused.status, 409);
  assert.match(refused.body.detail, /ERASURE_LOG/);
});
