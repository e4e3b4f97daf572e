/** The embedded PostgreSQL's log: errors appear without the values of the rows that caused them. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ask, openFolder, start } from "../kit/cluster.ts";
import { eventually } from "../kit/eventually.ts";

test("a duplicate key and a failed check are logged without their values", async (t) => {
  const dataDir = join(openFolder(t), "data");
  const { url } = await start(t, dataDir);
  await ask(url, async (sql) => {
    await sql`create table people (email text unique, age integer check (age > 0))`;
    await sql`insert into people values ('ann@example.com', 1)`;
    const duplicate = sql`insert into people values (${"ann@example.com"}, 2)`;
    await assert.rejects(duplicate, { code: "23505", detail: /ann@example\.com/ });
    const checked = sql`insert into people values (${"bob@example.com"}, -1)`;
    await assert.rejects(checked, { code: "23514", detail: /bob@example\.com/ });
  });
  const folder = join(dataDir, "postgres/data/log");
  const read = () =>
    readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), "utf8"))
      .join("");
  const log = await eventually(read, (text) => text.includes("violates check constraint"));
  assert.match(log, /duplicate key value violates unique constraint "people_email_key"/);
  assert.doesNotMatch(log, /example\.com/);
});
