/** Invoices and orders, field by field: docs/records.md#invoice and docs/records.md#order. */
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
import { sharedApi } from "../kit/file-api.ts";

const api = await sharedApi();

const LINES = [
  { description: "Loom", amount: 200, line_detail_dict: { qty: 2, unit_price: 100 } },
  { description: "Freight", amount: -10.5, colour: "red" },
  {},
];

/** The fields of each type that PATCH can change, with values that are returned unchanged. */
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

// docs/records.md#invoice
test("POST /crm/invoices returns 200 with the created invoice", async () => {
  const acme = await api.tenant();
  const payer = await create(acme, account);
  const person = await create(acme, contact);
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

// docs/records.md#order
test("POST /crm/orders returns 200 with the created order", async () => {
  const acme = await api.tenant();
  const payer = await create(acme, account);
  const person = await create(acme, contact);
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

// docs/records.md#invoice
test("an invoice needs number, account, total and lines", async () => {
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

// docs/records.md#invoice
test("type and stage of an invoice have defaults, the rest is null", async () => {
  const made = await create(await api.tenant(), invoice);
  for (const name of invoice.returns) assert.ok(name in made, `${name} is missing`);
  assert.deepEqual([made["invoice_type"], made["stage"]], ["sales", "draft"]);
  for (const field of ["description", "invoice_date", "contact_id", "opportunity_id"]) {
    assert.equal(made[field], null, field);
  }
});

// docs/records.md#order
test("an order needs account_id or contact_id, and nothing else", async () => {
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

// docs/records.md#order-numbers
test("order numbers rise in a tenant and are the default name", async () => {
  const acme = await api.tenant();
  const rival = await api.tenant();
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

// docs/records.md#invoice-numbers
test("invoice_num is unique in a tenant, a second one returns 409", async () => {
  const acme = await api.tenant();
  const rival = await api.tenant();
  const made = await create(acme, invoice, { invoice_num: "INV-1" });
  const body = { ...(await smallest(acme, invoice)), invoice_num: "INV-1" };
  const reply = await acme.post("/crm/invoices", body);
  assertRefused(reply, 409);
  assert.equal((reply.body as Record<string, unknown>)["existing_id"], made["_id"]);
  assert.equal((await create(rival, invoice, { invoice_num: "INV-1" }))["invoice_num"], "INV-1");
  assert.deepEqual(idsOf(await acme.get("/crm/invoices")), [made["_id"]]);
});

// docs/records.md#invoice-numbers
test("a PATCH with a taken external_id and the invoice's own number returns 409 with the other invoice", async () => {
  const acme = await api.tenant();
  const other = await create(acme, invoice, { external_id: "taken" });
  const own = await create(acme, invoice);
  const reply = await acme.patch(`/crm/invoices/${own["_id"]}`, { ...own, external_id: "taken" });
  assertRefused(reply, 409);
  const { detail, existing_id } = reply.body as Record<string, unknown>;
  assert.equal(existing_id, other["_id"]);
  assert.match(String(detail), /external_id/);
});

// docs/records.md#invoice
test("the stage of an invoice takes its 6 values on create and PATCH", async () =>
  assertEnum(await api.tenant(), invoice, "stage", INVOICE_STAGES));

// docs/records.md#invoice
test("invoice_type takes its 4 values on create", async () =>
  assertEnum(await api.tenant(), invoice, "invoice_type", INVOICE_TYPES, false));

// docs/records.md#order
test("the stage of an order takes its 5 values on create and PATCH", async () =>
  assertEnum(await api.tenant(), order, "stage", ORDER_STAGES));

// docs/records.md#order
test("order_type takes its 2 values on create", async () =>
  assertEnum(await api.tenant(), order, "order_type", ORDER_TYPES, false));

// docs/records.md#invoice
test("texts of invoices and orders have their maximum length", async () => {
  const acme = await api.tenant();
  await assertLongest(acme, invoice, "invoice_num", 100);
  await assertLongest(acme, invoice, "description", 10_000);
  await assertLongest(acme, order, "name", 500);
  await assertLongest(acme, order, "description", 10_000);
});

for (const type of [invoice, order]) {
  const updates: Record<string, unknown> = UPDATES[type === invoice ? "invoice" : "order"];
  const lines = `${type.name}_line_list`;

  // docs/lists.md
  test(`GET ${type.list} returns a bare array, newest first, of page_size`, async () => {
    const acme = await api.tenant();
    const ids: string[] = [];
    for (let at = 0; at < 3; at += 1) ids.unshift((await create(acme, type))["_id"]);
    assert.deepEqual(idsOf(await acme.get(type.list)), ids);
    assert.deepEqual(idsOf(await acme.get(type.list, { page_size: 2 })), ids.slice(0, 2));
  });

  // docs/records.md#invoice
  test(`PATCH ${type.write}/{${type.param}} changes its fields and leaves the others`, async () => {
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

  // docs/requests.md#null-and-empty-values
  test(`a PATCH of an ${type.name} without fields returns 400`, async () => {
    const acme = await api.tenant();
    const made = await create(acme, type);
    const reply = await acme.patch(`${type.write}/${made["_id"]}`, {});
    assert.equal(assertRefused(reply, 400), "No fields provided for update");
    assert.deepEqual(await read(acme, type, made["_id"]), made);
  });

  // docs/requests.md#sending-a-record-back
  test(`a PATCH of an ${type.name} rejects a changed value of a field that it cannot change`, async () => {
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

  // docs/requests.md#parameters
  test(`lines and totals of an ${type.name} with another JSON type return 422`, async () => {
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

  // docs/records.md#references
  test(`references of an ${type.name} must be records of the tenant, and are reported at once`, async () => {
    const acme = await api.tenant();
    const rival = await api.tenant();
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
