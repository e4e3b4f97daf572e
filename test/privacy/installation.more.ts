/**
 * An erasure in a real installation: killed midway, resumed, followed by a scrub, and repeated after an older backup is
 * restored.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { eventually } from "../kit/eventually.ts";
import { holdWrites } from "../kit/held-writes.ts";
import {
  clusterOf,
  databaseOf,
  folder,
  installed,
  kill,
  printed,
  settings,
  type Settings,
  startLeadport,
  tokenOf,
} from "../running/leadport.ts";
import { filesContaining, occurrencesOf } from "./person-kit.ts";
import { chosenIn, ERASE, REPORT } from "./person-requests.ts";

const NAME = "Yolanda Yonderly";
const EMAIL = "yolanda.yonderly@example.org";
const SPELLINGS = ["yonderly", "yolanda", "6465550166", "555-0166"];
const SEARCHED = new RegExp(SPELLINGS.join("|"), "i");
const LEAD = { name: NAME, email: EMAIL, phone: "(646) 555-0166", comments: `${NAME} called` };

// oxlint-disable-next-line typescript/no-explicit-any -- responses of any shape
type Body = any;

/** Sends requests to an installation. */
function caller(base: string, token: string) {
  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(base + path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return {
      status: response.status,
      body: (await response.json().catch(() => undefined)) as Body,
    };
  };
  return {
    get: (path: string) => send("GET", path),
    post: (path: string, body: object) => send("POST", path, body),
    delete: (path: string) => send("DELETE", path),
  };
}

const filesWith = (path: string) => filesContaining(SEARCHED.source, path);

test("a killed erasure is continued, leaves nothing in any file, and is repeated in a restored backup", async (t) => {
  const root = folder(t);
  const log = { ERASURE_LOG: join(root, "erasures.ndjson") };
  const env: Settings = { ...(await installed(t)), ...log };
  const first = await startLeadport(t, { env });
  const owner = tokenOf(env.DATA_DIR);
  const before = caller(first.base, owner);
  const { body: lead } = await before.post("/crm/leads", LEAD);
  await before.post(`/crm/leads/${lead._id}/convert`, {});
  const granted = { name: "Old", permissions: ["records:read"] };
  const { body: token } = await before.post("/crm/admin/access_tokens", granted);
  const backup = join(root, "backup");
  const taken = await printed(["backup", backup], env);
  assert.equal(taken.code, 0, taken.err);

  // The step that removes the values from the history waits for a lock until the service is killed.
  const sql = databaseOf(t, env);
  const [tenant] = await sql<{ id: string }[]>`select id from tenants`;
  const held = await holdWrites(sql, "before update on changes for each row");
  const { body: found } = await before.post(REPORT, { email: EMAIL });
  const request = { report_id: found.report_id, record_ids: chosenIn(found) };
  const interrupted = before.post(ERASE, request).catch(() => "gone");
  await held.reached();
  kill(first.pid, "SIGKILL");
  assert.equal(await interrupted, "gone");
  await held.end();
  assert.notDeepEqual(await occurrencesOf(sql, tenant?.id ?? "", SPELLINGS), []);
  // Simulate that a minute has passed.
  await sql`update person_erasures set lease_until_ms = 0`;
  await sql.end({ timeout: 1 });

  const second = await startLeadport(t, { env });
  const after = caller(second.base, owner);
  // On a busy machine, a response can be an error instead of a list.
  const [erasure] = await eventually(
    async () => (await after.get("/crm/admin/persons/erasures")).body,
    (erasures) => erasures?.[0]?.state === "done",
    { hint: second.err },
  );
  assert.ok(erasure.counts.changes > 0);
  assert.equal((await after.delete(`/crm/admin/access_tokens/${token.id}`)).status, 200);
  await eventually(() => readFileSync(log.ERASURE_LOG, "utf8").includes('"token_revoked"'));
  const again = databaseOf(t, env);
  assert.deepEqual(await occurrencesOf(again, tenant?.id ?? "", SPELLINGS), []);
  await again.end({ timeout: 1 });
  const logs = [first, second].map(({ out, err }) => out() + err()).join("\n");
  assert.doesNotMatch(logs, SEARCHED);
  assert.doesNotMatch(readFileSync(log.ERASURE_LOG, "utf8"), SEARCHED);
  // Until the scrub, old row versions and the write-ahead log may still mention the person. Nothing
  // else may.
  const cluster = clusterOf(env.DATA_DIR);
  const places = [env.DATA_DIR, cluster].flatMap(filesWith);
  const elsewhere = places.filter((path) => !/\/data\/(base|pg_wal)\//.test(path));
  assert.deepEqual(elsewhere, []);
  const scrubbed = await printed(["scrub"], env);
  assert.equal(scrubbed.code, 0, scrubbed.err);
  assert.deepEqual([env.DATA_DIR, cluster].flatMap(filesWith), []);

  assert.ok(filesWith(backup).length > 0, "the backup contains her");
  const target: Settings = { ...settings(t), ...log };
  const key = readFileSync(join(env.DATA_DIR, "master-key"), "utf8");
  const restored = await printed(["restore", backup], { ...target, MASTER_KEY: key.trim() });
  assert.equal(restored.code, 0, restored.err);
  assert.match(restored.out, /people erased again: 1, credentials revoked again: 1\./);
  const third = await startLeadport(t, { env: { ...target, MASTER_KEY: key.trim() } });
  const renewed = caller(third.base, owner);
  assert.equal((await renewed.get(`/crm/leads/${lead._id}`)).status, 404);
  assert.equal((await caller(third.base, token.token).get("/crm/leads")).status, 401);
  assert.deepEqual((await renewed.post(REPORT, { email: EMAIL })).body.records, []);
  const left = await occurrencesOf(databaseOf(t, target), tenant?.id ?? "", SPELLINGS);
  assert.deepEqual(left, []);
});
