/** Unusual but possible requests: each returns a documented status, never 500. */
import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { account, deal, invoice, lead, order, task } from "./cases.ts";
import { assertBlames, assertRefused, change, create, read, recordOf, smallest } from "./checks.ts";
import { sharedApi } from "../kit/file-api.ts";

const api = await sharedApi();
const raw = (method: string, path: string, body: string | Buffer) => ({
  method,
  path,
  headers: { "content-type": "application/json" },
  body,
});

// docs/requests.md#order-of-checks
test("a path that cannot be decoded returns 404 with a detail", async () => {
  const acme = await api.tenant();
  for (const path of ["/crm/leads/%zz", "/crm/leads/%E0%A4%A", "/%", "/crm/%c0%af"]) {
    assertRefused(await acme.request({ method: "GET", path }), 404);
  }
});

// docs/requests.md#order-of-checks
test("OPTIONS and other methods on a known path return 405 with Allow", async () => {
  const acme = await api.tenant();
  for (const method of ["OPTIONS", "PUT", "DELETE"]) {
    const reply = await acme.request({ method, path: "/crm/leads" });
    assertRefused(reply, 405);
    assert.match(reply.headers.get("allow") ?? "", /GET/);
    assertRefused(await acme.request({ method, path: "/crm/nope" }), 404);
  }
});

// docs/requests.md#limits
test("a number beyond double precision returns 422 in every field for numbers", async () => {
  const acme = await api.tenant();
  const cases = [
    [lead, ["decision_date", "birth_year", "birth_day"]],
    [account, ["num_employees"]],
    [deal, ["value_of_sale", "probability_pcnt", "expected_close_date", "renewal_date"]],
    [invoice, ["total_amount", "invoice_date"]],
    [order, ["total_amount", "order_date"]],
    [task, ["priority", "due_date"]],
  ] as const;
  for (const [type, fields] of cases) {
    const body = await smallest(acme, type);
    for (const field of fields) {
      for (const number of ["1e400", "-1e400"]) {
        const text = JSON.stringify({ ...body, [field]: "NUMBER" }).replace('"NUMBER"', number);
        assertBlames(await acme.request(raw("POST", type.write, text)), "body");
      }
    }
  }
});

// docs/requests.md#limits
test("a number beyond double precision is not silently lost inside free objects", async () => {
  const acme = await api.tenant();
  const refs = await smallest(acme, order);
  const cases = [
    [task.write, { name: "Call", action_data: { size: "NUMBER" } }],
    [order.write, { ...refs, order_line_list: [{ amount: "NUMBER" }] }],
    [order.write, { ...refs, order_line_list: [{ weight: "NUMBER" }] }],
  ] as const;
  for (const [path, body] of cases) {
    const text = JSON.stringify(body).replace('"NUMBER"', "1e400");
    assertBlames(await acme.request(raw("POST", path, text)), "body");
  }
});

// docs/records.md#money
test("a product's numbers have the limits of money", async () => {
  const acme = await api.tenant();
  const body = await smallest(acme, deal);
  const cases = { unit_amount: ["1e400", "1e300", "0.12345678", "1234567890123456"] };
  for (const [field, numbers] of Object.entries({ ...cases, unit_count: ["1e400", '"2"'] })) {
    for (const number of numbers) {
      const product = { unit_amount: 1, unit_count: 1, [field]: "NUMBER" };
      const text = JSON.stringify({ ...body, product_dict_list: [product] });
      const reply = await acme.request(raw("POST", deal.write, text.replace('"NUMBER"', number)));
      assertBlames(reply, "body");
    }
  }
});

// docs/records.md#deal-values
test("a deal whose value follows its products can be sent back", async () => {
  const acme = await api.tenant();
  const product = { unit_amount: 999_999_999.99, unit_count: 9_999 };
  const made = await create(acme, deal, { product_dict_list: [product] });
  assert.deepEqual(recordOf(await acme.patch(`${deal.write}/${made["_id"]}`, made)), made);
  const beyond = { product_dict_list: [{ ...product, unit_count: 9_999_999 }] };
  const refused = await acme.patch(`${deal.write}/${made["_id"]}`, beyond);
  assertBlames(refused, "body", "product_dict_list");
});

// docs/requests.md#null-and-empty-values
test("a PATCH of read-only fields alone has nothing to change", async () => {
  const acme = await api.tenant();
  const made = await create(acme, lead);
  const { _id, id, version, created_ts } = made;
  for (const body of [{ version }, { _id, id, created_ts }]) {
    assertRefused(await acme.patch(`${lead.write}/${_id}`, body), 400);
  }
  assert.deepEqual(await read(acme, lead, _id), made);
});

// docs/records.md#numbers-and-lists
test("an entry keeps keys such as __proto__ and constructor", async () => {
  const acme = await api.tenant();
  const entry = '{"type":"x","url":"y","__proto__":{"z":1},"constructor":"c","":"empty"}';
  const text = `{"name":"Ada","social_dict_list":[${entry}]}`;
  const reply = await acme.request(raw("POST", lead.write, text));
  assert.equal(reply.status, 200, reply.text);
  const kept = reply.text.replaceAll(" ", "");
  for (const part of ['"__proto__":{"z":1}', '"constructor":"c"', '"":"empty"']) {
    assert.ok(kept.includes(part), part);
  }
});

// docs/requests.md#parameters
test("a field called __proto__ or constructor is an unknown field", async () => {
  const acme = await api.tenant();
  for (const name of ["__proto__", "constructor", "toString", ""]) {
    const text = `{"name":"Ada",${JSON.stringify(name)}:1}`;
    assertBlames(await acme.request(raw("POST", lead.write, text)), "body", name);
    const filter = `{${JSON.stringify(name)}:1}`;
    const reply = await acme.get(lead.list, { match_filter_dict: filter });
    assertBlames(reply, "query", "match_filter_dict");
    const sort = { sort_dict: `{${JSON.stringify(name)}:1}` };
    assertBlames(await acme.get(lead.list, sort), "query", "sort_dict");
  }
});

// docs/requests.md#protocol
test("a body that is not UTF-8 returns 422", async () => {
  const acme = await api.tenant();
  const body = Buffer.from('{"name":"Zoë"}', "latin1");
  assertBlames(await acme.request(raw("POST", lead.write, body)), "body");
});

// docs/requests.md#limits
test("a chunked body over 1 MiB returns 413 as well", async () => {
  const acme = await api.tenant();
  const headers = { authorization: `Bearer ${acme.bearer}`, "content-type": "application/json" };
  const status = await new Promise((resolve, reject) => {
    const sent = request(`${api.url}/crm/leads`, { method: "POST", headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sent.on("error", reject);
    for (let at = 0; at < 20; at += 1) sent.write("x".repeat(64 * 1024));
    sent.end();
  });
  assert.equal(status, 413);
});

// docs/filters.md#operators
test("odd filters are rejected or match nothing", async () => {
  const acme = await api.tenant();
  await create(acme, task);
  const nothing = [
    { priority: 2.5 },
    { priority: 1e300 },
    { due_date: { $gt: -1e300 } },
    { name: { $in: [] } },
    { tags: { $size: 1000 } },
    { tags: { $all: [] } },
  ];
  for (const match_filter_dict of nothing) {
    const reply = await acme.get(task.list, { match_filter_dict });
    assert.deepEqual(recordOf(reply)["tasks"], [], JSON.stringify(match_filter_dict));
  }
  const refused = ['{"priority":1e400}', '{"tags":{"$size":-1}}', '{"name":{"$in":"x"}}'];
  for (const match_filter_dict of [
    ...refused,
    '{"$and":{}}',
    '{"$or":[1]}',
    '{"name":{"$not":1}}',
  ]) {
    assertBlames(await acme.get(task.list, { match_filter_dict }), "query", "match_filter_dict");
  }
});

// docs/lists.md#dates
test("dates at the ends of the calendar and pages far away are empty lists", async () => {
  const acme = await api.tenant();
  const made = await create(acme, lead);
  const far = { start_date: "9999-12-31", end_date: "9999-12-31T23:59:59Z" };
  assert.deepEqual(recordOf(await acme.get(lead.list, far))["leads"], []);
  const all = { start_date: "0001-01-01", end_date: "9999-12-31" };
  assert.deepEqual(recordOf(await acme.get(lead.list, all))["leads"], [made]);
  assert.deepEqual(recordOf(await acme.get(lead.list, { page_num: 1_000_000_000 }))["leads"], []);
  const reply = await acme.get(lead.list, { page_num: "9".repeat(30) });
  assertBlames(reply, "query", "page_num");
});

// docs/records.md#email-addresses-and-phone-numbers
test("odd addresses and numbers are stored, not rejected", async () => {
  const acme = await api.tenant();
  const odd = [
    "",
    " ",
    "a@",
    "@b",
    "a@b@c",
    "ä@exämple.example",
    "a b@example.com",
    "x".repeat(254),
  ];
  for (const email of odd) assert.equal((await create(acme, lead, { email }))["email"], email);
  for (const phone of ["", " ", "+", "+999999999999999", "0", "☎", "12", "1".repeat(50)]) {
    const made = await create(acme, lead, { phone });
    assert.equal(made["phone"], phone);
    await change(acme, lead, made["_id"], { phone: "2025550123" });
  }
});
