/**
 * Filter conditions: every operator of every field and type, converted to a filter and back, and sent to the service.
 */

import assert from "node:assert/strict";
import test from "node:test";
import { pageModule } from "../pages-in-node.ts";
import {
  filterOf,
  OPERATORS,
  valuesOf,
  type Condition,
  type ConditionValue,
  type Operator,
} from "../../../console/src/records/fields/filter.ts";
import { rowsOf } from "../../../console/src/records/fields/read-filter.ts";
import type { RecordType } from "../../../console/src/record/definitions.ts";
import type { FilterKind } from "../../../console/src/record/filter-kind.ts";
import { listPath } from "../../../console/src/record/record-types.ts";
import { searchFilter } from "../../../console/src/record/search-filter.ts";
import { consoleType, consoleTypes } from "../console-types.ts";
import { startApi } from "../../kit/api.ts";

interface FilterFields {
  readonly filterFieldsOf: (
    type: RecordType,
  ) => readonly { readonly name: string; readonly kind: FilterKind }[];
  readonly filterKindOf: (type: RecordType, name: string) => FilterKind;
  readonly filterKinds: (type: RecordType) => ReadonlyMap<string, FilterKind>;
}

const { filterFieldsOf, filterKindOf, filterKinds } = await pageModule<FilterFields>(
  "records/fields/filter-fields.ts",
);

const SAMPLES: Readonly<Record<FilterKind, readonly ConditionValue[]>> = {
  choice: ["open", "assigned"],
  text: ["O'Neil (a+b)", "Müller"],
  number: [10, 20.5],
  day: ["2026-03-01", "2026-03-31"],
  tags: ["one", "two"],
  entries: ["ada@example.com", "b"],
  reference: ["0123456789abcdef01234567", "0123456789abcdef01234568"],
  partner: ["0123456789abcdef01234567", "0123456789abcdef01234568"],
  person: ["0123456789abcdef01234567", "b"],
  flag: [],
};

function conditionOf(field: string, kind: FilterKind, operator: Operator): Condition {
  const wanted = valuesOf(operator);
  return { field, operator, values: SAMPLES[kind].slice(0, wanted === "many" ? 2 : wanted) };
}

for (const type of consoleTypes) {
  const kindOf = (field: string) => filterKindOf(type, field);
  const conditions = filterFieldsOf(type).flatMap(({ name, kind }) =>
    OPERATORS[kind].map((operator) => conditionOf(name, kind, operator)),
  );

  test(`each filter condition of ${type.plural} converts to a filter and back, and the list accepts it`, async (t) => {
    const api = await startApi(t);
    const client = await api.tenant();
    assert.ok(conditions.length > 0);
    for (const condition of conditions) {
      const rows = { isAny: false, conditions: [condition] };
      const filter = filterOf(rows, kindOf);
      assert.deepEqual(rowsOf(JSON.stringify(filter), filterKinds(type)), rows);
      const path = listPath(type);
      const { status, text } = await client.get(path, { match_filter_dict: filter });
      assert.equal(status, 200, `${JSON.stringify(filter)}: ${text}`);
    }
  });

  test(`conditions of ${type.plural} are joined by all or any, and converted back`, () => {
    for (const isAny of [false, true]) {
      const rows = { isAny, conditions: conditions.slice(0, 5) };
      assert.deepEqual(rowsOf(JSON.stringify(filterOf(rows, kindOf)), filterKinds(type)), rows);
    }
  });
}

const textKind = (): FilterKind => "text";

for (const filter of [
  { $nor: [{ name: "a" }] },
  { $or: [{ name: "a", title: "b" }] },
  { name: { $regex: "^a.*b$" } },
  { name: { $regex: "a", $options: "s" } },
  { tags: { $size: 2 } },
  { _id: "0123456789abcdef01234567" },
  { lead_status: { $exists: true } },
  [],
  "text",
  null,
]) {
  test(`${JSON.stringify(filter)} cannot be shown as conditions`, () =>
    assert.equal(rowsOf(JSON.stringify(filter), filterKinds(consoleType("lead"))), undefined));
}

test("a condition without a value is ignored", () => {
  const empty = { field: "name", operator: "contains", values: [""] } as const;
  assert.equal(filterOf({ isAny: false, conditions: [empty] }, textKind), undefined);
});

test("the search box searches names, email addresses and phone numbers", async (t) => {
  const api = await startApi(t);
  const client = await api.tenant();
  const lead = { name: "Zoë (Zed) Example", email: "zoe@example.com", phone: "(212) 555-0142" };
  await client.post("/crm/leads", lead);
  await client.post("/crm/leads", { name: "Someone Else", email: "else@example.org" });
  for (const q of ["zoë (z", "ZOE@exam", "212 555-01", "+1 212 555 0142"]) {
    const filter = searchFilter(consoleType("lead"), q);
    const { body } = await client.get("/crm/leads", { match_filter_dict: filter });
    assert.deepEqual(
      body.leads.map(({ name }: { name: string }) => name),
      [lead.name],
      q,
    );
  }
});
