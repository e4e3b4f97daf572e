/** Invoices and orders as spec 2.5, 2.6, 3, 4.5 and 4.6 describe them, field by field. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { account, contact, deal, invoice, order } from "./cases.ts";
import {
  assertBlames,
  assertEnum,
  assertInvalid,
  assertLongest,
  assertRefused,
  change,
  create,
  fresh,
  idsOf,
  read,
  recordOf,
  smallest,
} from "./checks.ts";
import { INVOICE_STAGES, INVOICE_TYPES, ORDER_STAGES, ORDER_TYPES } from "./enums.ts";
import { fileApi } from "../kit/file-api.ts";

const api = await fileApi();

const LINES = [
  { description: "Loom", amount: 200, line_detail_dict: { qty: 2, unit_price: 100 } },
  { description: "Freight", amount: -10.5, colour: "red" },
  {},
];

/** The update set of each type with values that come back as they were sent. */
const UPDATES = {
  invoice: {
    stage: "open",
    description: "Two looms",
    total_amount: 189.5,
    invoice_date: 1_700_000_000,
    invoice_line_list: LINES,
  },
  order: {
    stage: "pending",
    description: "Two looms",
    total_amount: 189.5,
    order_date: 1_700_000_000.5,
    order_line_list: LINES,
  },
};

test("4.5 POST /crm/invoices: answers 200 with the created invoice", async () => {
  const acme = await api.tenant();
  const [payer, person] = [await create(acme, account), await create(acme, contact)];
  const project = await create(acme, deal);
  const body = {
    invoice_num: fresh("INV"),
    invoice_type: "credit",
    account_id: payer["_id"],
    contact_id: person["_id"],
    opportunity_id: project["_id"],
    ...UPDATES.invoice,
  };
  const made = recordOf(await acme.post("/crm/invoices", body));
  for (const [field, value] of Object.entries(body)) assert.deepEqual(made[field], value, field);
  assert.equal(made["name"], body.invoice_num);
  assert.equal(made["account_name"], payer["name"]);
  assert.equal(made["contact_name"], person["name"]);
  assert.deepEqual(await read(acme, invoice, made["_id"]), made);
});

test("4.6 POST /crm/orders: answers 200 with the created order", async () => {
  const acme = await api.tenant();
  const [payer, person] = [await create(acme, account), await create(acme, contact)];
  const project = await create(acme, deal);
  const body = {
    name: "Spring order",
    order_type: "quote",
    account_id: payer["_id"],
    contact_id: person["_id"],
    opportunity_id: project["_id"],
    ...UPDATES.order,
  };
  const made = recordOf(await acme.post("/crm/orders", body));
  for (const [field, value] of Object.entries(body)) assert.deepEqual(made[field], value, field);
  assert.equal(made["account_name"], payer["name"]);
  assert.deepEqual(await read(acme, order, made["_id"]), made);
});

const missingField = (field: string) => ({ type: "missing", loc: ["body", field], input: {} });

test("2.5 invoice: number, account, total and lines are required", async () => {
  const acme = await api.tenant();
  const fields = ["invoice_num", "account_id", "total_amount", "invoice_line_list"];
  assertInvalid(await acme.post("/crm/invoices", {}), ...fields.map(missingField));
  const body = await smallest(acme, invoice);
  for (const field of fields) {
    const { [field]: _, ...rest } = body;
    const reply = await acme.post("/crm/invoices", rest);
    assertInvalid(reply, { type: "missing", loc: ["body", field], msg: "Field required" });
    const nulled = await acme.post("/crm/invoices", { ...rest, [field]: null });
    assertInvalid(nulled, { loc: ["body", field], input: null });
  }
});

test("2.5 invoice: type and stage have defaults, the rest is empty", async () => {
  const made = await create(await api.tenant(), invoice);
  for (const name of invoice.returns) assert.ok(name in made, `${name} is missing`);
  assert.deepEqual([made["invoice_type"], made["stage"]], ["sales", "draft"]);
  for (const field of ["description", "invoice_date", "contact_id", "opportunity_id"]) {
    assert.equal(made[field], null, field);
  }
});

test("2.6 order: one of account_id and contact_id is required, nothing else", async () => {
  const acme = await api.tenant();
  assertBlames(await acme.post("/crm/orders", { name: "Spring order" }), "body");
  const person = await create(acme, contact);
  const made = recordOf(await acme.post("/crm/orders", { contact_id: person["_id"] }));
  for (const name of order.returns) assert.ok(name in made, `${name} is missing`);
  assert.deepEqual([made["order_type"], made["stage"]], ["sales", "draft"]);
  assert.deepEqual(made["order_line_list"], []);
  for (const field of ["description", "order_date", "account_id", "opportunity_id"]) {
    assert.equal(made[field], null, field);
  }
});

test("D3.7: order numbers rise in a tenant and name the order", async () => {
  const [acme, rival] = [await api.tenant(), await api.tenant()];
  const numbers: number[] = [];
  for (const tenant of [acme, acme, rival, acme]) {
    const made = await create(tenant, order);
    assert.match(made["order_num"], /^SO-\d{4,}$/);
    assert.equal(made["name"], made["order_num"]);
    if (tenant === acme) numbers.push(Number(made["order_num"].slice(3)));
  }
  assert.equal(numbers[0], 1001);
  assert.deepEqual(
    numbers,
    [...new Set(numbers)].toSorted((a, b) => a - b),
  );
});

test("2.5 invoice_num: unique in a tenant, a second one is 409", async () => {
  const [acme, rival] = [await api.tenant(), await api.tenant()];
  const made = await create(acme, invoice, { invoice_num: "INV-1" });
  const body = { ...(await smallest(acme, invoice)), invoice_num: "INV-1" };
  const reply = await acme.post("/crm/invoices", body);
  assertRefused(reply, 409);
  assert.equal((reply.body as Record<string, unknown>)["existing_id"], made["_id"]);
  assert.equal((await create(rival, invoice, { invoice_num: "INV-1" }))["invoice_num"], "INV-1");
  assert.deepEqual(idsOf(await acme.get("/crm/invoices")), [made["_id"]]);
});

test("3 invoice: stage takes its 6 values on create and PATCH", async () =>
  assertEnum(await api.tenant(), invoice, "stage", INVOICE_STAGES));

test("2.5 invoice: invoice_type takes its 4 values on create", async () =>
  assertEnum(await api.tenant(), invoice, "invoice_type", INVOICE_TYPES, false));

test("3 order: stage takes its 5 values on create and PATCH", async () =>
  assertEnum(await api.tenant(), order, "stage", ORDER_STAGES));

test("2.6 order: order_type takes its 2 values on create", async () =>
  assertEnum(await api.tenant(), order, "order_type", ORDER_TYPES, false));

test("2.5, 2.6: texts have the lengths of D3.4", async () => {
  const acme = await api.tenant();
  await assertLongest(acme, invoice, "invoice_num", 100);
  await assertLongest(acme, invoice, "description", 10_000);
  await assertLongest(acme, order, "name", 500);
  await assertLongest(acme, order, "description", 10_000);
});

for (const type of [invoice, order]) {
  const row = type === invoice ? "4.5" : "4.6";
  const updates: Record<string, unknown> = UPDATES[type === invoice ? "invoice" : "order"];
  const lines = `${type.name}_line_list`;

  test(`${row} GET ${type.list}: a bare array, newest first, of page_size`, async () => {
    const acme = await api.tenant();
    const ids: string[] = [];
    for (let at = 0; at < 3; at += 1) ids.unshift((await create(acme, type))["_id"]);
    assert.deepEqual(idsOf(await acme.get(type.list)), ids);
    assert.deepEqual(idsOf(await acme.get(type.list, { page_size: 2 })), ids.slice(0, 2));
  });

  test(`${row} PATCH ${type.write}/{${type.param}}: takes the update set, keeps the rest`, async () => {
    const acme = await api.tenant();
    const { _id } = await create(acme, type);
    for (const [field, value] of Object.entries(updates)) {
      await api.restamp(type.table, _id, { updated_ts: 1_600_000_000 });
      const before = await read(acme, type, _id);
      const told = await change(acme, type, _id, { [field]: value });
      assert.deepEqual(told[field], value);
      assert.ok(told["updated_ts"] > 1_700_000_000, `3: ${field} moves updated_ts`);
      const stamps = { updated_ts: 0, updated_date: "", version: 0, [field]: 0 };
      const status = { status_update_date: 0, status_updated_date: "" };
      const hidden = field === "stage" ? { ...stamps, ...status } : stamps;
      assert.deepEqual({ ...told, ...hidden }, { ...before, ...hidden });
    }
  });

  test(`7 400: a PATCH of an ${type.name} without fields changes nothing`, async () => {
    const acme = await api.tenant();
    const made = await create(acme, type);
    const reply = await acme.patch(`${type.write}/${made["_id"]}`, {});
    assert.equal(assertRefused(reply, 400), "No fields provided for update");
    assert.deepEqual(await read(acme, type, made["_id"]), made);
  });

  test(`${row} ${type.name}: PATCH refuses a changed field outside the update set`, async () => {
    const acme = await api.tenant();
    const made = await create(acme, type);
    const other = await create(acme, account);
    const fixed =
      type === invoice ? { invoice_num: "Z", invoice_type: "refund" } : { order_type: "quote" };
    for (const [field, value] of Object.entries({ ...fixed, account_id: other["_id"] })) {
      const reply = await acme.patch(`${type.write}/${made["_id"]}`, {
        stage: "draft",
        [field]: value,
      });
      assertBlames(reply, "body", field);
    }
  });

  test(`${row} ${type.name}: lines and totals of another JSON type are 422`, async () => {
    const acme = await api.tenant();
    const body = await smallest(acme, type);
    for (const value of [{}, "x", ["x"], [5]]) {
      assertBlames(await acme.post(type.write, { ...body, [lines]: value }), "body", lines);
    }
    for (const field of ["total_amount", `${type.name}_date`]) {
      const reply = await acme.post(type.write, { ...body, [field]: "5" });
      const msg = "Input should be a valid number";
      assertInvalid(reply, { type: "float_type", loc: ["body", field], msg, input: "5" });
    }
    const long = { ...body, [lines]: [{ description: "x".repeat(1001) }] };
    assertBlames(await acme.post(type.write, long), "body", lines, 0, "description");
    const many = { ...body, [lines]: Array.from({ length: 1001 }, () => ({})) };
    const reply = await acme.post(type.write, many);
    const ctx = { field_type: "List", max_length: 1000, actual_length: 1001 };
    assertInvalid(reply, { type: "too_long", loc: ["body", lines], ctx });
  });

  test(`D3.8 ${type.name}: a reference must name a record of the tenant, all told at once`, async () => {
    const [acme, rival] = [await api.tenant(), await api.tenant()];
    const body = await smallest(acme, type);
    const foreign = await create(rival, account);
    const wrong = { account_id: foreign["_id"], contact_id: "nobody", opportunity_id: "nothing" };
    const reply = await acme.post(type.write, { ...body, ...wrong });
    const blamed = (reply.body as { detail: { loc: string[] }[] }).detail.map(({ loc }) =>
      String(loc[1]),
    );
    assert.equal(reply.status, 422);
    assert.deepEqual(blamed.toSorted(), ["account_id", "contact_id", "opportunity_id"]);
  });
}
