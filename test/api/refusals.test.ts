/** Failed sign-ins and refused credentials: in the log at once, in the audit log summed up. */

import assert from "node:assert/strict";
import { test } from "node:test";
import pino from "pino";
import { createRefusals } from "../../src/access/index.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { connect } from "../../src/platform/db.ts";
import { idSource } from "../../src/platform/ids.ts";
import { makePartner } from "../exchange/partner-kit.ts";
import { ownerOf } from "../people/people-kit.ts";
import { fileApi } from "../kit/file-api.ts";
import { startOwnApp } from "./own-app.ts";
import { ok } from "./samples.ts";

const keys = { all: [Buffer.alloc(32, 7)] };
const api = await fileApi({ keys });

interface Entry {
  readonly subject_type: string;
  readonly subject_id: string;
  readonly action: string;
  readonly actor: { readonly kind: string };
  readonly fields: Readonly<Record<string, { readonly new: unknown }>>;
}

/** An audit entry in a line. */
const shown = ({ subject_type, subject_id, action, fields }: Entry): string => {
  const told = ["reason", "network", "count"].map((name) => fields[name]?.new ?? "-");
  return [action, subject_type, subject_id, ...told].join(" ");
};

test("failed sign-ins and refused credentials are logged, and summed up in the audit log", async () => {
  const acme = await api.tenant();
  const email = "ada@example.com";
  await ownerOf(api, acme, email);
  const { partner_id } = await makePartner(acme);
  const token = ok(
    await acme.post("/crm/admin/access_tokens", {
      name: "elsewhere",
      permissions: ["records:read"],
      ip_allow_list: ["192.0.2.7"],
    }),
  ).body;
  const app = await startOwnApp({ url: api.databaseUrl, keys });
  const send = async (path: string, body?: object, headers: object = {}): Promise<number> => {
    const answer = await fetch(app.url + path, {
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
      headers: { "content-type": "application/json", ...headers },
    });
    await answer.text();
    return answer.status;
  };
  for (let at = 0; at < 3; at++) {
    assert.equal(await send("/auth/sign_in", { email, password: "wrong" }), 401);
  }
  assert.equal(await send("/auth/sign_in", { email: "x@example.com", password: "wrong" }), 401);
  assert.equal(await send("/crm/partner/token", { partner_id, access_code: "wrong" }), 401);
  const authorization = `Bearer ${token.access_token ?? token.token}`;
  assert.equal(await send("/crm/leads", undefined, { authorization }), 403);
  await app.stop();
  const refused = ["sign_in_failed", "credential_refused"];
  const audit: Entry[] = ok(await acme.get("/crm/admin/audit")).body;
  const entries = audit.filter(({ action }) => refused.includes(action));
  assert.deepEqual(entries.map(shown).toSorted(), [
    `credential_refused access_token ${token.id} address_not_allowed 127.0.0.1/32 1`,
    `sign_in_failed partner ${partner_id} wrong_access_code 127.0.0.1/32 1`,
    `sign_in_failed person ${acme.personId} wrong_password 127.0.0.1/32 3`,
  ]);
  for (const { actor } of entries) assert.equal(actor.kind, "service");
  const lines = app
    .log()
    .split("\n")
    .filter((line) => line.includes('"msg":"refused"'));
  const reasons = lines.map((line) => (JSON.parse(line) as { reason: string }).reason);
  assert.deepEqual(reasons, [
    ...["wrong_password", "wrong_password", "wrong_password"],
    ...["unknown_account", "wrong_access_code", "address_not_allowed"],
  ]);
  for (const line of lines) assert.ok(!line.includes("@"), line);
});

test("many addresses fill a bounded number of audit entries", async () => {
  const acme = await api.tenant();
  const db = connect({ url: api.databaseUrl, connections: 1, listTimeout_ms: 10_000 });
  const makeId = idSource(systemClock());
  const refusals = createRefusals({ sql: db.sql, makeId, log: pino({ level: "silent" }) });
  const subject = { tenantId: acme.tenantId, subjectType: "person", subjectId: "p" } as never;
  const refusal = { action: "sign_in_failed", reason: "wrong_password", requestId: "r" } as const;
  for (let at = 0; at < 1000; at++) {
    refusals.note({ ...refusal, from: `192.0.${at % 4}.${at % 250}` }, subject);
  }
  await refusals.close();
  await db.close({ timeout_s: 1 });
  const audit: Entry[] = ok(await acme.get("/crm/admin/audit?action=sign_in_failed")).body;
  assert.equal(audit.length, 21);
  const counts = audit.map(({ fields }) => Number(fields["count"]?.new));
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    1000,
  );
  const others = audit.filter(({ subject_type }) => subject_type === "tenant");
  assert.deepEqual(
    others.map(({ fields }) => fields["reason"]?.new),
    ["others"],
  );
});
