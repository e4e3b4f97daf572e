/** When several decisions about a pushed lead run concurrently, only one succeeds. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileApi } from "../kit/file-api.ts";
import { ok, recordsIn } from "../api/samples.ts";
import type { Answer } from "../kit/api.ts";
import {
  decide,
  movesLogged,
  partnerOf,
  refused,
  REVIEW,
  reviewed,
  type DecisionWord,
} from "./exchange-kit.ts";

const api = await fileApi();
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
    Array.from({ length: 200 }, (_, at) => decide(acme, id, word(at))),
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
  const answers = await Promise.all(Array.from({ length: 50 }, () => decide(acme, id, "import")));
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
