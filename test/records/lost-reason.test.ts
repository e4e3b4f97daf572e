/** The reason why a deal was lost: stored with stage `closed_lost` and cleared whenever the stage changes. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createClient } from "../../sdk/src/index.ts";
import { ok, recordsIn, type Body } from "../api/samples.ts";
import { assertCounts, importFile, recordsOf } from "../files/imports/sending.ts";
import type { Answer, Client } from "../kit/api.ts";
import { sharedApi } from "../kit/file-api.ts";

const api = await sharedApi();
const acme = await api.tenant();
const { _id: account_id } = ok(await acme.post("/crm/accounts", { name: "Globex" })).body;

const DEALS = "/crm/opportunities";
const LOST = { stage: "closed_lost", lost_reason: "Price" };
/** A reason of 500 characters, the last of which consists of two UTF-16 code units. */
const LONGEST = `${"x".repeat(499)}𝒳`;

let deals = 0;
async function create(fields: Body = {}): Promise<Body> {
  const body = { name: "Two cranes", account_id, external_id: `D-${++deals}`, ...fields };
  return ok(await acme.post(DEALS, body)).body;
}

const pathOf = ({ _id }: Body): string => `${DEALS}/${String(_id)}`;
const read = async (deal: Body): Promise<Body> => ok(await acme.get(pathOf(deal))).body;

/** Asserts that a response has status 422 and that its only issue is about lost_reason. */
function assertRefused({ status, body, text }: Answer, ...loc: readonly (string | number)[]): void {
  assert.equal(status, 422, text);
  assert.deepEqual(
    body.detail.map((issue: Body) => [issue["type"], issue["loc"], issue["msg"]]),
    [
      [
        "value_error",
        [...loc, "lost_reason"],
        "Value error, lost_reason can be set only while stage is closed_lost; also send stage " +
          "closed_lost, or leave lost_reason out",
      ],
    ],
  );
}

const KEYED = { external_id: "external_id" };

const lineOf = ({ external_id }: Body, stage: string, reason: string): string =>
  `external_id,name,Account,Stage,Lost reason\n${String(external_id)},Two cranes,Globex,${stage},${reason}\n`;

/** Every way to move a deal to another stage, with the request for each. */
const MOVES: Readonly<Record<string, (deal: Body, stage: string) => Promise<unknown>>> = {
  "a PATCH": async (deal, stage) => ok(await acme.patch(pathOf(deal), { stage })),
  "a PATCH of all that was read": async (deal, stage) =>
    ok(await acme.patch(pathOf(deal), { ...deal, stage })),
  "a PUT by external id": async (deal, stage) =>
    ok(await acme.put(`${DEALS}/by/external_id/${String(deal["external_id"])}`, { stage })),
  "a PUT of all that was read": async (deal, stage) =>
    ok(
      await acme.put(`${DEALS}/by/external_id/${String(deal["external_id"])}`, { ...deal, stage }),
    ),
  "an import that updates": async (deal, stage) =>
    assertCounts(await importFile(acme, "deals", lineOf(deal, stage, ""), KEYED), {
      rows: 1,
      updated: 1,
    }),
  "an import whose file still has the reason": async (deal, stage) =>
    assertCounts(await importFile(acme, "deals", lineOf(deal, stage, "Price"), KEYED), {
      rows: 1,
      updated: 1,
    }),
  "the client's edit": async (deal, stage) => {
    const leadport = createClient({ url: api.url, token: acme.bearer });
    await leadport.edit("deal", String(deal["_id"]), () => ({ stage: stage as "developing" }));
  },
};

for (const [way, move] of Object.entries(MOVES)) {
  test(`${way} clears lost_reason when the stage leaves closed_lost`, async () => {
    for (const stage of ["developing", "closed_won"]) {
      const deal = await create(LOST);
      await move(deal, stage);
      const after = await read(deal);
      assert.deepEqual([after["stage"], after["lost_reason"]], [stage, null]);
      const [change] = ok(await acme.get(`${pathOf(deal)}/history`)).body;
      assert.deepEqual(change.fields.lost_reason, { old: "Price", new: null });
    }
  });
}

test("lost_reason is stored by creations, batches, PATCH and PUT, with up to 500 characters", async () => {
  const deal = await create({ ...LOST, lost_reason: LONGEST });
  assert.equal(deal["lost_reason"], LONGEST);
  const items = [
    { name: "Winter storage", account_id, ...LOST },
    { name: "A berth", account_id, lost_reason: "Price" },
  ];
  const [first, second] = (await acme.post(`${DEALS}/batch`, { items })).body;
  assert.equal((await read(first))["lost_reason"], "Price");
  assert.equal(second.status, 422);
  const patched = ok(await acme.patch(pathOf(deal), { lost_reason: "No budget" })).body;
  assert.equal(patched.lost_reason, "No budget");
  const path = `${DEALS}/by/external_id/${String(deal["external_id"])}`;
  assert.equal(ok(await acme.put(path, { lost_reason: "Timing" })).body.lost_reason, "Timing");
  assert.equal(ok(await acme.patch(pathOf(deal), { lost_reason: null })).body.lost_reason, null);
  const tooLong = await acme.patch(pathOf(deal), { lost_reason: `${LONGEST}y` });
  assert.equal(tooLong.status, 422);
  assert.equal(tooLong.body.detail[0].type, "string_too_long");
});

test("a new lost_reason with another stage is rejected, whatever writes it", async () => {
  const open = await create();
  const lost = await create(LOST);
  const given = { name: "A berth", account_id };
  const patch = (deal: Body, body: Body) => acme.patch(pathOf(deal), body);
  assertRefused(await acme.post(DEALS, { ...given, lost_reason: "Price" }), "body");
  assertRefused(await acme.post(DEALS, { ...given, ...LOST, stage: "closed_won" }), "body");
  assertRefused(await patch(open, { lost_reason: "Price" }), "body");
  assertRefused(await patch(lost, { stage: "draft", lost_reason: "Timing" }), "body");
  const key = `${DEALS}/by/external_id/new-${deals}`;
  assertRefused(await acme.put(key, { ...given, lost_reason: "Price" }), "body");
  const lead = ok(await acme.post("/crm/leads", { name: "Mara Lind" })).body;
  const convert = `/crm/leads/${lead._id}/convert`;
  const deal = { name: "A berth", lost_reason: "Price" };
  assertRefused(await acme.post(convert, { account_id, deal }), "body", "deal");
  assert.deepEqual(await read(open), open);
  assert.deepEqual(await read(lost), lost);
});

test("null and an empty text say nothing about an open deal, and clear the reason of a lost one", async () => {
  const open = await create({ lost_reason: "" });
  assert.equal(open["lost_reason"], null);
  for (const lost_reason of [null, ""]) {
    const same = ok(await acme.patch(pathOf(open), { lost_reason })).body;
    assert.deepEqual(same, open);
    const lost = await create(LOST);
    const cleared = ok(await acme.patch(pathOf(lost), { lost_reason })).body;
    assert.deepEqual([cleared.stage, cleared.lost_reason], ["closed_lost", null]);
    const opened = ok(
      await acme.patch(pathOf(await create(LOST)), { stage: "draft", lost_reason }),
    );
    assert.equal(opened.body.lost_reason, null);
  }
});

test("lost_reason is exported, selected by fields, and in every list", async () => {
  const client = await api.tenant();
  const account = ok(await client.post("/crm/accounts", { name: "Globex" })).body;
  ok(await client.post(DEALS, { name: "A berth", account_id: account._id, ...LOST }));
  for (const path of ["/crm/deals", "/crm/deals/created", "/crm/deals/updated"]) {
    assert.deepEqual(
      recordsIn(ok(await client.get(path))).map(({ lost_reason }) => lost_reason),
      ["Price"],
    );
  }
  const [picked] = ok(await client.get("/crm/deals", { fields: "lost_reason" })).body;
  const { _id, id } = picked;
  assert.deepEqual(picked, { _id, id, lost_reason: "Price", version: 1 });
  const { text } = await client.get("/crm/deals/export", { format: "csv" });
  const [headings = "", row = ""] = text.replace("\uFEFF", "").split(/\r?\n/);
  assert.equal(row.split(",")[headings.split(",").indexOf("lost_reason")], "Price");
});

async function importDeals(client: Client, text: string, options: object = {}) {
  await client.post("/crm/accounts", { name: "Globex" });
  const done = await importFile(client, "deals", text, options);
  const stored = await recordsOf(client, "/crm/deals");
  return { done, byName: new Map(stored.map((deal) => [deal["name"], deal])) };
}

for (const heading of ["Lost reason", "Closed lost reason", "Reason lost", "Deal - Loss Reason"]) {
  test(`an import reads ${heading} into lost_reason of lost deals, and keeps others as notes`, async () => {
    const text =
      `Deal Name,Account,Deal Stage,${heading}\n` +
      `One,Globex,Closed Lost,Price\nTwo,Globex,Discovery,Timing\nThree,Globex,Closed Won,\n` +
      `Four,Globex,Closed Lost,${"y".repeat(501)}\n`;
    const { done, byName } = await importDeals(await api.tenant(), text);
    assertCounts(done, { rows: 4, created: 4 });
    assert.deepEqual(done["warnings"], { unreadable_value: 1, too_long: 1 });
    assert.equal(byName.get("One")?.["lost_reason"], "Price");
    assert.equal(byName.get("One")?.["business_need_description"], null);
    assert.equal(byName.get("Two")?.["lost_reason"], null);
    assert.equal(
      byName.get("Two")?.["business_need_description"],
      "lost_reason in the file: Timing",
    );
    assert.equal(byName.get("Four")?.["lost_reason"], null);
    assert.match(String(byName.get("Four")?.["business_need_description"]), /: y{501}$/);
  });
}

test("an update without a stage sets the reason of a lost deal, and rejects that of an open one", async () => {
  const client = await api.tenant();
  const first = "external_id,name,Account,Stage\nA,One,Globex,Closed Lost\nB,Two,Globex,Draft\n";
  await importDeals(client, first, KEYED);
  const reasons = "external_id,Lost reason\nA,Price\nB,Timing\n";
  const { done, byName } = await importDeals(client, reasons, { ...KEYED, mode: "update" });
  assertCounts(done, { rows: 2, updated: 1, refused: 1 });
  assert.match(done.rejects[0]?.reason ?? "", /lost_reason can be set only while stage/);
  assert.equal(byName.get("One")?.["lost_reason"], "Price");
  assert.equal(byName.get("Two")?.["lost_reason"], null);
});

test("deals that were stored before the field existed return it as null, in the same place", async () => {
  const names = ["Plain", 'A "quoted" name, with a comma', String.raw`C:\deals\"`, "{}[]:null"];
  const stored = await Promise.all(
    names.map((name) => create({ name, product_dict_list: [{ lost_reason: 1 }] })),
  );
  const lost = await create(LOST);
  const ids = [...stored, lost].map(({ _id }) => String(_id));
  const bodies = async () => {
    const rows = await api.sql`
      select body::text from deals where id = any(${ids}) order by id`;
    return rows.map(({ body }) => body as string);
  };
  const before = await bodies();
  await api.sql`
    update deals set body = replace(body::text, '"lost_reason":null,', '')::json
     where id = any(${ids})`;
  assert.equal((await bodies()).filter((body) => body.includes('"lost_reason":null')).length, 0);
  const file = join(import.meta.dirname, "../../migrations/030.do.lost-reason.sql");
  await api.sql.unsafe(await readFile(file, "utf8"));
  assert.deepEqual(await bodies(), before);
  assert.deepEqual(await read(stored[0] as Body), stored[0]);
});
