/** Pushes of one person while the facts on which the decision depends change. */

import assert from "node:assert/strict";
import { test } from "node:test";
import sql from "sql-template-tag";
import { lockSql } from "../../../src/exchange/push/lock.ts";
import { isOpenSql } from "../../../src/exchange/push/facts.ts";
import type { TenantId } from "../../../src/audit/index.ts";
import { personKeys } from "../../../src/records/contact-details/index.ts";
import { type Db, run, transaction } from "../../../src/platform/database/index.ts";
import { fileApi } from "../../kit/file-api.ts";
import { untilLockWaits } from "../../kit/lock-waits.ts";
import { intercepted } from "../../kit/sql.ts";
import { file } from "../../kit/started.ts";
import { startOwnApp } from "../../api/own-app.ts";
import { ok, type Body } from "../../api/samples.ts";
import { JSON_BODY } from "../partner-kit.ts";
import {
  decide,
  movesLogged,
  partnerOf,
  PUSH,
  REVIEW,
  reviewed,
  somebody,
  type TestPartner,
} from "../exchange-kit.ts";
import type { MasterKey } from "../../../src/platform/secrets/index.ts";

const keys: MasterKey = { all: [Buffer.alloc(32, 7)] };
const api = await fileApi({ keys });

/** Called before each attempt to store a push. */
let beforeStoring = async (): Promise<unknown> => undefined;
const holding = (db: Db): Db =>
  intercepted(db, {
    submit: (query, send) => {
      if (!query.text.includes("insert into pushed_leads")) send(query);
      else void beforeStoring().then(() => send(query));
    },
  });
const slow = await startOwnApp(file, {
  url: api.databaseUrl,
  keys,
  wrap: (db) => ({ ...db, sql: holding(db.sql) }),
});

/** Returns the person's pushed leads in the table, newest first. */
const storedOf = (email: string) => api.sql<{ id: string; possible_duplicate: boolean }[]>`
  select id, possible_duplicate from pushed_leads where email_key = ${email} order by id desc`;

test("of 200 concurrent pushes of one person each partner has one in the buffer, and one is new", async () => {
  const acme = await api.tenant();
  const partners: TestPartner[] = [];
  for (let at = 0; at < 10; at++) partners.push(await partnerOf(acme));
  const spellings = ["Rush@example.com", "rush@Example.com", " rush@example.com "];
  const pushes = Array.from({ length: 200 }, async (_, at) => {
    const partner = partners[at % partners.length]!;
    const body = somebody({ email: spellings[at % spellings.length] });
    return { partner, answer: await partner.post(PUSH, body) };
  });
  const answers = await Promise.all(pushes);
  const made = answers.filter(({ answer }) => answer.status === 200);
  for (const { answer } of answers) {
    assert.ok([200, 409, 503].includes(answer.status), answer.text);
    if (answer.status === 503) assert.ok(Number(answer.headers.get("retry-after")) > 0);
  }
  assert.deepEqual(
    made.map(({ partner }) => partner.partner_id).toSorted(),
    partners.map(({ partner_id }) => partner_id).toSorted(),
  );
  const stored = await storedOf("rush@example.com");
  assert.deepEqual(
    stored.map(({ id }) => id).toSorted(),
    made.map(({ answer }) => String(answer.body.id)).toSorted(),
  );
  const pending = ok(await acme.get(REVIEW, { status: "pending" })).body as Body[];
  assert.equal(pending.length, partners.length);
  const fresh = stored.filter(({ possible_duplicate }) => !possible_duplicate);
  assert.deepEqual(
    fresh.map(({ id }) => id),
    stored.slice(-1).map(({ id }) => id),
  );
});

test("a push whose facts change while it waits for its lock stores nothing, and is decided on again", async () => {
  const acme = await api.tenant();
  const first = await partnerOf(acme);
  const second = await partnerOf(acme);
  const email = "waiting@example.com";
  const { id } = await first.push({ email });
  let attempts = 0;
  beforeStoring = async () => (attempts += 1);
  const other = await api.sql.reserve();
  await run(other)`begin`;
  await run(other, lockSql(acme.tenantId as TenantId, personKeys({ email }, "US")));
  const pushing = fetch(slow.url + PUSH, {
    method: "POST",
    headers: { ...JSON_BODY, authorization: `Partner ${second.token}` },
    body: JSON.stringify(somebody({ email })),
  });
  await untilLockWaits(api.sql, 1, { statement: "pg_advisory_xact_lock" });
  assert.equal(attempts, 1);
  ok(await decide(acme, id, "reject"));
  await run(other)`commit`;
  other.release();
  const pushed = (await (await pushing).json()) as Body;
  assert.equal(pushed["status"], "pending");
  assert.equal(attempts, 2);
  const stored = await storedOf(email);
  assert.deepEqual(
    stored.map((one) => one.id),
    [pushed["id"], id],
  );
  assert.equal(await movesLogged(api.sql, String(pushed["id"])), 1);
  assert.equal((await reviewed(acme, String(pushed["id"])))["possible_duplicate"], false);
});

test("a push whose facts change before every attempt returns 503, and nothing is stored", async () => {
  const acme = await api.tenant();
  const first = await partnerOf(acme);
  const second = await partnerOf(acme, { auto_accept: true });
  const email = "restless@example.com";
  const { id } = await first.push({ email });
  let attempts = 0;
  beforeStoring = async () => {
    attempts += 1;
    await api.sql`
      update pushed_leads set status = case status when 'pending' then 'expired' else 'pending' end
       where id = ${id}`;
  };
  const answer = await fetch(slow.url + PUSH, {
    method: "POST",
    headers: { ...JSON_BODY, authorization: `Partner ${second.token}` },
    body: JSON.stringify(somebody({ email })),
  });
  const { detail } = (await answer.json()) as Body;
  assert.equal(answer.status, 503, String(detail));
  assert.ok(Number(answer.headers.get("retry-after")) > 0);
  assert.match(String(detail), /nothing was written/);
  assert.equal(attempts, 3);
  const stored = await storedOf(email);
  assert.deepEqual(
    stored.map((one) => one.id),
    [id],
  );
  beforeStoring = async () => undefined;
  const again = ok(await second.post(PUSH, somebody({ email }))).body as Body;
  assert.equal(again["status"], "accepted");
});

test("pushed leads are found by their keys, even if the plan was made while there were only a few", async () => {
  const acme = await api.tenant();
  const tenantId = acme.tenantId as TenantId;
  const person = personKeys({ email: "a@example.com", phone: "555 555 0100" }, "US");
  const plan = await transaction(api.sql, async (tx) => {
    await run(tx, lockSql(tenantId, person));
    const rows = await run(
      tx,
      sql`explain (costs off) select from pushed_leads where ${isOpenSql(tenantId, person)}`,
    );
    return rows.map((row) => String(row["QUERY PLAN"])).join("\n");
  });
  assert.match(plan, /pushed_leads_open_email/);
  assert.match(plan, /pushed_leads_open_phone/);
  assert.doesNotMatch(plan, /Seq Scan/);
});

test("a push of a partner that is suspended before it is stored fails, and stores nothing", async () => {
  const acme = await api.tenant();
  const partner = await partnerOf(acme);
  const push = (email: string) =>
    fetch(slow.url + PUSH, {
      method: "POST",
      headers: { ...JSON_BODY, authorization: `Partner ${partner.token}` },
      body: JSON.stringify(somebody({ email })),
    });
  beforeStoring = async () => undefined;
  // From now on, the partner is cached.
  assert.equal((await push("before@example.com")).status, 200);
  beforeStoring = async () =>
    ok(await acme.patch(`/crm/admin/partners/${partner.partner_id}`, { status: "suspended" }));
  assert.equal((await push("after@example.com")).status, 401);
  assert.deepEqual([...(await storedOf("after@example.com"))], []);
});
