/** After an erasure and a scrub, none of the server's files contain the person's data. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { scrub } from "../../src/privacy/index.ts";
import { ok } from "../api/samples.ts";
import { fileApi } from "../kit/file-api.ts";
import { openSession } from "../kit/started.ts";
import { filesContaining } from "./person-kit.ts";

const api = await fileApi();

/** No other test stores this name. */
const NAME = "Xanthippe Raworthington";
const EMAIL = "xanthippe.raworthington@example.org";

test("the raw files of the server contain nothing of an erased person after a scrub", async (t) => {
  const client = await api.tenant();
  const leads: string[] = [];
  for (let at = 0; at < 20; at += 1) {
    const body = { name: NAME, email: EMAIL, comments: `${NAME} ${at}` };
    leads.push(ok(await client.post("/crm/leads", body)).body._id);
  }
  await api.sql`analyze`;
  const [row] = await api.sql<
    { folder: string }[]
  >`select current_setting('data_directory') as folder`;
  const folder = row?.folder ?? "";
  await api.sql`checkpoint`;
  const filesWith = () => filesContaining("raworthington", folder);
  assert.ok(filesWith().length > 0, "the files can be read, and contain the person");
  const { report_id } = ok(await client.post("/crm/admin/persons/report", { email: EMAIL })).body;
  ok(await client.post("/crm/admin/persons/erase", { report_id, record_ids: leads }));
  const done = await scrub(openSession(t, api.databaseUrl), () => {});
  assert.ok(done.tables.includes("leads") && done.tables.includes("changes"));
  assert.equal(done.log, true);
  assert.deepEqual(filesWith(), []);
});
