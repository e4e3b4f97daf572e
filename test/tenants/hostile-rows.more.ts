/** Rows of a tenant file that an import refuses: docs/moving-a-tenant.md#how-a-file-is-checked. */

import assert from "node:assert/strict";
import test from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import {
  acme,
  body,
  column,
  forged,
  type Forgery,
  good,
  keys,
  nothingWritten,
  rival,
  rows,
  target,
} from "./forge-kit.ts";
import { file } from "../kit/started.ts";
import { migratedDatabase } from "../kit/database.ts";
import { imported } from "./move-kit.ts";

const installation = await migratedDatabase(file);

const rowOf = (name: string) => new RegExp(`a row of the table ${name} `);

const COSTLY = `$argon2id$v=19$m=1048576,t=2,p=1$${"A".repeat(22)}$${"A".repeat(43)}`;
const NOT_CARRIED_OUT = /the worker cannot carry out the erasure [0-9a-f]{24}/;
const NO_TERMS = { emails: [], phones: [], names: [] };

/** Turns the erasures in the file into running ones with the given work. */
const running = ({ records = [] as unknown, searched = NO_TERMS as unknown, known = NO_TERMS }) =>
  rows("person_erasures", (row) => {
    const sealed = good.key.sealer.seal(
      acme.tenantId,
      `person erasure ${row["id"]}`,
      JSON.stringify({ searched, known }),
    );
    Object.assign(row, { finished_ts: "\\N", records: JSON.stringify(records), sealed });
  });

const CASES: Readonly<Record<string, Forgery & { readonly refused: RegExp }>> = {
  "a part that does not decompress": {
    forge: ({ parts: all }) => void all.set("tables/leads.copy.gz", Buffer.from("not gzip")),
    refused: /tables\/leads.copy.gz: incorrect header check/,
  },
  "more rows than the manifest says": {
    forge: ({ manifest, parts: all }) => {
      all.set("tables/leads.copy.gz", gzipSync(Buffer.alloc(50_000_000, "x")));
      manifest.raw_bytes = 1_000_000;
    },
    refused: /its rows are larger than the manifest states/,
  },
  "a table that is left out of tenant files": {
    forge: ({ manifest, parts: all }) => {
      const [first] = manifest.tables;
      manifest.tables.push({ ...first!, table: "sessions", path: "tables/sessions.copy.gz" });
      manifest.files.push({ path: "tables/sessions.copy.gz", bytes: 0, sha256: "0".repeat(64) });
      all.set("tables/sessions.copy.gz", gzipSync(""));
    },
    refused: /unknown table "sessions"/,
  },
  "a missing table": {
    forge: ({ manifest, parts: all }) => {
      manifest.tables = manifest.tables.filter(({ table }) => table !== "tasks");
      manifest.files = manifest.files.filter(({ path }) => path !== "tables/tasks.copy.gz");
      all.delete("tables/tasks.copy.gz");
    },
    refused: /the table "tasks" is missing/,
  },
  "an unknown column": {
    forge: column("leads", "sql", "x"),
    refused: /the table "leads" has a column "sql"/,
  },
  "the id of another tenant in the manifest": {
    forge: ({ manifest }) => void (manifest.tenant.handle = "other"),
    refused: /its tenant is not the one in the manifest/,
  },
  "a tenant with an invalid setting": {
    forge: rows("tenants", (row) => void (row["timezone"] = "Nowhere")),
    refused: /the tenant's timezone is not a time zone's name/,
  },
  "no tenant": { forge: rows("tenants", () => false), refused: /violates foreign key constraint/ },
  "an id of another shape": {
    forge: rows("leads", (row) => void (row["id"] = `../${String(row["id"])}`)),
    refused: rowOf("leads"),
  },
  "the same id twice": {
    forge: ({ manifest, parts: all }) => {
      const text = gunzipSync(all.get("tables/leads.copy.gz") as Buffer).toString();
      manifest.raw_bytes += text.length;
      all.set("tables/leads.copy.gz", gzipSync(text + text));
    },
    refused: /duplicate key value/,
  },
  "a body with another id": {
    forge: rows(
      "leads",
      body((one) => void (one["_id"] = "0".repeat(24))),
    ),
    refused: /has another id in its body/,
  },
  "a body that is not JSON": {
    forge: rows("leads", (row) => void (row["body"] = "{")),
    refused: /invalid input syntax for type json/,
  },
  "a body that PostgreSQL cannot read": {
    forge: rows(
      "leads",
      body((one) => void (one["_id"] = "\\u0000")),
    ),
    refused: /cannot be used/,
  },
  "a token of a user outside of the file": {
    forge: rows("access_tokens", (row) => void (row["person_id"] = rival.personId)),
    refused: /violates foreign key constraint/,
  },
  "an unknown permission": {
    forge: rows("access_tokens", (row) => void (row["permissions"] = "{root}")),
    refused: /has an unknown permission/,
  },
  "an unknown role": {
    forge: rows("people", (row) => void (row["role"] = "operator")),
    refused: /has an unknown role/,
  },
  "a password hash that cannot be read": {
    forge: rows("people", (row) => void (row["password_hash"] = "x")),
    refused: /a row of the table people has an invalid password_hash/,
  },
  "a password hash that takes a gigabyte to check": {
    forge: rows("people", (row) => void (row["password_hash"] = COSTLY)),
    refused: /a row of the table people has an invalid password_hash/,
  },
  "a time that cannot be formatted": {
    forge: rows("people", (row) => void (row["last_used_ts"] = "9000000000000000")),
    refused: /a row of the table people has an invalid last_used_ts/,
  },
  "a list with such a time": {
    forge: rows("people", (row) => void (row["wrong_code_ts"] = "{1,9000000000000000}")),
    refused: /a row of the table people has an invalid wrong_code_ts/,
  },
  "an infinite time": {
    forge: rows("changes", (row) => void (row["at"] = "infinity")),
    refused: /a row of the table changes has an invalid at /,
  },
  "an allow list that cannot be read": {
    forge: rows("access_tokens", (row) => void (row["ip_allow_list"] = "{10/8}")),
    refused: /a row of the table access_tokens has an invalid ip_allow_list/,
  },
  "a job that would stop the worker": {
    forge: rows("renames", (row) => void (row["referenced_type"] = "tenant")),
    refused: /has an unknown referenced_type/,
  },
  "a retention that would stop the worker": {
    forge: rows("tenant_settings", (row) => void (row["value"] = '{"history_days":"1e9"}')),
    refused: /a row of the table tenant_settings has an invalid history_days/,
  },
  "a retention below the least": {
    forge: rows("tenant_settings", (row) => void (row["value"] = '{"history_days":29}')),
    refused: /has an invalid history_days/,
  },
  "a setting that is no object": {
    forge: rows("tenant_settings", (row) => void (row["value"] = "[]")),
    refused: /a row of the table tenant_settings is not an object/,
  },
  "an erasure that never ends": {
    forge: rows("person_erasures", (row) => void (row["finished_ts"] = "\\N")),
    refused: /is neither a running nor a finished erasure/,
  },
  "an erasure without counts": {
    forge: rows("person_erasures", (row) => void (row["result"] = "{}")),
    refused: /is neither a running nor a finished erasure/,
  },
  "an erasure of an unknown type": {
    forge: running({ records: [{ type: "nosuch", id: "0".repeat(24), effect: "clear" }] }),
    refused: NOT_CARRIED_OUT,
  },
  "an erasure with an unknown effect": {
    forge: running({ records: [{ type: "lead", id: "0".repeat(24), effect: "burn" }] }),
    refused: NOT_CARRIED_OUT,
  },
  "an erasure of an invalid id": {
    forge: running({ records: [{ type: "lead", id: 1, effect: "clear" }] }),
    refused: NOT_CARRIED_OUT,
  },
  "an erasure that would clear a partner lead": {
    forge: running({ records: [{ type: "pushed_lead", id: "0".repeat(24), effect: "clear" }] }),
    refused: NOT_CARRIED_OUT,
  },
  "an erasure with terms of another type": {
    forge: running({ searched: { ...NO_TERMS, names: [1] } }),
    refused: NOT_CARRIED_OUT,
  },
  "an erasure with a term that PostgreSQL cannot read": {
    forge: running({ searched: { ...NO_TERMS, names: ["Ada \0"] } }),
    refused: NOT_CARRIED_OUT,
  },
  "an erasure whose terms do not open": {
    forge: rows("person_erasures", (row) => {
      Object.assign(row, { finished_ts: "\\N", sealed: "AAAA" });
    }),
    refused: NOT_CARRIED_OUT,
  },
  "an import whose examples would stop an erasure": {
    forge: rows("imports", (row) => void (row["tally"] = '{"examples":1}')),
    refused: /a row of the table imports has an invalid tally/,
  },
  "a change whose fields would stop an erasure": {
    forge: rows("changes", (row) => void (row["fields"] = "[]")),
    refused: /a row of the table changes has no object of fields/,
  },
  "a name that would stop a rename": {
    forge: rows(
      "accounts",
      body((one) => void (one["name"] = { first: "Ada" })),
    ),
    refused: /a row of the table accounts has a member of another type/,
  },
  "an email list that would stop an erasure": {
    forge: rows(
      "accounts",
      body((one) => void (one["email_list"] = [null])),
    ),
    refused: /a row of the table accounts has a member of another type/,
  },
  "a sealed value that does not open": {
    forge: rows("leads", (row) => void (row["internal"] = '{"ssn":"AAAA"}')),
    refused: /An encrypted value in the table leads cannot be decrypted/,
  },
};

test("a file with a running erasure is imported", async (t) => {
  const records = [
    { type: "account", id: "0".repeat(24), effect: "clear" },
    { type: "lead", id: "1".repeat(24), effect: "erase" },
    { type: "deal", id: "2".repeat(24), effect: "review" },
    { type: "pushed_lead", id: "3".repeat(24), effect: "erase" },
    { type: "rejected_row", id: `${"4".repeat(24)}.17`, effect: "erase" },
  ];
  const path = await forged(t, { forge: running({ records }) });
  const { tenantId } = await imported(t, { path, key: good.key }, { ...installation, keys });
  const [row] =
    await installation.sql`select records from person_erasures where tenant_id = ${tenantId}`;
  assert.deepEqual(row?.["records"], records);
});

for (const [name, { refused, ...forgery }] of Object.entries(CASES)) {
  test(`a file with ${name} is refused, and nothing is written`, async (t) => {
    const path = await forged(t, forgery);
    await assert.rejects(imported(t, { path, key: good.key }, { ...target, keys }), refused);
    await nothingWritten();
  });
}
