/** When several decisions about a pushed lead run concurrently, only one succeeds. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { decideMany } from "../../../src/exchange/review/review.ts";
import { systemClock } from "../../../src/platform/clock/index.ts";
import { run, transaction } from "../../../src/platform/database/index.ts";
import { sharedApi } from "../../kit/file-api.ts";
import { untilLockWaits } from "../../kit/lock-waits.ts";
import { newKey } from "../../api/keys/keyed-samples.ts";
import { ok, recordsIn, whenFree } from "../../api/samples.ts";
import type { Answer } from "../../kit/api.ts";
import {
  decide,
  makeId,
  movesLogged,
  partnerOf,
  refused,
  REVIEW,
  reviewed,
  scopeOn,
  type DecisionWord,
} from "../exchange-kit.ts";

const api = await sharedApi();
const acme = await api.tenant();
const partner = await partnerOf(acme);

/** Returns the index of the successful decision. Asserts that all others returned a 409 with the resulting status. */
function winnerOf(answers: readonly Answer[], named: (winner: Answer) => string): number {
  const winners = answers.filter(({ status }) => status === 200);
  assert.equal(winners.length, 1);
  const [winner] = winners;
  assert.ok(winner);
  for (const answer of answers.filter((one) => one !== winner)) {
    assert.equal(refused(answer, 409).status, named(winner));
  }
  return answers.indexOf(winner);
}

const word = (at: number): DecisionWord => (at % 2 === 0 ? "accept" : "reject");

test("of 200 concurrent accepts and rejects one wins, and the others return what it decided", async () => {
  const { id } = await partner.push();
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, at) => whenFree(() => decide(acme, id, word(at)))),
  );
  const at = winnerOf(answers, ({ body }) => body.status);
  const { status, rejection_reason, history } = await reviewed(acme, id);
  assert.equal(status, word(at) === "accept" ? "accepted" : "rejected");
  assert.equal(rejection_reason, word(at) === "accept" ? null : "No budget");
  assert.equal(await movesLogged(api.sql, id), 2);
  assert.equal((history as unknown[]).length, 2);
});

test("of 50 concurrent imports one creates a lead, and the others return its id", async () => {
  const { id } = await partner.push();
  ok(await decide(acme, id, "accept"));
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => whenFree(() => decide(acme, id, "import"))),
  );
  const winner = answers[winnerOf(answers, () => "imported")];
  const { imported_lead_id } = await reviewed(acme, id);
  for (const { body } of answers) assert.equal(body.imported_lead_id, imported_lead_id);
  assert.equal(winner?.body.status, "imported");
  const made = recordsIn(ok(await acme.get("/crm/leads")));
  assert.deepEqual(
    made.filter(({ pushed_lead_id }) => pushed_lead_id === id).map(({ _id }) => _id),
    [imported_lead_id],
  );
  assert.equal(await movesLogged(api.sql, id), 3);
});

const batch = (ids: readonly string[]) => acme.post(`${REVIEW}/batch`, { ids, action: "accept" });

test("overlapping batches decide each lead once", async () => {
  const pushed = await Promise.all(Array.from({ length: 10 }, () => partner.push()));
  const ids = pushed.map(({ id }) => id);
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, at) => batch(at % 2 === 0 ? ids : ids.toReversed())),
  );
  const results = answers.flatMap((answer) => ok(answer).body as { id: string; ok: boolean }[]);
  for (const id of ids) {
    assert.equal(results.filter((one) => one.id === id && one.ok).length, 1);
    assert.equal(await movesLogged(api.sql, id), 2);
  }
});

test("batches with an Idempotency-Key import the same persons in any order without a deadlock", async () => {
  const other = await partnerOf(acme);
  const emails = Array.from({ length: 8 }, (_, at) => `both${at}@example.com`);
  const push = async (by: typeof partner, order: readonly string[]) => {
    const ids: string[] = [];
    for (const email of order) ids.push((await by.push({ email })).id);
    return ids;
  };
  const batches = [await push(partner, emails), await push(other, emails.toReversed())] as const;
  ok(await batch(batches.flat()));
  const importAll = (ids: readonly string[]) =>
    acme.request({
      method: "POST",
      path: `${REVIEW}/batch`,
      headers: { "content-type": "application/json", "idempotency-key": newKey() },
      body: JSON.stringify({ ids, action: "import" }),
    });
  // Both batches start at the same time, when the locks on their first leads are released.
  const sent = await transaction(api.sql, async (tx) => {
    const first = batches.map(([id = ""]) => id);
    await run(tx)`select from pushed_leads where id = any(${first}::text[]) for update`;
    const answers = batches.map(importAll);
    await untilLockWaits(api.sql, 2);
    return { answers };
  });
  for (const answer of await Promise.all(sent.answers)) {
    const results = ok(answer).body as { ok: boolean; status: string }[];
    assert.deepEqual(new Set(results.map(({ status }) => status)), new Set(["imported"]));
  }
  const attributed = await api.sql`
    select distinct partner_id from attributions where person_key like 'email:both%'`;
  assert.equal(attributed.count, 1);
});

test("if a lead's decision collides with others, its result has the code of a separate request", async () => {
  const { id } = await partner.push();
  ok(await decide(acme, id, "accept"));
  const noted: unknown[] = [];
  const importFailingWith = (code: string) => {
    const failure = Object.assign(new Error("Failed"), { code });
    const deps = {
      clock: systemClock(),
      makeId,
      importLead: () => Promise.reject(failure),
      note: (error: unknown) => noted.push(error),
    };
    const author = { country: "US", person: { id: acme.personId, name: "Owner" } } as const;
    const scope = scopeOn(api.sql, acme);
    const decideOn = (on: typeof scope | { readonly db: Parameters<typeof transaction>[0] }) =>
      decideMany({ scope: { ...scope, ...on }, deps, author }, [id], { action: "import" });
    return {
      failure,
      apart: () => decideOn(scope),
      together: () => transaction(api.sql, (db) => decideOn({ db })),
    };
  };
  for (const [code, wanted] of [
    ["40P01", 409],
    ["55P03", 409],
    ["57014", 503],
  ] as const) {
    const { failure, apart, together } = importFailingWith(code);
    const [result] = (await apart()) as readonly { code: number }[];
    assert.equal(result?.code, wanted, code);
    // In one transaction, the other leads would collide, too, so the whole request fails.
    await assert.rejects(together(), failure);
  }
  assert.deepEqual(noted, []);
  const { failure, apart, together } = importFailingWith("XX000");
  for (const results of [await apart(), await together()]) {
    assert.equal((results[0] as { code: number }).code, 500);
  }
  assert.deepEqual(noted, [failure, failure]);
});
