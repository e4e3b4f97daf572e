/** Reviewing a lead: its possible duplicates, and decisions about one lead or a batch. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileApi } from "../../kit/file-api.ts";
import { newKey } from "../../api/keys/keyed-samples.ts";
import { ok, type Body } from "../../api/samples.ts";
import type { Answer } from "../../kit/api.ts";
import {
  decide,
  faultsOf,
  importPushed,
  NOBODY,
  partnerOf,
  refused,
  REVIEW,
  reviewed,
} from "../exchange-kit.ts";

const api = await fileApi();
const acme = await api.tenant();
const partner = await partnerOf(acme);
const BATCH = `${REVIEW}/batch`;

test("a lead shows the leads, contacts and other pushes it may duplicate, and the matching fields", async () => {
  const tenant = await api.tenant();
  const own = await partnerOf(tenant);
  const other = await partnerOf(tenant);
  const email = "ada@example.com";
  const phone = "(555) 555-0100";
  const make = async (path: string, body: Body) =>
    ok(await tenant.post(path, { name: "Ada Example", source: "Yelp", ...body })).body._id;
  const lead = await make("/crm/leads", { email: "ADA@example.com" });
  const contact = await make("/crm/contacts", { phone: "5555550100" });
  const both = await make("/crm/contacts", { email, phone });
  await make("/crm/leads", { email: "ada@example.org", phone: "555 555 0101" });
  await make("/crm/accounts", { email });
  const { id: elsewhere } = await other.push({ email: " Ada@Example.com", source: "Google" });
  const { id: closed } = await other.push({ email: undefined, phone });
  ok(await decide(tenant, closed, "reject"));
  const { id } = await own.push({ email, phone });
  const { resembles } = (await reviewed(tenant, id)) as unknown as { resembles: Body[] };
  assert.deepEqual(
    resembles.map((one) => [one["record"], one["id"], one["matched_on"]]),
    [
      ["lead", lead, ["email"]],
      ["contact", both, ["email", "phone"]],
      ["contact", contact, ["phone"]],
      ["pushed_lead", elsewhere, ["email"]],
    ],
  );
  const [first, , , last] = resembles;
  assert.deepEqual(
    [
      first?.["name"],
      first?.["email"],
      first?.["source"],
      first?.["status"],
      first?.["partner_id"],
    ],
    ["Ada Example", "ADA@example.com", "Yelp", "assigned", null],
  );
  assert.deepEqual([last?.["status"], last?.["partner_id"]], ["pending", other.partner_id]);
});

test("a lead without possible duplicates has an empty list, and an imported one lists the lead it became", async () => {
  const { id } = await partner.push();
  assert.deepEqual((await reviewed(acme, id))["resembles"], []);
  const made = await importPushed(acme, id);
  const { resembles } = (await reviewed(acme, id)) as unknown as { resembles: Body[] };
  assert.deepEqual(
    resembles.map((one) => [one["id"], one["partner_id"]]),
    [[made["_id"], partner.partner_id]],
  );
});

test("an unknown or malformed id returns 404 for every decision", async () => {
  for (const id of [NOBODY, "nonsense", "x".repeat(100)]) {
    refused(await acme.get(`${REVIEW}/${id}`), 404);
    for (const word of ["accept", "reject", "import"] as const) {
      refused(await decide(acme, id, word), 404);
    }
  }
  assert.equal((await acme.get(`${REVIEW}/${"x".repeat(101)}`)).status, 422);
});

const NO_REASON: readonly (readonly [body: unknown, fault: string])[] = [
  [undefined, "body missing"],
  [{}, "body.reason missing"],
  [{ reason: null }, "body.reason string_type"],
  [{ reason: "" }, "body.reason string_too_short"],
  [{ reason: " \n\t" }, "body.reason value_error"],
  [{ reason: 5 }, "body.reason string_type"],
  [{ reason: "x".repeat(5001) }, "body.reason string_too_long"],
  [{ reason: "No", by: "me" }, "body.by extra_forbidden"],
];

for (const [body, fault] of NO_REASON) {
  test(`a rejection with ${JSON.stringify(body)?.slice(0, 40) ?? "no body"} is invalid`, async () => {
    const { id } = await partner.push();
    assert.deepEqual(faultsOf(await acme.post(`${REVIEW}/${id}/reject`, body)), [fault]);
    assert.equal((await reviewed(acme, id)).status, "pending");
  });
}

test("the reason is stored as it was given, and the partner reads it", async () => {
  const { id } = await partner.push();
  const reason = ` Not our “market”,\nsorry ${"x".repeat(4000)}`;
  assert.equal(ok(await acme.post(`${REVIEW}/${id}/reject`, { reason })).body.status, "rejected");
  const seen = ok(await partner.get(`/crm/partner/pushed/${id}`)).body;
  assert.deepEqual([seen.status, seen.rejection_reason], ["rejected", reason]);
});

/** Returns the member names of each step in a pushed lead's history. */
const membersOf = ({ history }: Body) =>
  (history as readonly Body[]).map((step) => Object.keys(step).join(" "));

test("the tenant sees which user decided, and the partner does not", async () => {
  const { id } = await partner.push();
  ok(await acme.post(`${REVIEW}/${id}/reject`, { reason: "Too far away" }));
  const own = ok(await acme.get(`${REVIEW}/${id}`)).body as Body;
  assert.deepEqual(membersOf(own), ["from to at by actor", "from to at by actor"]);
  const seen = ok(await partner.get(`/crm/partner/pushed/${id}`)).body as Body;
  assert.deepEqual(membersOf(seen), ["from to at by", "from to at by"]);
});

test("accept and import need no body, and accept only an empty one", async () => {
  const { id } = await partner.push();
  const path = (word: string) => `${REVIEW}/${id}/${word}`;
  const fault = await acme.post(path("accept"), { reason: "Because" });
  assert.deepEqual(faultsOf(fault), ["body.reason extra_forbidden"]);
  assert.equal(ok(await acme.post(path("accept"))).body.status, "accepted");
  assert.equal(ok(await acme.post(path("import"))).body.status, "imported");
});

test("each lead of a batch is decided separately, with its own result", async () => {
  const states = ["pending", "accepted", "rejected", "imported"] as const;
  const ways = {
    pending: [],
    accepted: ["accept"],
    rejected: ["reject"],
    imported: ["accept", "import"],
  } as const;
  const ids: string[] = [];
  for (const state of states) {
    const { id } = await partner.push();
    for (const word of ways[state]) ok(await decide(acme, id, word));
    ids.push(id);
  }
  const [pending, accepted, rejected, imported] = ids as [string, string, string, string];
  const rival = await api.tenant();
  const { id: theirs } = await (await partnerOf(rival)).push();
  const sent = [imported, NOBODY, accepted, pending, "nonsense", pending, theirs, rejected];
  const results = ok(await acme.post(BATCH, { ids: sent, action: "accept" })).body as Body[];
  assert.deepEqual(
    results.map((one) => [one["id"], one["ok"], one["code"], one["status"]]),
    [
      [imported, false, 409, "imported"],
      [NOBODY, false, 404, null],
      [accepted, false, 409, "accepted"],
      [pending, true, undefined, "accepted"],
      ["nonsense", false, 404, null],
      [pending, false, 409, "accepted"],
      [theirs, false, 404, null],
      [rejected, false, 409, "rejected"],
    ],
  );
  for (const { ok: done, detail } of results) assert.equal(typeof detail === "string", !done);
  assert.equal((await reviewed(rival, theirs)).status, "pending");
});

test("a batch imports, and returns what each lead became", async () => {
  const ids: string[] = [];
  for (let at = 0; at < 3; at++) ids.push((await partner.push()).id);
  const [, second] = ids;
  for (const id of ids.filter((one) => one !== second)) ok(await decide(acme, id, "accept"));
  const results = ok(await acme.post(BATCH, { ids, action: "import" })).body as Body[];
  assert.deepEqual(
    results.map((one) => [one["ok"], one["status"]]),
    [
      [true, "imported"],
      [false, "pending"],
      [true, "imported"],
    ],
  );
  for (const { ok: done, imported_lead_id } of results.filter((one) => one["ok"])) {
    assert.equal(done, true);
    assert.equal((await acme.get(`/crm/leads/${String(imported_lead_id)}`)).status, 200);
  }
});

/** Sends a batch with a new idempotency key. */
const sendBatch = (order: readonly string[], action: string) =>
  acme.request({
    method: "POST",
    path: BATCH,
    headers: { "content-type": "application/json", "idempotency-key": newKey() },
    body: JSON.stringify({ ids: order, action }),
  });

test("two batches over the same leads, each with a key and one reversed, do not block each other", async () => {
  const ids = await Promise.all(Array.from({ length: 40 }, async () => (await partner.push()).id));
  for (const action of ["accept", "import"]) {
    const orders = [ids, ids.toReversed()];
    const answers = await Promise.all(orders.map((order) => sendBatch(order, action)));
    for (const [at, answer] of answers.entries()) {
      const results = ok(answer).body as Body[];
      assert.deepEqual(
        results.map(({ id }) => id),
        orders[at],
      );
      assert.deepEqual(
        results.filter(({ code = 409 }) => code !== 409),
        [],
      );
    }
    assert.equal(
      answers.flatMap(({ body }) => body as Body[]).filter((one) => one["ok"]).length,
      40,
    );
  }
});

/** Runs `work` while a database trigger runs `does` for each new lead named Breaks. */
async function whileBreaking(does: string, work: () => Promise<Answer>): Promise<Answer> {
  await api.sql.unsafe(`
    create function fail() returns trigger language plpgsql as $$ begin ${does}; end $$;
    create trigger fail before insert on leads for each row when (new.name = 'Breaks')
      execute function fail()`);
  try {
    return await work();
  } finally {
    await api.sql`drop function fail() cascade`;
  }
}

test("a database that goes away ends a batch, which can be sent again", async () => {
  const { id } = await partner.push({ name: "Breaks" });
  ok(await decide(acme, id, "accept"));
  const send = () => acme.post(BATCH, { ids: [NOBODY, id], action: "import" });
  const goes = "raise exception 'the database is going down' using errcode = '57P01'";
  refused(await whileBreaking(goes, send), 503);
  const results = ok(await send()).body as Body[];
  assert.deepEqual(
    results.map((one) => one["ok"]),
    [false, true],
  );
});

test("a lead whose import fails affects no other of its batch, and stays accepted", async () => {
  const ids: string[] = [];
  for (const name of ["First", "Breaks", "Last"]) {
    const { id } = await partner.push({ name });
    ok(await decide(acme, id, "accept"));
    ids.push(id);
  }
  const answer = await whileBreaking("raise exception 'the disk is on fire'", () =>
    acme.post(BATCH, { ids, action: "import" }),
  );
  const results = ok(answer).body as Body[];
  assert.deepEqual(
    results.map((one) => [one["ok"], one["code"], one["status"]]),
    [
      [true, undefined, "imported"],
      [false, 500, null],
      [true, undefined, "imported"],
    ],
  );
  assert.ok(!answer.text.includes("fire"));
  assert.ok(api.log().includes("the disk is on fire"));
  assert.equal((await reviewed(acme, ids[1] ?? "")).status, "accepted");
});

test("a batch rejects all of its leads for one reason", async () => {
  const ids = [(await partner.push()).id, (await partner.push()).id];
  ok(await acme.post(BATCH, { ids, action: "reject", reason: "Too far away" }));
  for (const id of ids) {
    const { status, rejection_reason } = await reviewed(acme, id);
    assert.deepEqual([status, rejection_reason], ["rejected", "Too far away"]);
  }
});

const many = (count: number) => Array.from({ length: count }, () => NOBODY);

test("a batch holds up to 500 leads", async () => {
  const results = ok(await acme.post(BATCH, { ids: many(500), action: "accept" })).body as Body[];
  assert.equal(results.length, 500);
  assert.ok(results.every(({ code }) => code === 404));
});

const BAD_BATCHES: readonly (readonly [body: Body, ...faults: string[]])[] = [
  [{}, "body.ids missing", "body.action missing"],
  [{ ids: many(501), action: "accept" }, "body.ids too_long"],
  [{ ids: [], action: "accept" }, "body.ids too_short"],
  [{ ids: [5], action: "accept" }, "body.ids.0 string_type"],
  [{ ids: ["x".repeat(101)], action: "accept" }, "body.ids.0 string_too_long"],
  [{ ids: NOBODY, action: "accept" }, "body.ids list_type"],
  [{ ids: many(1), action: "expire" }, "body.action enum"],
  [{ ids: many(1), action: "reject" }, "body.reason missing"],
  [{ ids: many(1), action: "reject", reason: " " }, "body.reason missing"],
  [{ ids: many(1), action: "accept", reason: "Because" }, "body.reason value_error"],
  [{ ids: many(1), action: "import", reason: "Because" }, "body.reason value_error"],
];

for (const [body, ...faults] of BAD_BATCHES) {
  test(`the batch ${JSON.stringify(body).slice(0, 60)} is rejected`, async () => {
    assert.deepEqual(faultsOf(await acme.post(BATCH, body)), faults);
  });
}

test("a rejected batch decides nothing", async () => {
  const { id } = await partner.push();
  assert.equal((await acme.post(BATCH, { ids: [id, 5], action: "accept" })).status, 422);
  assert.equal((await reviewed(acme, id)).status, "pending");
});
