/** Email addresses and phone numbers with surrounding spaces: they are returned as sent, but compared without spaces. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { ok, recordsIn, type Body } from "../api/samples.ts";
import { importPushed, partnerOf, reviewed } from "../exchange/exchange-kit.ts";
import { sharedApi } from "../kit/file-api.ts";
import { eraseAll, report } from "../privacy/person-requests.ts";

const api = await sharedApi();

/** All characters that `trim` removes. */
const SPACES = [...Array(0x1_0000).keys()]
  .map((code) => String.fromCharCode(code))
  .filter((character) => character.trim() === "");
const PADDED = { email: "\u00a0 Ada@Example.com\t", phone: " 12 34\u2003" };
const PLAIN = { email: "ada@example.com", phone: "12 34" };
const TABLES = ["leads", "contacts", "accounts"] as const;

/** Creates a record of each type with a padded email and phone, both as main entries and as other entries. */
async function padded() {
  const acme = await api.tenant();
  const other = { email_list: [" other@example.com "], phone_list: [{ phone: "\n56 78 " }] };
  const records: Body[] = [];
  for (const table of TABLES) {
    const body = { name: "Ada Example", ...PADDED };
    const { _id } = ok(await acme.post(`/crm/${table}`, body)).body;
    const { email_list, phone_list } = ok(await acme.get(`/crm/${table}/${_id}`)).body;
    const lists = {
      email_list: [...email_list, ...other.email_list],
      phone_list: [...phone_list, ...other.phone_list],
    };
    records.push(ok(await acme.patch(`/crm/${table}/${_id}`, lists)).body);
  }
  return { acme, records };
}

test("records are found by address and number without spaces, and keep the values as sent", async () => {
  const { acme, records } = await padded();
  for (const [at, table] of TABLES.entries()) {
    const record = records[at] as Body;
    assert.deepEqual([record["email"], record["phone"]], [PADDED.email, PADDED.phone]);
    for (const filter of [
      { email_list: PLAIN.email },
      { email_list: PADDED.email },
      { email_list: { $in: [" OTHER@example.com"] } },
      { email_list: { $regex: "^ada@example[.]com$" } },
      { "email_list.email": PADDED.email },
      { email_list: { $elemMatch: { email: PADDED.email } } },
      { phone_list: PLAIN.phone },
      { phone_list: `${PLAIN.phone} ` },
      { phone_list: { $in: ["56 78"] } },
      { "phone_list.phone": PADDED.phone },
    ]) {
      const query = { match_filter_dict: JSON.stringify(filter) };
      const found = recordsIn(ok(await acme.get(`/crm/${table}`, query)));
      assert.deepEqual(found, [record], JSON.stringify(filter));
    }
    const twin = ok(await acme.post(`/crm/${table}`, { name: "Twin", ...PLAIN })).body;
    const [duplicate] = ok(await acme.get(`/crm/${table}/${twin._id}/duplicates`)).body;
    assert.deepEqual(duplicate.matched_on, ["email", "phone"]);
    ok(await acme.post(`/crm/${table}/${twin._id}/merge`, { ids: [record["_id"]] }));
    const { email_list, phone_list } = ok(await acme.get(`/crm/${table}/${twin._id}`)).body;
    assert.deepEqual([email_list.length, phone_list.length], [2, 2]);
    const put = await acme.put(`/crm/${table}/by/email/other@example.com`, { name: "Found" });
    assert.equal(ok(put).body._id, twin._id);
  }
});

test("an address that differs only in spaces replaces the main entry and is not added to the list", async () => {
  const { acme, records } = await padded();
  const path = `/crm/leads/${String(records[0]?.["_id"])}`;
  const { email_list } = ok(await acme.patch(path, { email: PLAIN.email })).body;
  assert.deepEqual(
    email_list.map(({ type, email }: Body) => [type, email]),
    [
      ["Main", PLAIN.email],
      ["Other", " other@example.com "],
    ],
  );
});

test("a pushed person is a possible duplicate of a record with spaces, and is not accepted automatically", async () => {
  const { acme, records } = await padded();
  const trusted = await partnerOf(acme, { auto_accept: true });
  for (const person of [
    { ...PLAIN, phone: null },
    { email: null, phone: PLAIN.phone },
  ]) {
    assert.equal(ok(await trusted.post("/crm/partner/lookup", person)).body.exists, true);
    const { id, status } = await trusted.push(person);
    assert.equal(status, "pending");
    const { possible_duplicate, resembles } = await reviewed(acme, id);
    assert.equal(possible_duplicate, true);
    const known = (resembles as Body[]).filter(({ record }) => record !== "pushed_lead");
    assert.deepEqual(
      known.map(({ id: found }) => found),
      records.slice(0, 2).map(({ _id }) => _id),
    );
  }
});

test("a lead imported from a push with spaces is found by its partner", async () => {
  const acme = await api.tenant();
  const partner = await partnerOf(acme);
  const lead = await importPushed(acme, (await partner.push({ email: PADDED.email })).id);
  assert.equal(lead["email"], PADDED.email);
  for (const email of [PLAIN.email, PADDED.email]) {
    assert.equal(ok(await partner.post("/crm/partner/lookup", { email })).body.exists, true);
  }
});

test("an erasure finds and removes an address with spaces", async () => {
  const { acme, records } = await padded();
  const found = await report(acme, { email: PLAIN.email });
  ok(await eraseAll(acme, found));
  const account = ok(await acme.get(`/crm/accounts/${String(records[2]?.["_id"])}`)).body;
  assert.deepEqual(
    account.email_list.map(({ email }: Body) => email),
    [" other@example.com "],
  );
  assert.equal(account.email, " other@example.com ");
});

test("the migration trims the stored keys of older records, and changes no others", async () => {
  const { records } = await padded();
  const ids = records.map(({ _id }) => String(_id));
  const read = () =>
    Promise.all(
      TABLES.map((table) =>
        api.sql.unsafe(
          `select email_list, phone_list, xmin::text from ${table} where id = any($1) order by id`,
          [ids],
        ),
      ),
    );
  const keysIn = (tables: Awaited<ReturnType<typeof read>>) =>
    tables.flat().map(({ email_list, phone_list }) => [email_list, phone_list]);
  const before = keysIn(await read());
  assert.deepEqual(before[0], [
    ["ada@example.com", "other@example.com"],
    ["12 34", "56 78"],
  ]);
  const pad = SPACES.join("");
  for (const table of TABLES) {
    await api.sql.unsafe(
      `update ${table}
          set email_list = array(select $2 || key || $2 from unnest(email_list) key),
              phone_list = array(select $2 || key || $2 from unnest(phone_list) key)
        where id = any($1)`,
      [ids, pad],
    );
  }
  const file = join(import.meta.dirname, "../../migrations/035.do.trimmed-keys.sql");
  const migrate = async () => api.sql.unsafe(await readFile(file, "utf8"));
  await migrate();
  const after = await read();
  assert.deepEqual(keysIn(after), before);
  await migrate();
  assert.deepEqual(await read(), after);
});
