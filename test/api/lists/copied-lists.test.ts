/**
 * Returned lists (`email_list` and `phone_list`) sent back unchanged, to update the record or to create a copy of it.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { BUILT_IN_TYPES } from "../../../src/records/types/index.ts";
import { assertCounts, importFile, recordsOf } from "../../files/imports/sending.ts";
import type { Client } from "../../kit/api.ts";
import { sharedApi } from "../../kit/file-api.ts";
import { ok, type Body } from "../samples.ts";

const api = await sharedApi();
const LISTED = Object.values(BUILT_IN_TYPES).filter(({ sameBy }) => sameBy !== undefined);
const acme = await api.tenant();
const german = await api.tenant();
ok(await german.patch("/crm/admin/tenant", { default_country: "DE" }));

const ENTRIES: Readonly<Record<"email" | "phone", readonly [string, string, string]>> = {
  email: ["a@x.example", "b@x.example", "new@x.example"],
  phone: ["(415) 555-0100", "(415) 555-0101", "(415) 555-0102"],
};

const textsIn = (record: Body, kind: string) =>
  (record[`${kind}_list`] as Body[]).map((entry) => [entry["type"], entry[kind]]);

async function create(client: Client, path: string, body: Body): Promise<Body> {
  return ok(await client.post(path, { name: "Ada Lovelace", ...body })).body as Body;
}

for (const type of LISTED) {
  const path = type.writePath;
  for (const kind of ["email", "phone"] as const) {
    const list = `${kind}_list`;
    const [first, second, other] = ENTRIES[kind];
    const body = { [kind]: first, [list]: [first, { type: "Work", [kind]: second }] };
    const keyOf = (text: string) => (kind === "email" ? text : `1${text.replace(/\D/g, "")}`);

    test(`a copy of a ${type.name} with another ${kind} has that as its main one`, async () => {
      const { _id, ...copy } = await create(acme, path, body);
      const copied = await create(acme, path, { ...copy, [kind]: other });
      assert.notEqual(copied["_id"], _id);
      assert.equal(copied[kind], other);
      assert.deepEqual(textsIn(copied, kind), [
        ["Main", keyOf(other)],
        ["Work", keyOf(second)],
      ]);
    });

    test(`a copy of a ${type.name} with its second ${kind} as the main one`, async () => {
      const { [list]: entries } = await create(acme, path, body);
      const copied = await create(acme, path, { [kind]: second, [list]: entries });
      assert.deepEqual(textsIn(copied, kind), [["Main", keyOf(second)]]);
    });

    test(`the ${kind} of a new ${type.name} still contradicts a list that was written by hand`, async () => {
      const answer = await acme.post(path, {
        name: "Ada",
        [kind]: other,
        [list]: [{ type: "Main", [kind]: first }],
      });
      assert.equal(answer.status, 422);
    });
  }

  test(`a ${type.name} with a national number can be read back in a tenant of another country`, async () => {
    const phone = "(555) 123-4567";
    const source = await api.tenant();
    const { phone_list } = await create(source, path, { phone, email: "a@x.example" });
    const made = await create(german, path, { phone, phone_list });
    assert.deepEqual(made["phone_list"], phone_list);
    assert.equal(made["phone"], "+15551234567");
    const again = ok(await german.patch(`${path}/${String(made["_id"])}`, { phone, phone_list }))
      .body as Body;
    assert.deepEqual(again, made);

    const exported = await source.get(`${path}/export`, { format: "csv" });
    assert.equal(exported.status, 200, exported.text);
    const target = await api.tenant();
    ok(await target.patch("/crm/admin/tenant", { default_country: "DE" }));
    const options = { external_id: "_id" };
    const done = await importFile(target, type.name, exported.text, options);
    assertCounts(done, { rows: 1, created: 1 });
    const [read] = await recordsOf(target, path);
    assert.deepEqual(read?.["phone_list"], phone_list);
    const repeated = await importFile(target, type.name, exported.text, options);
    assertCounts(repeated, { rows: 1, unchanged: 1 });
  });

  test(`the number of a ${type.name} stays as it was read when other fields change`, async () => {
    const client = await api.tenant();
    const made = await create(client, path, { phone: "(415) 555-0100" });
    ok(await client.patch("/crm/admin/tenant", { default_country: "DE" }));
    const changed = ok(await client.patch(`${path}/${String(made["_id"])}`, { name: "Ada King" }));
    const { name, phone_list } = changed.body as Body;
    assert.deepEqual([name, phone_list], ["Ada King", made["phone_list"]]);
  });

  test(`a merged ${type.name} with more than 1,000 emails can be sent back`, async () => {
    const ids: unknown[] = [];
    for (let part = 0; part < 21; part++) {
      const email_list = Array.from({ length: 50 }, (_, at) => `p${part}-${at}@x.example`);
      ids.push((await create(acme, path, { email_list, external_id: `m${part}` }))["_id"]);
    }
    const [into, ...others] = ids;
    ok(await acme.post(`${path}/${String(into)}/merge`, { ids: others }));
    const merged = ok(await acme.get(`${type.readPaths[0]}/${String(into)}`)).body as Body;
    const list = merged["email_list"] as Body[];
    assert.equal(list.length, 1050);
    for (const sent of [merged, { email_list: list }]) {
      const answer = await acme.patch(`${path}/${String(into)}`, sent);
      assert.deepEqual(ok(answer).body, merged);
    }
    const changed = await acme.patch(`${path}/${String(into)}`, { email_list: list.slice(1) });
    assert.equal(changed.status, 422);
    const longer = [...list, { email: "z@x.example" }];
    const tooLong = await acme.patch(`${path}/${String(into)}`, { email_list: longer });
    assert.equal(tooLong.status, 422);
    assert.match(tooLong.text, /at most 50 items after validation, not 1051/);
  });
}
