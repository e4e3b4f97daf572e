/** Rules that apply to every operation: docs/requests.md. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ALL_TYPES, LISTS, NOBODY, RECORDS, account, deal, invoice, lead, task } from "./cases.ts";
import {
  assertBlames,
  assertInvalid,
  assertRefused,
  change,
  create,
  idsOf,
  read,
  recordOf,
  smallest,
} from "./checks.ts";
import { sharedApi } from "../kit/file-api.ts";

const api = await sharedApi();
const JSON_BODY = { "content-type": "application/json" };

/** For each type, its status or stage field, and two values of that field. */
const MOVES: Record<string, readonly [field: string, from: string, to: string]> = {
  lead: ["status", "open", "assigned"],
  contact: ["status", "open", "assigned"],
  account: ["status", "open", "lost"],
  deal: ["stage", "draft", "closed_won"],
  invoice: ["stage", "draft", "paid"],
  order: ["stage", "draft", "cancelled"],
  task: ["status", "assigned", "completed"],
};

// docs/requests.md#protocol
test("a trailing slash returns 404, and with PATCH it is an empty id", async () => {
  const acme = await api.tenant();
  for (const { path } of LISTS) assertRefused(await acme.get(`${path}/`), 404);
  for (const type of ALL_TYPES) {
    assertRefused(await acme.post(`${type.write}/`, type.smallest), 404);
    const reply = await acme.patch(`${type.write}/`, type.change[0]);
    assertInvalid(reply, { type: "string_too_short", loc: ["path", type.param], input: "" });
  }
});

// docs/requests.md#protocol
test("every response is JSON in UTF-8", async () => {
  const acme = await api.tenant();
  const made = await create(acme, lead, { name: "Zoë 😀 Müller" });
  assert.equal(made["name"], "Zoë 😀 Müller");
  const replies = [
    await acme.get("/crm/leads"),
    await acme.get("/nowhere"),
    await acme.get("/crm"),
  ];
  for (const { headers } of [...replies, await acme.get("/crm/leads", { page_size: 0 })]) {
    assert.match(headers.get("content-type") ?? "", /^application\/json(; ?charset=utf-8)?$/i);
  }
  assert.ok(replies[0]!.text.includes("Zoë 😀 Müller"));
});

// docs/requests.md#protocol
test("a GET may have Content-Type: application/json and no body", async () => {
  const acme = await api.tenant();
  const { _id } = await create(acme, lead);
  for (const path of [...LISTS.map((list) => list.path), `/crm/leads/${_id}`]) {
    const reply = await acme.request({ method: "GET", path, headers: JSON_BODY });
    assert.equal(reply.status, 200, path);
  }
});

// docs/requests.md#order-of-checks
test("an unknown path returns 404 and an unknown method 405, before any credential is checked", async () => {
  const acme = await api.tenant();
  const headers = { authorization: null };
  for (const path of ["/", "/crm", "/crm/nope", "/crm/lead", "/v1/crm/leads"]) {
    assert.equal((await acme.request({ method: "GET", path, headers })).status, 404, path);
  }
  for (const type of ALL_TYPES) {
    const reply = await acme.request({ method: "PUT", path: type.write, headers });
    assertRefused(reply, 405);
    assert.match(reply.headers.get("allow") ?? "", /POST/);
    const one = await acme.request({ method: "PUT", path: `${type.write}/${NOBODY}`, headers });
    assertRefused(one, 405);
    assert.match(one.headers.get("allow") ?? "", /PATCH/);
  }
});

// docs/requests.md#ids
test("every record type returns 404 for an unknown id", async () => {
  const acme = await api.tenant();
  for (const type of ALL_TYPES) {
    for (const id of [NOBODY, "x", "a".repeat(100), "%20", "é", NOBODY.toUpperCase()]) {
      assertRefused(await acme.get(`${type.list}/${id}`), 404);
      assertRefused(await acme.patch(`${type.write}/${id}`, type.change[0]), 404);
    }
  }
});

for (const type of ALL_TYPES) {
  // docs/requests.md#ids
  test(`the id in PATCH ${type.write}/{${type.param}} has 1 to 100 characters`, async () => {
    const acme = await api.tenant();
    const path = (id: string) => `${type.write}/${id}`;
    const long = { type: "string_too_long", loc: ["path", type.param], ctx: { max_length: 100 } };
    assertInvalid(await acme.patch(path("a".repeat(101)), type.change[0]), long);
    const many = await acme.patch(path("é".repeat(101)), type.change[0]);
    assertInvalid(many, long);
    assertRefused(await acme.patch(path("é".repeat(100)), type.change[0]), 404);
    assertBlames(await acme.get(`${type.list}/${"a".repeat(101)}`), "path");
  });

  // docs/requests.md#sending-a-record-back
  test(`a ${type.name} that was read can be sent back, which writes nothing`, async () => {
    const acme = await api.tenant();
    const secret = type.returns.includes("ssn") ? { ssn: "123-45-6789" } : {};
    const made = await create(acme, type, { ...secret, external_id: "ext-1" });
    assert.deepEqual(recordOf(await acme.patch(`${type.write}/${made["_id"]}`, made)), made);
    assert.deepEqual(await read(acme, type, made["_id"]), made);
    const next = recordOf(
      await acme.patch(`${type.write}/${made["_id"]}`, { ...made, ...type.change[0] }),
    );
    assert.equal(next["version"], 2);
  });

  // docs/requests.md#sending-a-record-back
  test(`a ${type.name} that was read can be created again`, async () => {
    const acme = await api.tenant();
    const made = await create(acme, type, type.change[0]);
    const number = type === invoice ? { invoice_num: "AGAIN-1" } : {};
    const again = recordOf(await acme.post(type.write, { ...made, ...number }));
    assert.notEqual(again["_id"], made["_id"]);
    const [field] = Object.keys(type.change[0]);
    assert.equal(again[field!], made[field!]);
    assert.deepEqual(idsOf(await acme.get(type.list)), [again["_id"], made["_id"]]);
  });

  // docs/requests.md#parameters
  test(`an unknown field in body or query of a ${type.name} returns extra_forbidden`, async () => {
    const acme = await api.tenant();
    const body = await smallest(acme, type);
    const fault = { type: "extra_forbidden", msg: "Extra inputs are not permitted" };
    const extra = { ...fault, loc: ["body", "nick"], input: "x" };
    assertInvalid(await acme.post(type.write, { ...body, nick: "x" }), extra);
    const { _id } = await create(acme, type);
    assertInvalid(await acme.patch(`${type.write}/${_id}`, { nick: "x" }), extra);
    const query = { ...fault, loc: ["query", "dry"], input: "1" };
    assertInvalid(await acme.post(`${type.write}?dry=1`, body), query);
    assertInvalid(await acme.get(`${type.list}/${_id}`, { dry: 1 }), query);
  });

  // docs/requests.md#null-and-empty-values
  test(`values that equal those of the stored ${type.name} write nothing`, async () => {
    const acme = await api.tenant();
    const made = await create(acme, type, type.change[0]);
    await api.restamp(type.table, made["_id"], { updated_ts: 1_600_000_000 });
    const same = await change(acme, type, made["_id"], type.change[0]);
    assert.deepEqual([same["version"], same["updated_ts"]], [1, 1_600_000_000]);
    const other = await change(acme, type, made["_id"], type.change[1]);
    assert.equal(other["version"], 2);
    assert.ok(other["updated_ts"] > 1_700_000_000);
  });

  // docs/requests.md#timestamps
  test(`ids of a ${type.name} contain their second and increase, timestamps have both forms`, async () => {
    const acme = await api.tenant();
    const one = await create(acme, type);
    const two = await create(acme, type);
    assert.match(one["_id"], /^[0-9a-f]{24}$/);
    assert.equal(one["id"], one["_id"]);
    assert.ok(two["_id"] > one["_id"]);
    const second = Number.parseInt(one["_id"].slice(0, 8), 16);
    assert.ok(Math.abs(second - one["created_ts"]) <= 2);
    assert.equal(one["version"], 1);
    const stamps = [one["updated_ts"], one["status_update_date"]];
    assert.deepEqual(stamps, [one["created_ts"], one["created_ts"]]);
    const pairs = { created_ts: "created_date", updated_ts: "updated_date" };
    for (const [number, text] of Object.entries({
      ...pairs,
      status_update_date: "status_updated_date",
    })) {
      assert.ok(Number.isInteger(one[number]));
      assert.match(one[text], /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      assert.equal(Date.parse(one[text]) / 1000, one[number]);
    }
  });

  // docs/records.md#common-fields
  test(`the external_id of a ${type.name} is unique per tenant and type`, async () => {
    const acme = await api.tenant();
    const rival = await api.tenant();
    const made = await create(acme, type, { external_id: "e".repeat(200) });
    assert.equal(made["external_id"], "e".repeat(200));
    const body = { ...(await smallest(acme, type)), external_id: "e".repeat(200) };
    assertRefused(await acme.post(type.write, body), 409);
    await create(rival, type, { external_id: "e".repeat(200) });
    const second = await create(acme, type);
    const path = `${type.write}/${second["_id"]}`;
    assertRefused(await acme.patch(path, { external_id: "e".repeat(200) }), 409);
    const long = { ...(await smallest(acme, type)), external_id: "e".repeat(201) };
    assertInvalid(await acme.post(type.write, long), {
      type: "string_too_long",
      loc: ["body", "external_id"],
    });
  });
}

// docs/requests.md#timestamps
test("status_update_date changes only when the status or stage changes value", async () => {
  const acme = await api.tenant();
  for (const type of ALL_TYPES) {
    const [field, from, to] = MOVES[type.name]!;
    const { _id } = await create(acme, type, { [field]: from });
    await api.restamp(type.table, _id, { status_update_date: 1_600_000_000 });
    const kept = await change(acme, type, _id, { ...type.change[0], [field]: from });
    assert.equal(kept["status_update_date"], 1_600_000_000, type.name);
    assert.equal(kept["status_updated_date"], "2020-09-13T12:26:40Z");
    const moved = await change(acme, type, _id, { [field]: to });
    assert.ok(moved["status_update_date"] > 1_700_000_000, type.name);
  }
});

// docs/records.md#common-fields
test("the owner is the user whose token created the record", async () => {
  const acme = await api.tenant();
  for (const type of RECORDS) {
    const made = await create(acme, type);
    assert.equal(typeof made["userid"], "string");
    assert.equal(typeof made["user_name"], "string");
    assert.equal(made["created_by_userid"], made["userid"]);
  }
});

// docs/requests.md#timestamps
test("an epoch time in milliseconds is rejected, a fraction of a second is stored", async () => {
  const acme = await api.tenant();
  const cases = [
    [lead, "decision_date"],
    [deal, "expected_close_date"],
    [deal, "renewal_date"],
    [invoice, "invoice_date"],
    [task, "due_date"],
  ] as const;
  for (const [type, field] of cases) {
    const made = await create(acme, type, { [field]: 1_700_000_000.25 });
    assert.equal(made[field], 1_700_000_000.25);
    for (const value of [1_700_000_000_000, 100_000_000_000]) {
      const body = { ...(await smallest(acme, type)), [field]: value };
      assertBlames(await acme.post(type.write, body), "body", field);
    }
  }
});

// docs/requests.md#sending-a-record-back
test("a changed value of a field that PATCH cannot change is rejected", async () => {
  const acme = await api.tenant();
  const payer = await create(acme, account);
  const other = await create(acme, account);
  const made = await create(acme, deal, { account_id: payer["_id"] });
  const back = { ...made, account_id: other["_id"] };
  assertBlames(await acme.patch(`${deal.write}/${made["_id"]}`, back), "body", "account_id");
  assert.deepEqual(idsOf(await acme.get(deal.list)), [made["_id"]]);
  assert.deepEqual(await read(acme, deal, made["_id"]), made);
});
