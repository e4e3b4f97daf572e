/** Imports that are stopped while their file arrives: no incomplete row is stored, and none waits for its sender. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { SERVICE, type TenantId } from "../../../src/audit/index.ts";
import { Interrupted, runImport } from "../../../src/files/imports/index.ts";
import { systemClock } from "../../../src/platform/clock/index.ts";
import { idSource } from "../../../src/platform/ids/ids.ts";
import { createSealer } from "../../../src/platform/secrets/sealing.ts";
import type { Client } from "../../kit/api.ts";
import { eventually, WITHIN_ms } from "../../kit/eventually.ts";
import { file as thisFile, fileApi } from "../../kit/file-api.ts";
import { openPools } from "../../kit/started.ts";
import { assertCounts, prepare, recordsOf, send, type Import } from "./sending.ts";

const api = await fileApi();
const { sql: db } = openPools(thisFile, {
  url: api.databaseUrl,
  connections: 2,
  listTimeout_ms: 5000,
});

/** Runs an import of these parts of a file, as the command line does. */
function run(client: Client, id: string, parts: AsyncIterable<string>, signal?: AbortSignal) {
  const clock = systemClock();
  const deps = {
    clock,
    makeId: idSource(clock),
    sealer: createSealer({ all: [randomBytes(32)] }),
    participants: [],
  };
  const scope = { db, tenantId: client.tenantId as TenantId, actor: SERVICE };
  const author = { country: "US", person: { id: client.personId, name: "Owner" } } as const;
  async function* bytes() {
    for await (const part of parts) yield Buffer.from(part);
  }
  return runImport({ scope, deps, author }, { id, bytes: bytes() }, signal ? { signal } : {});
}

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => `Lead ${at},${"x".repeat(900)}\n`).join("");
const FILLER = rowsOf(900);

for (const [title, file] of [
  ["a short file", "name,comments\nAnn,Complete\nBo,Compl"],
  ["a long file", `name,comments\n${FILLER}Bo,Compl`],
  ["a long file with dates", `name,decision_date\n${FILLER}Bo,Compl`],
] as const) {
  test(`if Ctrl-C ends ${title}, its incomplete last row is not imported`, async () => {
    const acme = await api.tenant();
    const id = await prepare(acme, "leads");
    const stopping = new AbortController();
    async function* parts() {
      yield file;
      // The signal and the end of the file arrive in the same turn.
      setImmediate(() => stopping.abort());
    }
    await assert.rejects(run(acme, id, parts(), stopping.signal), Interrupted);
    const names = (await recordsOf(acme, "/crm/leads")).map(({ name }) => name);
    assert.ok(!names.includes("Bo"));
    const done = await send(acme, id, `${file}ete\n`);
    const rows = file.split("\n").length - 1;
    assertCounts(done.body as Import, { rows, created: rows });
  });
}

/** Without the fix, these tests would wait forever. */
const TIMEOUT = { timeout: 5 * WITHIN_ms };

test(
  "an upload whose import fails ends at once, even if its sender sends nothing more",
  TIMEOUT,
  async () => {
    const acme = await api.tenant();
    const id = await prepare(acme, "leads");
    async function* parts() {
      yield `name,comments\n${rowsOf(1500)}`;
      await eventually(
        async () => (await acme.get(`/crm/imports/${id}`)).body["rows"],
        (rows) => rows === 1000,
      );
      await api.sql`update imports set lease = 'another' where tenant_id = ${acme.tenantId}`;
      // Completes the second chunk, but not the third.
      yield rowsOf(1000);
      await new Promise(() => undefined);
    }
    await assert.rejects(run(acme, id, parts()), /taken over/);
  },
);
