/** `leadport person report`, `leadport person erase` and `leadport scrub`. */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { migratedDatabase } from "../kit/database.ts";
import { temporaryFolder } from "../kit/started.ts";
import { printed, settings } from "../running/leadport.ts";
import { occurrencesOf } from "./person-kit.ts";

const MASTER_KEY = Buffer.alloc(32, 5).toString("base64");
const EMAIL = "clara.command@example.org";

test("an operator reports and erases a person, and scrubs the data files", async (t) => {
  const { sql, url } = await migratedDatabase(t);
  const own = settings(t);
  const folder = temporaryFolder(t);
  const erasureLog = join(folder, "erasures.ndjson");
  const env = { ...own, DATABASE_URL: url, MASTER_KEY, ERASURE_LOG: erasureLog };
  const run = async (
    args: readonly string[],
    code = 0,
    given: Readonly<Record<string, string>> = env,
  ) => {
    const ended = await printed(args, given);
    assert.equal(ended.code, code, ended.err);
    return ended;
  };
  await run(["tenant", "create", "Acme"]);
  const [tenant] = await sql<{ id: string }[]>`select id from tenants`;
  const tenantId = tenant?.id ?? "";
  const file = join(folder, "leads.csv");
  writeFileSync(file, `name,email\nClara Command,${EMAIL}\nOther Person,other@example.org\n`);
  await run(["import", "lead", file, "--tenant", "acme"]);
  const person = ["--tenant", "acme", "--email", EMAIL.toUpperCase()];

  const report = await run(["person", "report", ...person]);
  assert.match(report.out, /erase +lead +[0-9a-f]{24} +email +Clara Command/);
  const { data } = JSON.parse((await run(["person", "report", ...person, "--json"])).out);
  assert.equal(data.records[0].record.email, EMAIL);
  await run(["person", "report", "--tenant", "acme"], 2);
  await run(["person", "report", "--tenant", "acme", "--email", "nonsense"], 1);

  const dry = JSON.parse((await run(["person", "erase", ...person, "--dry-run", "--json"])).out);
  assert.deepEqual([dry.state, dry.counts.leads], ["dry_run", 1]);
  // Without a terminal, the command cannot ask for confirmation.
  await run(["person", "erase", ...person], 2);
  const { ERASURE_LOG: _, ...without } = env;
  const refused = await run(["person", "erase", ...person, "--yes"], 1, without);
  assert.match(refused.err, /ERASURE_LOG/);
  const done = await run(["person", "erase", ...person, "--yes"]);
  assert.match(done.out, /The person has been erased/);
  assert.deepEqual(await occurrencesOf(sql, tenantId, ["clara"]), []);
  assert.match(readFileSync(erasureLog, "utf8"), /"kind":"person_erased"/);
  assert.match((await run(["person", "erase", ...person, "--yes"])).out, /Nothing is stored/);

  const nora = ["--tenant", "acme", "--email", "nora@example.org"];
  await run(["person", "create", ...nora, "--name", "Nora Example", "--role", "viewer"]);
  const { out } = await run(["person", "erase", ...nora, "--yes"]);
  assert.match(out, /mentions the person[^]* Nora Example\n[^]*There are no records to erase/);
  await run(["person", "erase", ...nora, "--yes", "--review", "0".repeat(24)], 1);

  const scrubbed = JSON.parse((await run(["scrub", "--json"])).out);
  assert.ok(scrubbed.tables.includes("leads"));
  const [left] = await sql`select count(*)::int as count from leads`;
  assert.equal(left?.["count"], 1);
});
