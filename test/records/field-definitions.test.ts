/** `GET /crm/fields` describes what the other operations accept and return. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { BUILT_IN_TYPES } from "../../src/records/types/index.ts";
import { ok } from "../api/samples.ts";
import { partnerOf } from "../exchange/partner-kit.ts";
import { sharedApi } from "../kit/file-api.ts";

const api = await sharedApi();
const owner = await api.tenant();
const { body: types, headers } = ok(await owner.get("/crm/fields"));

interface Definition {
  readonly name: string;
  readonly kind: string;
  readonly options?: readonly string[];
  readonly max_length?: number;
}

// docs/records.md#field-definitions
for (const type of types) {
  test(`the definition of a ${type.name} lists the members of its records`, async () => {
    const schema = `${Object.values(BUILT_IN_TYPES).find(({ name }) => name === type.name)?.schemaName}Response`;
    const document = ok(await owner.get("/openapi.json")).body;
    const returned = Object.keys(document.components.schemas[schema].properties);
    const isoTimes = ["created_date", "updated_date", "status_updated_date"];
    assert.deepEqual(
      type.fields.map(({ name }: Definition) => name).toSorted(),
      returned.filter((name) => !isoTimes.includes(name)).toSorted(),
    );
  });

  test(`the lists of ${type.plural} accept the filters and orders that are defined`, async () => {
    const kinds = new Map(type.fields.map((field: Definition) => [field.name, field.kind]));
    for (const { path, filterable, sortable } of type.lists) {
      for (const name of filterable) {
        assert.ok(kinds.has(name), name);
        const filter = JSON.stringify({ [name]: null });
        ok(await owner.get(`${path}?match_filter_dict=${encodeURIComponent(filter)}`));
      }
      for (const name of sortable) {
        const order = JSON.stringify({ [name]: 1 });
        ok(await owner.get(`${path}?sort_dict=${encodeURIComponent(order)}`));
      }
      const refused = await owner.get(
        `${path}?match_filter_dict=${encodeURIComponent('{"no":1}')}`,
      );
      assert.equal(refused.status, 422);
    }
  });
}

test("options and limits are the same as in the checks of a create request", async () => {
  const [lead] = ok(await owner.get("/crm/fields?type=lead")).body;
  const fields = new Map<string, Definition>(
    lead.fields.map((field: Definition) => [field.name, field]),
  );
  const { options = [] } = fields.get("status") ?? {};
  const { max_length = 0 } = fields.get("profession") ?? {};
  const created = ok(
    await owner.post("/crm/leads", {
      name: "A",
      status: options.at(-1),
      profession: "x".repeat(max_length),
    }),
  );
  assert.equal(created.body.status, options.at(-1));
  for (const wrong of [{ status: "no option" }, { profession: "x".repeat(max_length + 1) }]) {
    assert.equal((await owner.post("/crm/leads", { name: "A", ...wrong })).status, 422);
  }
});

test("one type can be requested, and an unknown type returns 422", async () => {
  const one = ok(await owner.get("/crm/fields?type=deal")).body;
  assert.deepEqual(one, [types.find(({ name }: Definition) => name === "deal")]);
  const unknown = await owner.get("/crm/fields?type=boat");
  assert.equal(unknown.status, 422);
  assert.deepEqual(unknown.body.detail[0].loc, ["query", "type"]);
  assert.equal(unknown.body.detail[0].type, "enum");
});

test("a client that has the definitions gets 304", async () => {
  const etag = headers.get("etag") ?? "";
  const again = await owner.request({
    method: "GET",
    path: "/crm/fields",
    headers: { "if-none-match": etag },
  });
  assert.deepEqual([again.status, again.text, again.headers.get("etag")], [304, "", etag]);
  assert.equal(
    (
      await owner.request({
        method: "GET",
        path: "/crm/fields?type=lead",
        headers: { "if-none-match": etag },
      })
    ).status,
    200,
  );
});

test("every token of the tenant can read the definitions, and partners cannot", async () => {
  for (const permission of ["records:read", "exchange:review", "ssn:read", "admin"]) {
    const token = await owner.token([permission]);
    assert.deepEqual(ok(await token.get("/crm/fields")).body, types);
  }
  const partner = await partnerOf(owner);
  assert.equal((await partner.get("/crm/fields")).status, 401);
});
