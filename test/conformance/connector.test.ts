/**
 * A connector that was written for the original hosted service and knows only that service's names. Its requests, the
 * members that it reads and its polling must work unchanged.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedApi } from "../kit/file-api.ts";

const api = await sharedApi();

/**
 * Returns the connector's HTTP client, which does not use the test kit. It needs only one header, query strings and
 * JSON.
 */
function connect(token: string) {
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${api.url}/${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // oxlint-disable-next-line no-explicit-any -- a connector does not know types
    const answer: any = await response.json();
    if (response.ok) return answer;
    const { detail } = answer;
    throw new Error(`${response.status} ${typeof detail === "string" ? detail : detail[0].msg}`);
  };
  return {
    read: (path: string, query: Record<string, unknown> = {}) => {
      const pairs = Object.entries(query).map(([name, value]) => [
        name,
        typeof value === "object" ? JSON.stringify(value) : String(value),
      ]);
      const search = new URLSearchParams(pairs as [string, string][]);
      return call("GET", search.size > 0 ? `${path}?${search.toString()}` : path);
    },
    send: (path: string, body: unknown) => call("POST", path, body),
    update: (path: string, body: unknown) => call("PATCH", path, body),
    remove: (path: string) => call("DELETE", path),
  };
}

const connector = async () => connect((await api.tenant()).bearer);
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

test("a connector creates a lead and reads it under the original's names", async () => {
  const crm = await connector();
  const made = await crm.send("crm/leads", {
    name: "Test User",
    email: "test.user@example.com",
    phone: "5555555555",
    source: "Google",
    tags: ["demo"],
  });
  const { leads, page_size, page_num } = await crm.read("crm/leads", {
    page_size: 10,
    page_num: 1,
  });
  assert.deepEqual([page_size, page_num, leads.length], [10, 1, 1]);
  const [lead] = leads;
  assert.equal(lead.id, made.id);
  assert.equal(lead._id, made.id);
  assert.equal(lead.name, "Test User");
  assert.deepEqual([lead.first_name, lead.last_name], ["Test", "User"]);
  assert.equal(lead.email_list[0].email, "test.user@example.com");
  assert.equal(lead.phone_list[0].phone, "15555555555");
  assert.equal(lead.lead_source, "Google");
  assert.equal(lead.lead_status, "assigned");
  assert.match(lead.created_date, DATE);
  assert.match(lead.status_updated_date, DATE);
});

test("a connector reads contacts, accounts, deals, invoices and orders as bare arrays", async () => {
  const crm = await connector();
  const person = await crm.send("crm/contacts", { name: "Grace Hopper", status: "open" });
  const company = await crm.send("crm/accounts", { name: "Example Mills" });
  const deal = await crm.send("crm/opportunities", {
    name: "Looms",
    account_id: company.id,
    contact_id: person.id,
    stage: "prospecting",
    value_of_sale: 1000,
  });
  const invoice = await crm.send("crm/invoices", {
    invoice_num: "INV-1",
    account_id: company.id,
    total_amount: 1000,
    invoice_line_list: [
      { description: "Loom", amount: 1000, line_detail_dict: { qty: 1, unit_price: 1000 } },
    ],
  });
  const order = await crm.send("crm/orders", { account_id: company.id, name: "First" });
  const made = {
    contacts: person,
    accounts: company,
    deals: deal,
    invoices: invoice,
    orders: order,
  };
  for (const [path, record] of Object.entries(made)) {
    const rows = await crm.read(`crm/${path}`, { page_size: 500, sort_dict: { _id: -1 } });
    assert.ok(Array.isArray(rows), path);
    assert.equal(rows[0].id, record.id);
    assert.match(rows[0].created_date, DATE);
  }
});

test("a connector polls for new and changed records", async () => {
  const crm = await connector();
  const lead = await crm.send("crm/leads", { name: "Ada Lovelace" });
  const since = new Date(Date.now() - 60_000).toISOString();
  const polls = ["created", "status_updated"].map((name) => `crm/leads/${name}`);
  for (const path of polls) {
    const rows = await crm.read(path, { start_date: since });
    assert.deepEqual(
      rows.map(({ id }: { id: string }) => id),
      [lead.id],
    );
    const open = { start_date: since, match_filter_dict: { lead_status: "contacted" } };
    assert.deepEqual(await crm.read(path, open), []);
  }
  await crm.update(`crm/leads/${lead.id}`, { status: "contacted" });
  const filter = { match_filter_dict: { lead_status: { $in: ["contacted"] } } };
  const [changed] = await crm.read("crm/leads/status_updated", filter);
  assert.equal(changed.lead_status, "contacted");
});

test("a connector looks people up by address and by id", async () => {
  const crm = await connector();
  const { id } = await crm.send("crm/contacts", { name: "Grace", email: "grace@example.com" });
  const byAddress = { match_filter_dict: { email_list: "grace@example.com" } };
  assert.equal((await crm.read("crm/contacts", byAddress))[0].id, id);
  const match_filter_dict = `{"_id": {"$in": [ObjectId('${id}')]}}`;
  const byId = { match_filter_dict, eval_object_id: true };
  assert.equal((await crm.read("crm/contacts", byId))[0].id, id);
});

test("a connector works with tasks and their envelope", async () => {
  const crm = await connector();
  const task = await crm.send("crm/tasks", { name: "Call back", status: "in-progress" });
  const { tasks, page_size, page_num } = await crm.read("crm/tasks");
  assert.deepEqual([page_size, page_num], [50, 1]);
  assert.equal(tasks[0].id, task.id);
  assert.equal(
    (await crm.update(`crm/tasks/${task.id}`, { is_completed: true })).status,
    "completed",
  );
  assert.deepEqual(await crm.remove(`crm/tasks/${task.id}`), { deleted: true, ids: [task.id] });
});

test("a connector reads errors from detail or detail[0].msg", async () => {
  const crm = await connector();
  const { id } = await crm.send("crm/leads", { name: "Ada" });
  const cases: [() => Promise<unknown>, RegExp][] = [
    [() => connect("wrong").read("crm/leads"), /^Error: 401 \w+/],
    [() => crm.update(`crm/leads/${id}`, {}), /^Error: 400 No fields provided for update$/],
    [() => crm.send("crm/leads", {}), /^Error: 422 Field required$/],
    [() => crm.read("crm/leads", { page_size: 501 }), /^Error: 422 Input should be less than/],
    [() => crm.update("crm/leads/nobody", { name: "Ada" }), /^Error: 404 \w+/],
  ];
  for (const [call, message] of cases) await assert.rejects(call, message);
});
