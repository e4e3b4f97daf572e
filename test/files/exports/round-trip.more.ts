/** Records with unusual strings stay unchanged when commands export them and import them into another tenant. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileApi } from "../../kit/file-api.ts";
import { parseRfc4180 } from "../../kit/rfc4180.ts";
import { folder, printed } from "../../running/leadport.ts";
import { assertSame, fillOddly, ORDERED_TYPES, pathOf } from "./round-trips.ts";
import { recordsOf } from "../imports/sending.ts";

const api = await fileApi();
const env = {
  DATABASE_URL: api.databaseUrl,
  MASTER_KEY: randomBytes(32).toString("base64url"),
  LOG_LEVEL: "warn",
};
const seed = Math.floor(Math.random() * 2 ** 31);
const acme = await api.tenant();
await fillOddly(acme, seed);
test.before(() => console.log(`seed ${seed}`));

for (const options of [[], ["--spreadsheet"]]) {
  const how = ["the commands", ...options].join(" with ");
  test(`records of every type are unchanged after ${how}`, async (t) => {
    const other = await api.tenant();
    const place = folder(t);
    for (const type of ORDERED_TYPES) {
      const path = join(place, `${type.table}.csv`);
      const out = ["export", type.table, "--out", path, "--tenant", acme.tenantId, ...options];
      assert.equal((await printed(out, env)).code, 0);
      const text = readFileSync(path, "utf8");
      assert.equal(text.startsWith("\u{feff}"), options.length > 0);
      const { length } = await recordsOf(acme, pathOf(type));
      assert.equal(parseRfc4180(text).length, length + 1);
      const key = ["--external-id", "_id", "--tenant", other.tenantId];
      const done = await printed(["import", type.table, path, ...key, ...options], env);
      assert.match(done.out, new RegExp(`\\b${length} created, .* 0 rejected`), done.err);
      await assertSame(type, acme, other);
    }
  });
}
