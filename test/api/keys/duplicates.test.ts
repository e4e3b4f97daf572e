/** Possible duplicates are found by email and phone number and listed with the most similar first. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { BUILT_IN_TYPES } from "../../../src/records/types/index.ts";
import { sharedApi } from "../../kit/file-api.ts";
import { ok, type Body } from "../samples.ts";

const api = await sharedApi();
const acme = await api.tenant();
const rival = await api.tenant();
const TYPES = Object.values(BUILT_IN_TYPES).filter(({ sameBy }) => sameBy !== undefined);

for (const { name, writePath } of TYPES) {
  const create = async (body: Body) => ok(await acme.post(writePath, body)).body;
  const duplicatesOf = (id: unknown) => acme.get(`${writePath}/${String(id)}/duplicates`);

  test(`duplicates of a ${name}: matches by both ways come first, then similar names, then the newest`, async () => {
    const email = `${name}@example.com`;
    const subject = await create({ name: "Ada Example", email, phone: "(555) 555-5001" });
    const alike = await create({ name: "example, ADA", email: email.toUpperCase() });
    const other = await create({ name: "Zoe Other", phone: "+1 555 555 5001" });
    const half = await create({ name: "Ada Other", email });
    const both = await create({ name: "Somebody", email, phone: "555-555-5001" });
    const newer = await create({ name: "Zoe Newer", phone: "5555555001" });
    await create({ name: "Ada Example", email: `other-${email}` });
    ok(await rival.post(writePath, { name: "Ada Example", email }));
    const answer = await duplicatesOf(subject._id);
    assert.deepEqual(ok(answer).body, [
      { score: 1, matched_on: ["email", "phone"], record: both },
      { score: 0.9, matched_on: ["email"], record: alike },
      { score: 0.7, matched_on: ["email"], record: half },
      { score: 0.5, matched_on: ["phone"], record: newer },
      { score: 0.5, matched_on: ["phone"], record: other },
    ]);
    assert.equal(answer.headers.get("x-too-common"), null);
    const merged = ok(
      await acme.post(`${writePath}/${subject._id}/merge`, { ids: [both._id, half._id] }),
    ).body;
    const left = ok(await duplicatesOf(both._id)).body;
    assert.deepEqual(
      left.map(({ record }: { record: Body }) => record["_id"]),
      [alike._id, newer._id, other._id],
    );
    assert.equal(merged._id, subject._id);
  });
}

test("names are compared by whole words in every script, however their accents are encoded", async () => {
  const pairs = [
    ["राम कुमार", "रीमा कुमारी", 0.5],
    ["राम कुमार", "कुमार राम", 0.9],
    ["สมชาย ใจดี", "สมชัย ใจดี", 0.7],
    ["José Núñez", "JOSE\u0301 NU\u0301N\u0303EZ", 0.9],
  ] as const;
  for (const [at, [name, other, score]] of pairs.entries()) {
    const email = `pair-${at}@example.com`;
    const { _id } = ok(await acme.post("/crm/leads", { name, email })).body;
    ok(await acme.post("/crm/leads", { name: other, email }));
    const [duplicate] = ok(await acme.get(`/crm/leads/${_id}/duplicates`)).body;
    assert.deepEqual([duplicate.record.name, duplicate.score], [other, score]);
  }
});

test("invalid emails and emails that hundreds share make no two records duplicates", async () => {
  const lead = async (body: Body) => ok(await acme.post("/crm/leads", body)).body;
  const none = { email: "n/a", phone: "unknown" };
  const first = await lead({ name: "A", ...none });
  await lead({ name: "A", ...none });
  assert.deepEqual(ok(await acme.get(`/crm/leads/${first._id}/duplicates`)).body, []);
  const shared = await lead({ name: "B", email: "info@example.com", phone: "(555) 555-5777" });
  const twin = await lead({ name: "B", phone: "(555) 555-5777" });
  await api.sql`
    insert into leads (tenant_id, id, body, tags, email_list, phone_list,
                       created_ts, updated_ts, status_update_date, version)
    select tenant_id, lpad(to_hex(n), 24, '0'), body, tags, email_list, '{}',
           created_ts, updated_ts, status_update_date, version
      from leads, generate_series(1, 300) n where id = ${shared._id}`;
  const answer = await acme.get(`/crm/leads/${shared._id}/duplicates`);
  assert.equal(answer.headers.get("x-too-common"), "email");
  assert.deepEqual(ok(answer).body, [{ score: 0.9, matched_on: ["phone"], record: twin }]);
});

test("a missing record has no duplicates, and the operation takes no parameters", async () => {
  const { _id } = ok(await acme.post("/crm/leads", { name: "A" })).body;
  assert.equal((await acme.get(`/crm/leads/${"0".repeat(24)}/duplicates`)).status, 404);
  assert.equal((await rival.get(`/crm/leads/${_id}/duplicates`)).status, 404);
  assert.equal((await acme.get(`/crm/leads/${_id}/duplicates`, { page_size: 5 })).status, 422);
});
