/** Exports over HTTP: consistent as of one point in time, in constant memory, and importable again. */

import assert from "node:assert/strict";
import http from "node:http";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openExport } from "../../../src/files/exports/index.ts";
import { eventually } from "../../kit/eventually.ts";
import { file as thisFile, fileApi } from "../../kit/file-api.ts";
import type { Client } from "../../kit/api.ts";
import { parseRfc4180 } from "../../kit/rfc4180.ts";
import { assertCounts, exportOfLeads, importFile, recordsOf } from "../imports/sending.ts";
import { openPools, type Owner } from "../../kit/started.ts";
import { BUILT_IN_TYPES } from "../../../src/records/types/index.ts";

const api = await fileApi();

/** Creates a record of each type with many fields set, including values that need quoting in CSV. */
async function fill(acme: Client) {
  const make = async (path: string, body: object) => {
    const answer = await acme.post(path, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body as { _id: string };
  };
  const person = {
    name: 'Ann "The" Lee',
    email: "ann@example.com",
    phone: "+1 415 555 0100",
    source: "Google",
    status: "contacted",
    comments: "one\ntwo, three\r\n'four'\rfive",
    tags: ["a,b", "=1+1"],
    birth_year: 1990,
    decision_date: 1700000000.5,
    social_dict_list: [{ type: "X", url: "https://social.example/ann" }],
  };
  await make("/crm/leads", { ...person, external_id: "L-1" });
  const account = await make("/crm/accounts", {
    name: "Globex, Inc.",
    industry: "Energy",
    num_employees: 12,
    tags: ["big"],
  });
  const contact = await make("/crm/contacts", { ...person, account_id: account._id });
  const of = { account_id: account._id, contact_id: contact._id };
  const deal = await make("/crm/opportunities", {
    ...of,
    name: "Deal",
    stage: "closed_won",
    value_of_sale: 1234.56,
    probability_pcnt: 0.75,
    product_dict_list: [{ product_id: "p", unit_amount: 2.5, unit_count: 3 }],
  });
  const lines = [{ description: "x", amount: 3, line_detail_dict: { qty: 1, unit_price: 3 } }];
  await make("/crm/invoices", {
    ...of,
    invoice_num: "I-1",
    total_amount: 3,
    invoice_line_list: lines,
    opportunity_id: deal._id,
  });
  await make("/crm/orders", { ...of, name: "Order", total_amount: 3, order_line_list: lines });
  await make("/crm/tasks", { name: "Call", subject_type: "contact", subject: contact._id });
  await make("/crm/tasks", { name: "Done", status: "completed", action_data: { a: [1, null] } });
}

const pathOf = (name: string): string =>
  Object.values(BUILT_IN_TYPES).find((type) => type.name === name)?.lists["all"]?.path ?? "";

/** Returns a record's values, without values that differ between any two records. */
function meaning(record: Readonly<Record<string, unknown>>) {
  const own =
    /^(_id|id|external_id|userid|user_name|created_by_userid|version|order_num)$|_ts$|timestamp/;
  const dates = /^(created|updated|status_updated)_date$|^status_update_date$|_id$|^subject$/;
  const kept = Object.entries(record).filter(([name]) => !own.test(name) && !dates.test(name));
  return Object.fromEntries(kept);
}

for (const format of ["csv", "ndjson"]) {
  test(`every type can be exported as ${format} and imported into another tenant unchanged`, async () => {
    const acme = await api.tenant();
    const other = await api.tenant();
    await fill(acme);
    for (const name of ["account", "contact", "lead", "deal", "invoice", "order", "task"]) {
      const path = pathOf(name);
      const file = await acme.get(`${path}/export`, { format });
      assert.equal(file.status, 200, file.text);
      const options = { external_id: "_id", file_name: `x.${format}` };
      const done = await importFile(other, name, file.text, options);
      const sent = await recordsOf(acme, path);
      assertCounts(done, { rows: sent.length, created: sent.length });
      const come = await recordsOf(other, path);
      assert.deepEqual(come.map(meaning), sent.map(meaning), name);
      const again = await importFile(other, name, file.text, options);
      assertCounts(again, { rows: sent.length, unchanged: sent.length });
    }
  });
}

test("NDJSON contains each record as the API returns it, oldest first", async () => {
  const acme = await api.tenant();
  for (const name of ["Ann", "Bo", "Cy"]) await acme.post("/crm/leads", { name });
  const file = await acme.get("/crm/leads/export", { format: "ndjson" });
  assert.equal(file.headers.get("content-type"), "application/x-ndjson");
  assert.match(file.headers.get("content-disposition") ?? "", /filename="leads\.ndjson"/);
  const lines = file.text.trim().split("\n");
  assert.deepEqual(
    lines.map((line) => JSON.parse(line) as unknown),
    (await recordsOf(acme, "/crm/leads")).toReversed(),
  );
});

test("a filter and dates select what is exported", async () => {
  const acme = await api.tenant();
  for (const status of ["open", "contacted", "open"]) {
    await acme.post("/crm/leads", { name: status, status });
  }
  const count = async (query: object) => {
    const answer = await acme.get("/crm/leads/export", { format: "ndjson", ...query });
    assert.equal(answer.status, 200, answer.text);
    return answer.text.split("\n").length - 1;
  };
  assert.equal(await count({ match_filter_dict: { lead_status: "open" } }), 2);
  const [{ _id }] = (await recordsOf(acme, "/crm/leads")) as [{ _id: string }];
  const byId = JSON.stringify({ _id: `ObjectId('${_id}')` });
  assert.equal(await count({ match_filter_dict: byId, eval_object_id: true }), 1);
  assert.equal(await count({ end_date: "2020-01-01" }), 0);
  assert.equal(await count({ start_date: "2020-01-01" }), 3);
});

test("an export is sorted by _id, and by created_ts if it has dates", async () => {
  const acme = await api.tenant();
  const ids: string[] = [];
  for (const name of ["a", "b", "c", "d"]) {
    ids.push((await acme.post("/crm/leads", { name })).body._id as string);
  }
  const now_s = Math.floor(Date.now() / 1000);
  const created = [now_s - 10, now_s - 30, now_s - 20, now_s - 30];
  for (const [at, id] of ids.entries()) {
    await api.restamp("leads", id, { created_ts: created[at] as number });
  }
  const exported = async (query: object): Promise<string[]> => {
    const { text } = await acme.get("/crm/leads/export", { format: "ndjson", ...query });
    const lines = text.trimEnd().split("\n");
    return lines.map((line: string) => (JSON.parse(line) as { _id: string })._id);
  };
  assert.deepEqual(await exported({}), ids);
  const inTime = [1, 3, 2, 0].map((at) => ids[at]);
  assert.deepEqual(await exported({ start_date: "2020-01-01" }), inTime);
});

test("an empty export has only column headers", async () => {
  const acme = await api.tenant();
  const file = await acme.get("/crm/deals/export");
  assert.match(file.text, /^_id,external_id,name,[^\n]+\r\n$/);
});

test("all errors of an export are in one response", async () => {
  const acme = await api.tenant();
  const query = { format: "ndjson", for: "spreadsheet", match_filter_dict: { nope: 1 } };
  const answer = await acme.get("/crm/leads/export", query);
  assert.deepEqual(
    answer.body.detail.map(({ loc }: { loc: readonly string[] }) => loc[1]),
    ["match_filter_dict", "for"],
  );
});

test("CSV for a spreadsheet has a byte order mark and guards texts, not numbers", async () => {
  const acme = await api.tenant();
  const account = (await acme.post("/crm/accounts", { name: "=1+1" })).body;
  const deal = { name: "-5", account_id: account._id, value_of_sale: -5 };
  assert.equal((await acme.post("/crm/opportunities", deal)).status, 200);
  const file = await acme.get("/crm/deals/export", { for: "spreadsheet" });
  assert.equal(file.headers.get("content-type"), "text/csv; charset=utf-8; header=present");
  assert.match(file.headers.get("content-disposition") ?? "", /filename="deals\.csv"/);
  const bytes = Buffer.from(await fetchBytes(acme, "/crm/deals/export?for=spreadsheet"));
  assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
  const [names = [], cells = []] = parseRfc4180(bytes.subarray(3).toString());
  const cell = (name: string) => cells[names.indexOf(name)];
  assert.deepEqual(["name", "account_name", "value_of_sale"].map(cell), ["'-5", "'=1+1", "-5"]);
});

/** Returns the bytes of a response. Decoding them would remove the byte order mark. */
async function fetchBytes({ url, bearer }: Client, path: string): Promise<ArrayBuffer> {
  const answer = await fetch(url + path, { headers: { authorization: `Bearer ${bearer}` } });
  return answer.arrayBuffer();
}

const WRONG: readonly (readonly [object, string])[] = [
  [{ format: "xlsx" }, "format"],
  [{ format: "ndjson", for: "spreadsheet" }, "for"],
  [{ for: "printer" }, "for"],
  [{ match_filter_dict: { nope: 1 } }, "match_filter_dict"],
  [{ page_size: 5 }, "page_size"],
  [{ start_date: "yesterday" }, "start_date"],
];
for (const [query, blamed] of WRONG) {
  test(`an export rejects ${JSON.stringify(query)}`, async () => {
    const acme = await api.tenant();
    const answer = await acme.get("/crm/leads/export", query as never);
    assert.equal(answer.status, 422);
    assert.deepEqual(answer.body.detail[0].loc, ["query", blamed]);
  });
}

test("an export shows one point in time, whatever is written while it is read", async () => {
  const acme = await api.tenant();
  const rows = Array.from({ length: 3000 }, (_, at) => `Lead ${at},${"x".repeat(500)}\n`);
  await importFile(acme, "leads", `name,comments\n${rows.join("")}`);
  const url = new URL(`${acme.url}/crm/leads/export?format=ndjson`);
  const response = await new Promise<http.IncomingMessage>((resolve) => {
    http.get(url, { headers: { authorization: `Bearer ${acme.bearer}` } }, resolve);
  });
  await acme.post("/crm/leads", { name: "Late" });
  const [last] = (await recordsOf(acme, "/crm/leads")).slice(1);
  await acme.patch(`/crm/leads/${String(last?.["_id"])}`, { title: "Changed" });
  let text = "";
  for await (const chunk of response) text += String(chunk);
  const lines = text.trim().split("\n");
  assert.equal(lines.length, 3000);
  assert.ok(!text.includes('"Late"') && !text.includes('"Changed"'));
});

test("an export of one tenant contains nothing of another", async () => {
  const acme = await api.tenant();
  const rival = await api.tenant();
  await acme.post("/crm/leads", { name: "Only at Acme" });
  const file = await rival.get("/crm/leads/export", { format: "ndjson" });
  assert.equal(file.text, "");
});

/** Opens an export that is too large for all buffers between the database and the reader. */
async function openLong(t: Owner, acme: Client, stall_ms: number) {
  const rows = Array.from({ length: 3000 }, (_, at) => `Lead ${at},${"x".repeat(2000)}\n`);
  await importFile(acme, "leads", `name,comments\n${rows.join("")}`);
  const db = openPools(t, { url: api.databaseUrl, connections: 1, listTimeout_ms: 10_000 });
  const file = await openExport({ ...exportOfLeads(acme), db: db.sql, stall_ms });
  return { db, file };
}

test("a reader that reads nothing for too long is cut off, and its connection is free again", async (t) => {
  const { db, file } = await openLong(t, await api.tenant(), 100);
  const failed = new Promise<Error>((resolve) => file.once("error", resolve));
  file.once("readable", () => undefined);
  assert.match((await failed).message, /client stopped reading the export/);
  const [{ one }] = (await db.sql`select 1 as one`) as unknown as [{ one: number }];
  assert.equal(one, 1);
});

for (const format of ["csv", "ndjson"] as const) {
  for (const moment of ["before", "after"] as const) {
    test(`a client that disconnects ${moment} the first bytes of a ${format} export ends its transaction and turn`, async (t) => {
      const acme = await api.tenant();
      await acme.post("/crm/leads", { name: "Ann" });
      const db = openPools(t, { url: api.databaseUrl, connections: 1, listTimeout_ms: 10_000 });
      let isTurnOver = false;
      const takeTurn = async () => () => void (isTurnOver = true);
      const given = { ...exportOfLeads(acme), format, momentMax_ms: 20_000 };
      const file = await openExport({ ...given, db: db.sql, takeTurn });
      if (moment === "after") {
        await once(file, "readable");
        assert.ok((file.read() as Buffer).length > 0);
      }
      file.destroy();
      await eventually(() => isTurnOver);
      const [row] = await db.sql`select 1 as one`;
      assert.equal(row?.["one"], 1);
    });
  }
}

test("an export whose database goes away ends with an error, never as if it were complete", async (t) => {
  const acme = await api.tenant();
  const { file } = await openLong(t, acme, 10_000);
  const read = (async () => {
    for await (const _ of file) {
      await api.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and query like 'fetch%'`;
      await sleep(20);
    }
  })();
  await assert.rejects(read);
});

test("an export reads large records a few at a time, also after many small ones", async () => {
  const acme = await api.tenant();
  const url = `https://example.com/${"y".repeat(2000)}`;
  const social_dict_list = Array.from({ length: 480 }, () => ({ type: "a", url }));
  const { _id } = (await acme.post("/crm/leads", { name: "Large", social_dict_list })).body;
  const [row] = await api.sql`
    select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
     where table_name = 'leads' and is_generated = 'NEVER' and column_name not in ('id', 'body')`;
  const names = String(row?.["names"]);
  await api.sql.unsafe(
    `insert into leads (id, body, ${names})
     select lpad(to_hex(i), 24, '0'),
            case when i <= 1000 then json_build_object('_id', i) else body end, ${names}
       from leads, generate_series(1, 1020) i where id = $1`,
    [String(_id)],
  );
  const { sql: db } = openPools(thisFile, {
    url: api.databaseUrl,
    connections: 2,
    listTimeout_ms: 5000,
  });
  const stream = await openExport({ ...exportOfLeads(acme), db });
  let lines = 0;
  let largest = 0;
  stream.on("data", (chunk: Buffer) => {
    largest = Math.max(largest, chunk.length);
    lines += chunk.toString("latin1").split("\n").length - 1;
  });
  await once(stream, "end");
  assert.equal(lines, 1021);
  assert.ok(largest < 3 * 1024 * 1024, `${largest} bytes`);
});
