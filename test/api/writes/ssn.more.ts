/** Social security numbers at rest: no database file and no log line contains such a number. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import pino from "pino";
import { createTenant } from "../../../src/access/create-tenant.ts";
import { buildApp } from "../../../src/service/app.ts";
import { createOutgoing } from "../../../src/platform/outgoing/outgoing.ts";
import { systemClock } from "../../../src/platform/clock/clock.ts";
import { openFolder, start } from "../../kit/cluster.ts";
import { idSource } from "../../../src/platform/ids/ids.ts";
import { migrate } from "../../../src/platform/migrations/migrate.ts";
import { createSealer } from "../../../src/platform/secrets/sealing.ts";
import { atEnd, openPools } from "../../kit/started.ts";
import type { MasterKey } from "../../../src/platform/secrets/index.ts";

/** Numbers that do not occur in any other data. */
const SSNS = ["731-64-9275", "582-97-4163", "846-13-7259"];
const SPELLINGS = SSNS.flatMap((ssn) => [ssn, ssn.replaceAll("-", "")]);

async function startOnItsOwn(t: TestContext) {
  // If the test runs as root, PostgreSQL runs as another user, who must have access to the folder.
  const folder = openFolder(t);
  const database = await start(t, join(folder, "data"));
  await migrate(database.url);
  const db = openPools(t, { url: database.url, connections: 2, listTimeout_ms: 10_000 });
  const logged: string[] = [];
  const log = pino({ level: "trace" }, { write: (line: string) => void logged.push(line) });
  const clock = systemClock();
  const keys: MasterKey = { all: [randomBytes(32)] };
  const outgoing = createOutgoing({ allow: [] });
  atEnd(t, () => outgoing.close());
  const config = { trustedProxies: [], outgoingAllow: [], rateLimit: 0 };
  const app = await buildApp({ db, config, clock, keys, log, outgoing });
  atEnd(t, () => app.close());
  const { ownerToken, tenant } = await createTenant(
    db.sql,
    { clock, makeId: idSource(clock) },
    { name: "A" },
  );
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  const send = async (method: "GET" | "POST" | "PATCH", path: string, body?: unknown) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${ownerToken}`,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, body: JSON.parse(text || "null") };
  };
  return { database, db, app, folder, tenant, keys, send, log: () => logged.join("") };
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

const assertHidden = (text: string, where: string): void => {
  for (const spelling of SPELLINGS)
    assert.ok(!text.includes(spelling), `${spelling} is in ${where}`);
};

const ODD = (ssn: string): readonly (readonly ["POST" | "GET", string, unknown?])[] => [
  ["POST", "/crm/leads", { ssn }],
  ["POST", "/crm/leads", { name: 5, ssn }],
  ["POST", "/crm/leads", { name: "A", ssn: `${ssn}0` }],
  ["POST", "/crm/leads", { name: "A", ssn: [ssn] }],
  ["POST", "/crm/leads", { name: "A", SSN: ssn }],
  ["POST", "/crm/leads", { name: "A", person: { ssn } }],
  ["POST", "/crm/leads", [{ name: "A", ssn }]],
  ["POST", "/crm/leads", `{"name":"A","ssn":"${ssn}",}`],
  ["POST", "/crm/accounts", { name: "A", ssn }],
  ["GET", `/crm/leads?ssn=${ssn}`],
  ["GET", `/crm/leads?match_filter_dict=${encodeURIComponent(JSON.stringify({ ssn }))}`],
];

test("no social security number is in a file of the database, in a response or in the log", async (t) => {
  const { database, db, app, folder, tenant, keys, send, log } = await startOnItsOwn(t);
  const [first = "", second = "", third = ""] = SSNS;
  const made = await send("POST", "/crm/leads", { name: "Ada", ssn: first, external_id: "a" });
  assert.equal(made.body.ssn, `***-**-${first.slice(-4)}`);
  const id = String(made.body._id);
  const answers = [
    made,
    await send("PATCH", `/crm/leads/${id}`, { ssn: second.replaceAll("-", "") }),
    await send("POST", "/crm/contacts", { name: "Grace", ssn: third }),
    await send("POST", "/crm/leads", { name: "Again", ssn: third, external_id: "a" }),
    await send("POST", `/crm/leads/${id}/convert`, {}),
    await send("GET", "/crm/leads"),
    await send("GET", "/crm/contacts/created"),
    await send("GET", `/crm/leads/${id}/history`),
    await send("GET", "/crm/admin/audit"),
  ];
  for (const ssn of SSNS) for (const request of ODD(ssn)) answers.push(await send(...request));
  for (const { text } of answers) assertHidden(text, `a response: ${text.slice(0, 300)}`);
  assert.equal((await send("GET", `/crm/leads/${id}?reveal=ssn`)).body.ssn, second);

  const [row] = await db.sql`select internal from leads where id = ${id}`;
  const sealed = ((row ?? {})["internal"] as { ssn: string }).ssn;
  const sealer = createSealer(keys);
  assert.equal(sealer.open(tenant.id, `ssn of ${id}`, sealed), second);
  assert.throws(() => sealer.open(tenant.id, `ssn of ${"0".repeat(24)}`, sealed));
  assert.throws(() => sealer.open("another tenant", `ssn of ${id}`, sealed));
  assert.throws(() =>
    createSealer({ all: [randomBytes(32)] }).open(tenant.id, `ssn of ${id}`, sealed),
  );

  await db.sql`checkpoint`;
  await app.close();
  await db.close();
  const dataFolder = database.elsewhere ?? folder;
  await database.stop();
  const files = [...(await filesBelow(folder)), ...(await filesBelow(dataFolder))];
  assert.ok(
    files.some((path) => path.includes("pg_wal")),
    "the data folder was not found",
  );
  let sawName = false;
  for (const path of files) {
    const text = (await readFile(path)).toString("latin1");
    sawName ||= text.includes('"name":"Grace"');
    assertHidden(text, path);
  }
  // The files do contain other data, which proves that the search works.
  assert.ok(sawName);
  assertHidden(log(), "the log");
});

test("a sealed number that is copied to another record cannot be opened there", async (t) => {
  const { db, send } = await startOnItsOwn(t);
  const ada = await send("POST", "/crm/leads", { name: "Ada", ssn: SSNS[0] });
  const bob = await send("POST", "/crm/leads", { name: "Bob" });
  await db.sql`
    update leads set internal = (select internal from leads where id = ${ada.body._id})
     where id = ${bob.body._id}`;
  const answer = await send("GET", `/crm/leads/${bob.body._id}?reveal=ssn`);
  assert.equal(answer.status, 500);
  assertHidden(answer.text, "the response");
  const entries = await send("GET", "/crm/admin/audit?action=revealed");
  assert.deepEqual(entries.body, []);
});
