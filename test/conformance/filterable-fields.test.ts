/**
 * Every list can be filtered by the fields listed for it in docs/filters.md#filterable-fields, and by no other fields.
 */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { ALL_TYPES, account, contact, type TypeCase } from "./cases.ts";
import { assertBlames, create, idsOf, type Row } from "./checks.ts";
import { sharedApi } from "../kit/file-api.ts";

const api = await sharedApi();
const acme = await api.tenant();

const PERSON = {
  source: "Referral",
  status: "contacted",
  email: "Ada@Example.com",
  phone: "+1 (202) 555-0123",
  tags: ["vip", "north"],
  employer_name: "Example Mills",
  profession: "engineer",
  title: "Dr",
};

/** A record that matches every filter below. */
const FOUND: Record<string, Record<string, unknown>> = {
  lead: PERSON,
  contact: PERSON,
  account: {
    email: "Ada@Example.com",
    phone: "+1 (202) 555-0123",
    tags: ["vip"],
    status: "lost",
    source: "Fair",
    relationship_type: "vendor",
    company_name: "Mills",
    industry: "Cloth",
  },
  deal: {
    stage: "closed_won",
    marketing_source: "Fair",
    value_of_sale: 200.5,
    probability_pcnt: 0.5,
    expected_close_date: 1_900_000_000,
  },
  invoice: { stage: "paid", invoice_type: "refund", total_amount: 5, invoice_date: 1_900_000_000 },
  order: { stage: "approved", order_type: "quote", total_amount: 5, order_date: 1_900_000_000 },
  task: {
    status: "rejected",
    priority: 1,
    due_date: 1_900_000_000,
    subject_type: "ticket",
    subject: "T-1",
    action: "call",
    is_completed: false,
    tags: ["vip"],
  },
};

/** For each field, a condition that the record meets and one that it does not. */
const CONDITIONS: Record<string, readonly [unknown, unknown]> = {
  lead_status: ["contacted", { $ne: "contacted" }],
  lead_source: ["Referral", "Google"],
  name: ["The one", "the one"],
  email_list: ["ada@example.com", "bob@example.com"],
  phone_list: ["202.555.0123", "+1 202 555 0124"],
  tags: ["vip", { $ne: "vip" }],
  employer_name: [{ $regex: "^Example" }, { $exists: false }],
  profession: [{ $in: ["engineer", "poet"] }, { $nin: ["engineer"] }],
  title: ["Dr", "Prof"],
  source: ["Fair", "Fairs"],
  relationship_type: ["vendor", "customer"],
  company_name: ["Mills", null],
  industry: [{ $not: { $eq: "Steel" } }, "Steel"],
  stage: [{ $in: ["closed_won", "paid", "approved"] }, "draft"],
  marketing_source: ["Fair", "Letter"],
  value_of_sale: [{ $gt: 200, $lte: 200.5 }, { $gt: 200.5 }],
  estimated_value_of_sale: [100.25, { $lt: 100.25 }],
  expected_close_date: [1_900_000_000, { $lt: 1_900_000_000 }],
  close_date: [{ $gt: 0 }, null],
  invoice_type: ["refund", "sales"],
  total_amount: [{ $gte: 5 }, { $lt: 5 }],
  invoice_date: [{ $gte: 1_900_000_000 }, 1],
  order_type: ["quote", "sales"],
  order_date: [{ $gte: 1_900_000_000 }, 1],
  priority: [{ $lt: 2 }, 3],
  due_date: [1_900_000_000, null],
  subject_type: ["ticket", "lead"],
  subject: ["T-1", "T-2"],
  action: ["call", "general"],
  is_completed: [false, true],
};

/** Record members that no list can be filtered by, mostly dates. */
const NEVER = [
  ..."created_ts updated_ts status_update_date timestamp created_date updated_date".split(" "),
  ..."status_updated_date created_at first_name email phone comments version id".split(" "),
  ..."ssn website external_id nonsense".split(" "),
];

const found = new Map<string, Row>();

before(async () => {
  const refs = {
    account_id: (await create(acme, account))["_id"],
    contact_id: (await create(acme, contact))["_id"],
  };
  for (const type of ALL_TYPES) {
    const given = { ...FOUND[type.name], ...(type.needsAccount ? refs : {}) };
    const named = type.name === "invoice" || type.name === "order" ? {} : { name: "The one" };
    found.set(type.name, await create(acme, type, { ...given, ...named }));
  }
});

/**
 * Returns the condition that the record meets and the one that it does not. For status and references, these conditions
 * contain the record's own value.
 */
function conditionsOf(type: TypeCase, field: string): readonly [unknown, unknown] {
  const record = found.get(type.name)!;
  if (field.endsWith("_id")) return [record[field], "00000000ffffffffffffffff"];
  if (field === "status") return [record[field], { $nin: [record[field]] }];
  if (field === "userid") return [record[field], { $ne: record[field] }];
  return CONDITIONS[field]!;
}

for (const type of ALL_TYPES) {
  const { list: path, filter } = type;
  for (const listing of [{ path, filter }, ...type.windows]) {
    // docs/filters.md#filterable-fields
    test(`GET ${listing.path} is filtered by ${listing.filter.join(", ")}`, async () => {
      const { _id } = found.get(type.name)!;
      for (const field of listing.filter) {
        const [hit, miss] = conditionsOf(type, field);
        const given = (condition: unknown) =>
          acme.get(listing.path, { match_filter_dict: { [field]: condition } });
        assert.ok(idsOf(await given(hit)).includes(_id), `${field} finds`);
        assert.ok(!idsOf(await given(miss)).includes(_id), `${field} leaves out`);
      }
    });

    // docs/filters.md#filterable-fields
    test(`GET ${listing.path} returns 422 for other fields, and the message lists the fields`, async () => {
      const others = [...new Set([...NEVER, ...type.returns, ...Object.keys(CONDITIONS)])];
      for (const field of others.filter((name) => !listing.filter.includes(name))) {
        if (field === "_id") continue;
        const query = { match_filter_dict: { [field]: { $exists: true } } };
        const reply = await acme.get(listing.path, query);
        assertBlames(reply, "query", "match_filter_dict");
        const { detail } = reply.body as { detail: { msg: string }[] };
        for (const name of listing.filter) assert.ok(detail[0]!.msg.includes(name), name);
      }
    });

    // docs/filters.md#ids
    test(`GET ${listing.path} is filtered by _id with eval_object_id only`, async () => {
      const { _id } = found.get(type.name)!;
      const spelled = [
        JSON.stringify({ _id }),
        JSON.stringify({ _id: { $in: [_id] } }),
        `{"_id": {"$in": [ObjectId('${_id}')]}}`,
        `{"_id": ObjectId("${_id}")}`,
        `{"_id": "ObjectId('${_id}')"}`,
      ];
      for (const match_filter_dict of spelled) {
        const query = { match_filter_dict, eval_object_id: true };
        assert.deepEqual(idsOf(await acme.get(listing.path, query)), [_id], match_filter_dict);
      }
      const reply = await acme.get(listing.path, { match_filter_dict: spelled[0] });
      assertBlames(reply, "query", "match_filter_dict");
      assert.match(reply.text, /eval_object_id/);
    });
  }
}

/** Returns a record's columns, except for columns that always differ between two records. */
async function columnsOf(type: TypeCase, id: unknown): Promise<Record<string, unknown>> {
  const [row] = await api.sql<{ columns: Record<string, unknown> }[]>`
    select to_jsonb(t) - array['id', 'body', 'internal', 'version', 'created_ts', 'updated_ts',
                               'status_update_date', 'close_date', 'completed_date',
                               'invoice_num', 'order_num'] as columns
      from ${api.sql(type.table)} t where id = ${String(id)}`;
  return row!.columns;
}

for (const type of ALL_TYPES) {
  test(`PATCH ${type.write}: each field alone stores the columns that a creation with it stores`, async () => {
    const own = Object.entries({ ...FOUND[type.name], name: "The one" });
    for (const [field, value] of own) {
      const refs = type.needsAccount ? { account_id: (await create(acme, account))["_id"] } : {};
      const base = { ...refs, ...(field === "name" ? {} : { name: "Same name" }) };
      const created = await create(acme, type, { ...base, [field]: value });
      const patched = await create(acme, type, { ...base, name: "Same name" });
      const path = `${type.write}/${String(patched["_id"])}`;
      const reply = await acme.patch(path, { [field]: value });
      if (reply.text.includes("frozen_field")) continue;
      assert.equal(reply.status, 200, `${field}: ${reply.text}`);
      assert.deepEqual(
        await columnsOf(type, patched["_id"]),
        await columnsOf(type, created["_id"]),
        field,
      );
    }
  });
}
