/** Failed sign-ins and rejected credentials: logged immediately and summarized in the audit log. */

import assert from "node:assert/strict";
import { test } from "node:test";
import pino from "pino";
import { URI, type TOTP } from "otpauth";
import { hashOf } from "../../../src/access/index.ts";
import { createRefusals, type Refusal } from "../../../src/limits/index.ts";
import { systemClock } from "../../../src/platform/clock/clock.ts";
import { idSource } from "../../../src/platform/ids/ids.ts";
import { makePartner, tokenOf } from "../../exchange/partner-kit.ts";
import type { Client } from "../../kit/api.ts";
import { cookieOf, ownerOf, PASSWORD, SAME_ORIGIN, signIn } from "../../people/people-kit.ts";
import { fileApi } from "../../kit/file-api.ts";
import { startOwnApp } from "../own-app.ts";
import { ok } from "../samples.ts";
import { openPools, file } from "../../kit/started.ts";
import type { MasterKey } from "../../../src/platform/secrets/index.ts";

const keys: MasterKey = { all: [Buffer.alloc(32, 7)] };
const api = await fileApi({ keys });

interface Entry {
  readonly subject_type: string;
  readonly subject_id: string;
  readonly action: string;
  readonly actor: { readonly kind: string };
  readonly fields: Readonly<Record<string, { readonly new: unknown }>>;
}

/** Formats an audit entry as one line. */
const shown = ({ subject_type, subject_id, action, fields }: Entry): string => {
  const told = ["reason", "network", "count"].map((name) => fields[name]?.new ?? "-");
  return [action, subject_type, subject_id, ...told].join(" ");
};

/** Returns the tenant's audit entries about rejected credentials. */
async function refusedIn(client: Client): Promise<readonly Entry[]> {
  const entriesOf = async (action: string): Promise<readonly Entry[]> =>
    ok(await client.get(`/crm/admin/audit?action=${action}`)).body;
  return [...(await entriesOf("sign_in_failed")), ...(await entriesOf("credential_refused"))];
}

const refusedLines = (log: string): readonly string[] =>
  log.split("\n").filter((line) => line.includes('"msg":"refused"'));

/** Returns the secret in a session's cookie. */
const tokenOfCookie = (cookie: string): string => cookie.split("=")[1] ?? "";

test("failed sign-ins and rejected credentials are logged, and summed up in the audit log", async (t) => {
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
  const app = await startOwnApp(t, { url: api.databaseUrl, keys });
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
  const entries = await refusedIn(acme);
  assert.deepEqual(entries.map(shown).toSorted(), [
    `credential_refused access_token ${token.id} address_not_allowed 127.0.0.1/32 1`,
    `sign_in_failed partner ${partner_id} wrong_access_code 127.0.0.1/32 1`,
    `sign_in_failed person ${acme.personId} wrong_password 127.0.0.1/32 3`,
  ]);
  for (const { actor } of entries) assert.equal(actor.kind, "service");
  const lines = refusedLines(app.log());
  const reasons = lines.map((line) => (JSON.parse(line) as { reason: string }).reason);
  assert.deepEqual(reasons, [
    "wrong_password",
    "wrong_password",
    "wrong_password",
    "unknown_account",
    "wrong_access_code",
    "address_not_allowed",
  ]);
  for (const line of lines) assert.ok(!line.includes("@"), line);
});

/** Reports rejected credentials and returns the resulting entries in a tenant's audit log. */
async function auditOf(
  client: Client,
  noteAll: (note: (refusal: Omit<Refusal, "requestId">) => void) => void,
): Promise<readonly Entry[]> {
  const db = openPools(file, { url: api.databaseUrl, connections: 1, listTimeout_ms: 10_000 });
  const makeId = idSource(systemClock());
  const refusals = createRefusals({ sql: db.sql, makeId, log: pino({ level: "silent" }) });
  const subject = { tenantId: client.tenantId, subjectType: "person", subjectId: "p" } as never;
  noteAll((refusal) => refusals.note({ ...refusal, requestId: "r" }, subject));
  await refusals.close();
  await db.close({ timeout_s: 1 });
  return refusedIn(client);
}

const totalOf = (entries: readonly Entry[]): number =>
  entries.reduce((sum, { fields }) => sum + Number(fields["count"]?.new), 0);

test("many addresses fill a limited number of audit entries", async () => {
  const audit = await auditOf(await api.tenant(), (note) => {
    for (let at = 0; at < 1000; at++) {
      const from = `192.0.${at % 4}.${at % 250}`;
      note({ action: "sign_in_failed", reason: "wrong_password", from });
    }
  });
  assert.equal(audit.length, 21);
  assert.equal(totalOf(audit), 1000);
  const others = audit.filter(({ subject_type }) => subject_type === "tenant");
  assert.deepEqual(
    others.map(({ fields }) => fields["reason"]?.new),
    ["others"],
  );
});

test("beyond the limit each action is counted separately", async () => {
  const acme = await api.tenant();
  const audit = await auditOf(acme, (note) => {
    for (let at = 0; at < 30; at++) {
      note({ action: "sign_in_failed", reason: "wrong_password", from: `192.0.2.${at}` });
    }
    for (let at = 0; at < 7; at++) {
      note({ action: "credential_refused", reason: "expired", from: `192.0.2.${at}` });
    }
  });
  assert.equal(audit.length, 22);
  assert.deepEqual(
    audit
      .filter(({ subject_type }) => subject_type === "tenant")
      .map(shown)
      .toSorted(),
    [
      `credential_refused tenant ${acme.tenantId} others - 7`,
      `sign_in_failed tenant ${acme.tenantId} others - 10`,
    ],
  );
});

test("credentials that have ended or never existed are logged, without their text", async (t) => {
  const acme = await api.tenant();
  const owner = await ownerOf(api, acme, "ended@example.com");
  const cookieOfEnded = cookieOf(await signIn(acme, { email: "ended@example.com" }));
  const cookieOfIdle = cookieOf(await signIn(acme, { email: "ended@example.com" }));
  const idle = tokenOfCookie(cookieOfIdle);
  await api.sql`update sessions set idle_s = 0, last_used_ts = 1 where token_hash = ${hashOf(idle)}`;
  const ended = (ok(await owner.get("/auth/sessions")).body as { id: string }[]).at(0);
  ok(await owner.delete(`/auth/sessions/${ended?.id}`));
  const partner = await makePartner(acme);
  const partnerToken = await tokenOf(acme, partner);
  ok(await acme.patch(`/crm/admin/partners/${partner.partner_id}`, { status: "suspended" }));
  const made = ok(
    await acme.post("/crm/admin/access_tokens", { name: "gone", permissions: ["records:read"] }),
  ).body;
  const revoked: string = made.access_token ?? made.token;
  ok(await acme.delete(`/crm/admin/access_tokens/${made.id}`));
  const app = await startOwnApp(t, { url: api.databaseUrl, keys });
  const asked = async (path: string, headers: Readonly<Record<string, string>>) => {
    const answer = await fetch(app.url + path, { headers });
    await answer.text();
    return answer.status;
  };
  const unknown = `lp_${"x".repeat(40)}`;
  const cases = [
    ["/crm/leads", { authorization: `Bearer ${unknown}` }, "unknown_token"],
    ["/crm/leads", { authorization: `Bearer ${revoked}` }, "unknown_token"],
    ["/crm/leads", { authorization: "Basic c2VjcmV0" }, "unknown_token"],
    ["/auth/session", { cookie: cookieOfEnded }, "unknown_session"],
    ["/auth/session", { cookie: cookieOfIdle }, "expired"],
    ["/crm/partner/me", { authorization: "Partner nonsense" }, "unknown_partner_token"],
    ["/crm/partner/me", { authorization: `Partner ${partnerToken}` }, "revoked"],
  ] as const;
  for (const [path, headers] of cases) assert.equal(await asked(path, headers), 401, path);
  // A request without a credential does not count as a rejected credential.
  assert.equal(await asked("/crm/leads", {}), 401);
  assert.equal(await asked("/auth/session", { cookie: "other=1" }), 401);
  await app.stop();
  const lines = refusedLines(app.log());
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { reason: string }).reason),
    cases.map(([, , reason]) => reason),
  );
  const secrets = [unknown, revoked, idle, tokenOfCookie(cookieOfEnded), partnerToken, "c2VjcmV0"];
  for (const line of lines) {
    for (const secret of secrets) assert.ok(!line.includes(secret), line);
  }
  assert.deepEqual((await refusedIn(acme)).map(shown).toSorted(), [
    `credential_refused partner ${partner.partner_id} revoked 127.0.0.1/32 1`,
    `credential_refused person ${acme.personId} expired 127.0.0.1/32 1`,
  ]);
});

test("a rejected partner is noted once, also if it is remembered", async (t) => {
  const acme = await api.tenant();
  const partner = await makePartner(acme);
  const token = await tokenOf(acme, partner);
  const app = await startOwnApp(t, { url: api.databaseUrl, keys });
  const lookup = async () => {
    const headers = { authorization: `Partner ${token}`, "content-type": "application/json" };
    const body = JSON.stringify({ email: "x@example.com" });
    const answer = await fetch(`${app.url}/crm/partner/lookup`, { method: "POST", headers, body });
    await answer.text();
    return answer.status;
  };
  const path = `/crm/admin/partners/${partner.partner_id}`;
  ok(await acme.patch(path, { ip_allow_list: ["192.0.2.7"] }));
  assert.equal(await lookup(), 403);
  ok(await acme.patch(path, { status: "suspended" }));
  assert.equal(await lookup(), 401);
  await app.stop();
  const reasons = refusedLines(app.log()).map(
    (line) => (JSON.parse(line) as { reason: string }).reason,
  );
  assert.deepEqual(reasons, ["address_not_allowed", "revoked"]);
});

test("wrong passwords and codes of a signed-in user are logged and audited", async (t) => {
  const acme = await api.tenant();
  await ownerOf(api, acme, "inside@example.com");
  const app = await startOwnApp(t, { url: api.databaseUrl, keys });
  const cookie = cookieOf(await signIn(acme, { email: "inside@example.com" }));
  const post = async (path: string, body: object) => {
    const answer = await fetch(app.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...SAME_ORIGIN, cookie },
      body: JSON.stringify(body),
    });
    return {
      status: answer.status,
      body: (await answer.json()) as Readonly<Record<string, string>>,
    };
  };
  const wrong = { current_password: "wrong", new_password: "another long password" };
  assert.equal((await post("/auth/password", wrong)).status, 422);
  assert.equal((await post("/auth/second_factor", { password: "wrong" })).status, 422);
  const { uri } = (await post("/auth/second_factor", { password: PASSWORD })).body;
  const code = (URI.parse(String(uri)) as TOTP).generate();
  assert.equal((await post("/auth/second_factor/confirm", { code })).status, 200);
  const removal = { password: PASSWORD, code: "00000x" };
  assert.equal((await post("/auth/second_factor/remove", removal)).status, 422);
  await app.stop();
  assert.deepEqual((await refusedIn(acme)).map(shown).toSorted(), [
    `credential_refused person ${acme.personId} wrong_password 127.0.0.1/32 2`,
    `credential_refused person ${acme.personId} wrong_second_factor 127.0.0.1/32 1`,
  ]);
  assert.equal(refusedLines(app.log()).length, 3);
});
