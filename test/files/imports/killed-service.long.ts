/**
 * A service is killed during an import. A retry must wait until the import's lease expires, and then resumes the
 * import.
 */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import http from "node:http";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileApi } from "../../kit/file-api.ts";
import { eventually } from "../../kit/eventually.ts";
import { kill, settings, startLeadport } from "../../running/leadport.ts";
import { prepare, send } from "./sending.ts";

const api = await fileApi();

const ROWS = 4000;
const line = (at: number) => `Lead ${at},lead-${at}@example.com,${"x".repeat(900)}\n`;
const FILE = `name,email,comments\n${Array.from({ length: ROWS }, (_, at) => line(at)).join("")}`;
/** How long an import stays reserved for a process that was killed. */
const LEASE_s = 15;

test("after SIGKILL a retry returns 409 until the lease expires, and then resumes", async (t) => {
  const acme = await api.tenant();
  const id = await prepare(acme, "leads");
  const env = {
    ...settings(t),
    DATABASE_URL: api.databaseUrl,
    MASTER_KEY: randomBytes(32).toString("base64url"),
  };
  const { base, pid, ended } = await startLeadport(t, { env });
  const sending = http.request(`${base}/crm/imports/${id}/data`, {
    method: "PUT",
    headers: { authorization: `Bearer ${acme.bearer}` },
  });
  sending.on("error", () => undefined);
  sending.write(FILE.slice(0, FILE.length * 0.8));
  const reached = await eventually(
    async () => (await acme.get(`/crm/imports/${id}`)).body,
    (found) => Number(found["rows"]) > 0,
  );
  kill(pid, "SIGKILL");
  await ended;
  assert.ok(Number(reached["rows"]) < ROWS);

  // The retry goes to another process on the same database.
  let response = await send(acme, id, FILE);
  assert.equal(response.status, 409, response.text);
  let waits = 0;
  for (; response.status === 409; waits += 1) {
    const wait_s = Number(response.headers.get("retry-after"));
    assert.ok(wait_s >= 1 && wait_s <= LEASE_s, `${wait_s} s`);
    await sleep(wait_s * 1000);
    response = await send(acme, id, FILE);
  }
  assert.equal(response.status, 200, response.text);
  const { rows, created, refused } = response.body;
  assert.deepEqual([rows, created, refused], [ROWS, ROWS, 0]);
  // It is enough to wait as long as the first 409 states, apart from rounding.
  assert.ok(waits <= 2, `${waits} retries`);
});
