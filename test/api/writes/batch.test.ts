/** POST /crm/<type>/batch: items succeed or fail independently, or all together. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { BUILT_IN_TYPES } from "../../../src/records/types/index.ts";
import type { RecordType } from "../../../src/records/types/record-types.ts";
import type { Client } from "../../kit/api.ts";
import { sharedApi } from "../../kit/file-api.ts";
import { fullBody, makeReferable, ok, recordsIn, type Body } from "../samples.ts";

const api = await sharedApi();
const acme = await api.tenant();
const refs = await makeReferable(acme);

let seeds = 100;
const bodyOf = (type: RecordType): Body => fullBody(type, ++seeds, refs);
const pathOf = (type: RecordType): string => `${type.writePath}/batch`;

/** Sends a batch, asserts that the response is a 207, and returns its results. */
async function batch(client: Client, path: string, items: unknown[]): Promise<Body[]> {
  const answer = await client.post(path, { items });
  assert.equal(answer.status, 207, answer.text.slice(0, 1000));
  return answer.body as Body[];
}

const countOf = async (type: RecordType, { tenantId } = acme): Promise<number> => {
  const [row] = await api.sql`
    select (select count(*) from ${api.sql(type.table)} where tenant_id = ${tenantId})::int as n`;
  return row?.["n"] as number;
};

for (const type of Object.values(BUILT_IN_TYPES)) {
  test(`a batch creates each ${type.name} as a single request would, and reports the errors of the others`, async () => {
    const first = bodyOf(type);
    const last = bodyOf(type);
    const wrong = { ...bodyOf(type), name: 5, nonsense: true, external_id: ["x"] };
    const items = [first, wrong, "no object", null, last];
    const results = await batch(acme, pathOf(type), items);
    const told = await Promise.all(
      items.slice(1, 4).map(async (item) => (await acme.post(type.writePath, item)).body.detail),
    );
    const [{ _id: one = "" } = {}, , , , { _id: another = "" } = {}] = results;
    assert.deepEqual(results, [
      { index: 0, status: 200, _id: one, result: "created" },
      { index: 1, status: 422, detail: told[0] },
      { index: 2, status: 422, detail: told[1] },
      { index: 3, status: 422, detail: told[2] },
      { index: 4, status: 200, _id: another, result: "created" },
    ]);
    assert.ok(told[0].length >= 2, "every error, not the first");
    for (const [sent, id] of [[first, one] as const, [last, another] as const]) {
      const path = `${type.readPaths[0]}/${String(id)}`;
      const made = ok(await acme.get(path)).body as Body;
      assert.equal(made["external_id"], sent["external_id"]);
      const history = ok(await acme.get(`${path}/history`)).body as Body[];
      assert.deepEqual(
        history.map(({ action, version }) => [action, version]),
        [["created", 1]],
      );
    }
  });

  test(`an atomic batch with one invalid ${type.name} writes nothing and reports every error`, async () => {
    const before = await countOf(type);
    const wrong = { ...bodyOf(type), name: 5, nonsense: true };
    const again = bodyOf(type);
    const items = [bodyOf(type), wrong, again, again];
    const answer = await acme.post(pathOf(type), { items, atomic: true });
    assert.equal(answer.status, 422, answer.text);
    const single = (await acme.post(type.writePath, wrong)).body.detail as { loc: unknown[] }[];
    const placed = single.map((issue) => ({
      ...issue,
      loc: ["body", "items", 1, ...issue.loc.slice(1)],
    }));
    assert.deepEqual(answer.body.detail.slice(0, placed.length), placed);
    const unique = "invoice_num" in again ? ["invoice_num", "external_id"] : ["external_id"];
    const conflicts = answer.body.detail.slice(placed.length) as Body[];
    assert.deepEqual(
      conflicts.map(({ type: kind, loc, ctx }) => [kind, loc, ctx]),
      unique.map((name) => ["conflict", ["body", "items", 3, name], { index: 2 }]),
    );
    assert.equal(await countOf(type), before);
    const good = await acme.post(pathOf(type), { items: [bodyOf(type), again], atomic: true });
    assert.equal(good.status, 207, good.text);
    assert.equal(await countOf(type), before + 2);
  });
}

test("of two items with one external id the first is created, and the other names its record", async () => {
  const stored = ok(await acme.post("/crm/leads", { name: "A", external_id: "is there" })).body;
  const results = await batch(acme, "/crm/leads/batch", [
    { name: "B", external_id: "new" },
    { name: "C", external_id: "is there" },
    { name: "D", external_id: "new" },
  ]);
  const detail = "There is already a record of this type with this external_id";
  assert.deepEqual(results, [
    { index: 0, status: 200, _id: results[0]?.["_id"], result: "created" },
    { index: 1, status: 409, detail, existing_id: stored._id },
    { index: 2, status: 409, detail, existing_id: results[0]?.["_id"] },
  ]);
});

/** Returns the response to a request, sent with the tenant's token or without a credential. */
const told = async (method: string, path: string, isKnown = true) => {
  const sent = method === "PATCH" && { body: '{"name":"x"}' };
  const headers = {
    "content-type": "application/json",
    ...(!isKnown && { authorization: null }),
  };
  const answer = await acme.request({ method, path, headers, ...sent });
  return { status: answer.status, text: answer.text, allow: answer.headers.get("allow") };
};

test("for methods other than POST the word is an id, as it was before batches existed", async () => {
  for (const type of Object.values(BUILT_IN_TYPES)) {
    for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      for (const isKnown of [true, false]) {
        const { allow, ...batch } = await told(method, pathOf(type), isKnown);
        const { allow: allowOfId, ...id } = await told(
          method,
          `${type.writePath}/batches`,
          isKnown,
        );
        assert.deepEqual(batch, id, `${method} ${pathOf(type)}`);
        assert.equal(allow, allowOfId === null ? null : `${allowOfId}, POST`);
      }
    }
  }
  assert.equal((await told("GET", "/crm/leads/batch")).status, 404);
  assert.equal((await told("PATCH", "/crm/leads/batch")).status, 404);
  assert.equal((await told("GET", "/crm/leads/batch", false)).status, 401);
});

test("a reference to a missing record is reported at its item and leaves no gap in the numbers", async () => {
  const MISSING = "0".repeat(24);
  const line = { invoice_line_list: [{ description: "x" }], total_amount: 1 };
  const items = [
    { ...line, invoice_num: "B-1", account_id: MISSING, contact_id: MISSING },
    { ...line, invoice_num: "B-1", account_id: refs["account"] },
  ];
  const single = (await acme.post("/crm/invoices", items[0])).body.detail;
  const results = await batch(acme, "/crm/invoices/batch", items);
  assert.deepEqual(results, [
    { index: 0, status: 422, detail: single },
    { index: 1, status: 200, _id: results[1]?.["_id"], result: "created" },
  ]);
  assert.deepEqual(
    single.map(({ loc }: { loc: unknown }) => loc),
    [
      ["body", "account_id"],
      ["body", "contact_id"],
    ],
  );
  // Errors found only by the database are reported together with the format errors of other items.
  const atomic = { items: [{ ...items[0], invoice_num: "B-2" }, {}], atomic: true };
  const { status, body } = await acme.post("/crm/invoices/batch", atomic);
  assert.equal(status, 422);
  const places = new Set(body.detail.map(({ loc }: { loc: unknown[] }) => loc[2]));
  assert.deepEqual([...places], [0, 1]);
});

test("a thousand items of more than a megabyte are accepted in order; more are rejected", async () => {
  const items = Array.from({ length: 1000 }, (_, at) => ({
    name: `Person ${at}`,
    email: `person${at}@thousand.example.com`,
    comments: "x".repeat(1500),
  }));
  const results = await batch(acme, "/crm/contacts/batch", items);
  const ids = results.map(({ _id }) => String(_id));
  assert.equal(new Set(ids).size, 1000);
  assert.deepEqual(ids, ids.toSorted());
  const page = recordsIn(ok(await acme.get("/crm/contacts", { page_size: 2 })));
  assert.deepEqual(
    page.map(({ _id, name }) => [_id, name]),
    [
      [ids[999], "Person 999"],
      [ids[998], "Person 998"],
    ],
  );
  const many = await acme.post("/crm/contacts/batch", { items: [...items, { name: "One more" }] });
  assert.equal(many.status, 422);
  const [{ type, loc }] = many.body.detail;
  assert.deepEqual([type, loc], ["too_long", ["body", "items"]]);
});

test("a malformed batch is rejected as a whole", async () => {
  const cases = [
    [{}, "missing", ["body", "items"]],
    [{ items: [] }, "too_short", ["body", "items"]],
    [{ items: { name: "A" } }, "list_type", ["body", "items"]],
    [{ items: [{ name: "A" }], atomic: "yes" }, "bool_type", ["body", "atomic"]],
    [{ items: [{ name: "A" }], dry_run: true }, "extra_forbidden", ["body", "dry_run"]],
    [[{ name: "A" }], "model_attributes_type", ["body"]],
  ] as const;
  for (const [sent, type, loc] of cases) {
    const { status, body } = await acme.post("/crm/leads/batch", sent);
    assert.equal(status, 422);
    const [issue] = body.detail;
    assert.deepEqual([body.detail.length, issue.type, issue.loc], [1, type, loc]);
  }
});

test("an item whose text cannot be stored affects no other item, and no secret is echoed", async () => {
  const results = await batch(acme, "/crm/leads/batch", [
    { name: "nul \0" },
    { name: 5, ssn: "123-45-6789" },
    { name: "Ada", ssn: "123-45-6789" },
  ]);
  assert.deepEqual(
    results.map(({ status }) => status),
    [422, 422, 200],
  );
  assert.ok(!JSON.stringify(results).includes("123-45"), JSON.stringify(results));
  const made = ok(await acme.get(`/crm/leads/${String(results[2]?.["_id"])}`)).body;
  assert.equal(made.ssn, "***-**-6789");
});

test("concurrent batches with the same external ids in different orders create each record once", async () => {
  const ids = Array.from({ length: 200 }, (_, at) => `at once ${at}`);
  const orders = [ids, ids.toReversed(), ids, ids.toReversed()];
  const all = await Promise.all(
    orders.map((order) =>
      batch(
        acme,
        "/crm/accounts/batch",
        order.map((external_id) => ({ name: "A", external_id })),
      ),
    ),
  );
  const made = all.flat().filter(({ status }) => status === 200);
  assert.equal(made.length, ids.length);
  const others = all.flat().filter(({ status }) => status !== 200);
  const known = new Set(made.map(({ _id }) => _id));
  for (const { status, existing_id } of others) {
    assert.equal(status, 409);
    assert.ok(known.has(existing_id));
  }
});

test("a batch needs write permission, and names no record of another tenant", async () => {
  const rival = await api.tenant();
  ok(await acme.post("/crm/leads", { name: "A", external_id: "ours", email: "our@example.com" }));
  const item = { name: "B", external_id: "ours", email: "our@example.com" };
  const path = "/crm/leads/batch?on_duplicate=reject";
  const [result] = await batch(rival, path, [item]);
  assert.equal(result?.["status"], 200);
  const [deal] = await batch(rival, "/crm/opportunities/batch", [
    { name: "D", account_id: refs["account"] },
  ]);
  assert.equal(deal?.["status"], 422);
  const reader = await rival.token(["records:read"]);
  assert.equal((await reader.post(path, { items: [item] })).status, 403);
});
