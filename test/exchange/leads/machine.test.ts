/** Every event in every state of a pushed lead, in the database and over HTTP. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { expireSome } from "../../../src/exchange/pushed-leads/expiry.ts";
import type { Move } from "../../../src/exchange/pushed-leads/states.ts";
import { erasePushed } from "../../../src/exchange/pushed-leads/erase-pushed.ts";
import { moveLead } from "../../../src/exchange/pushed-leads/move-lead.ts";
import { epochSeconds } from "../../../src/platform/clock/clock.ts";
import { transaction } from "../../../src/platform/database/index.ts";
import { fileApi } from "../../kit/file-api.ts";
import { ok } from "../../api/samples.ts";
import {
  decide,
  DECISIONS,
  makeId,
  movesLogged,
  partnerOf,
  refused,
  REVIEW,
  reviewed,
  scopeOn,
  type DecisionWord,
} from "../exchange-kit.ts";
import { movableClock } from "../../kit/clock.ts";

const clock = movableClock();
const api = await fileApi({ clock });
const acme = await api.tenant();
const partner = await partnerOf(acme);
const scope = scopeOn(api.sql, acme);
const SOON_s = 10;

const STATES = ["pending", "overdue", "accepted", "imported", "rejected", "expired"] as const;
type State = (typeof STATES)[number];
type Event = Move["event"];

/**
 * The state after each event, copied by hand from the table in docs/partner-exchange.md. All other events are
 * rejected.
 */
const LEADS: Readonly<Record<State, Partial<Readonly<Record<Event, State>>>>> = {
  pending: { accept: "accepted", reject: "rejected" },
  overdue: { expire: "expired" },
  accepted: { import: "imported" },
  imported: {},
  rejected: {},
  expired: {},
};

const MOVES: Readonly<Record<Event, Move>> = {
  accept: { event: "accept" },
  reject: { event: "reject", reason: "No budget" },
  import: { event: "import", imported_lead_id: "6b00a22b870ca000ec6e9532" },
  expire: { event: "expire" },
};

const WAYS: Readonly<Record<State, readonly DecisionWord[]>> = {
  pending: [],
  overdue: [],
  accepted: ["accept"],
  imported: ["accept", "import"],
  rejected: ["reject"],
  expired: [],
};

/** Creates a pushed lead in a state. An overdue lead is pending although its expiration date has passed. */
async function leadIn(state: State): Promise<string> {
  const isOver = state === "overdue" || state === "expired";
  const expiration_date = isOver ? epochSeconds(clock) + SOON_s : undefined;
  const { id } = await partner.push({ expiration_date });
  for (const word of WAYS[state]) ok(await decide(acme, id, word));
  if (isOver) clock.forward_s(SOON_s);
  if (state === "expired") await expireSome(scope.db, { clock, makeId });
  return id;
}

/** Returns a lead's row without its generated columns. */
const rowOf = async (id: string) => {
  const [row] = await api.sql`select * from pushed_leads where id = ${id}`;
  assert.ok(row);
  const { open_by_email: _, open_by_phone: __, ...held } = row;
  return held;
};

/** Returns the state as stored in the database, where an overdue lead is still pending. */
const stored = (state: State): string => (state === "overdue" ? "pending" : state);
/** Returns the state as shown in responses, where an overdue lead has expired. */
const told = (state: State): string => (state === "overdue" ? "expired" : state);

for (const state of STATES) {
  for (const [event, move] of Object.entries(MOVES) as [Event, Move][]) {
    const to = LEADS[state][event];
    test(`${event} moves a lead that is ${state} to ${to ?? "nowhere"}`, async () => {
      const id = await leadIn(state);
      const before = await rowOf(id);
      const logged = await movesLogged(api.sql, id);
      assert.equal(before["status"], stored(state));
      const now_s = epochSeconds(clock);
      assert.equal(await moveLead(scope, makeId, { id, now_s }, move), to !== undefined);
      const after = await rowOf(id);
      assert.equal(await movesLogged(api.sql, id), logged + (to === undefined ? 0 : 1));
      if (to === undefined) return assert.deepEqual(after, before);
      const changed = {
        status: to,
        ...(move.event === "reject" && { rejection_reason: move.reason }),
        ...(move.event === "import" && { imported_lead_id: move.imported_lead_id }),
      };
      assert.deepEqual(after, { ...before, ...changed });
    });
  }
}

test("a move of another tenant's lead moves nothing and logs nothing", async () => {
  const id = await leadIn("pending");
  const before = await rowOf(id);
  const rival = scopeOn(api.sql, await api.tenant());
  const pointed = { id, now_s: epochSeconds(clock) };
  assert.equal(await moveLead(rival, makeId, pointed, MOVES.accept), false);
  assert.deepEqual(await rowOf(id), before);
  assert.equal(await movesLogged(api.sql, id), 1);
});

for (const state of STATES) {
  for (const word of Object.keys(DECISIONS) as DecisionWord[]) {
    const to = LEADS[state][word];
    test(`${word} over HTTP returns ${to ?? "409"} for a lead that is ${state}`, async () => {
      const id = await leadIn(state);
      const before = await rowOf(id);
      const logged = await movesLogged(api.sql, id);
      const answer = await decide(acme, id, word);
      assert.equal(await movesLogged(api.sql, id), logged + (to === undefined ? 0 : 1));
      if (to !== undefined) {
        assert.equal(ok(answer).body.status, to);
        assert.deepEqual({ ...answer.body, resembles: [] }, await withoutLikeness(id));
        return;
      }
      const { status, detail } = refused(answer, 409);
      assert.equal(status, told(state));
      assert.ok(String(detail).includes(told(state)));
      assert.deepEqual(await rowOf(id), before);
    });
  }
}

for (const state of STATES) {
  test(`no event and no decision changes an erased lead that was ${state}`, async () => {
    const id = await leadIn(state);
    const now_s = epochSeconds(clock);
    await transaction(api.sql, (db) => erasePushed({ ...scope, db }, makeId, { ids: [id], now_s }));
    const before = await rowOf(id);
    const logged = await movesLogged(api.sql, id);
    for (const move of Object.values(MOVES)) {
      assert.equal(await moveLead(scope, makeId, { id, now_s }, move), false, move.event);
    }
    for (const [word, body] of Object.entries(DECISIONS)) {
      refused(await decide(acme, id, word as DecisionWord), 404);
      const decision = { ids: [id], action: word, ...body };
      const [result] = ok(await acme.post(`${REVIEW}/batch`, decision)).body;
      assert.equal(result.code, 404);
    }
    assert.deepEqual(await rowOf(id), before);
    assert.equal(await movesLogged(api.sql, id), logged);
  });
}

const withoutLikeness = async (id: string) => ({ ...(await reviewed(acme, id)), resembles: [] });

test("a lead cannot be expired over HTTP", async () => {
  const id = await leadIn("overdue");
  refused(await acme.post(`${REVIEW}/${id}/expire`, {}), 404);
});

test("the history shows each move once, in order, with its time and actor", async () => {
  const id = await leadIn("imported");
  const { history } = await reviewed(acme, id);
  const steps = history as { from: string; to: string; by: string; at: string; actor: object }[];
  assert.deepEqual(
    steps.map(({ from, to, by }) => [from, to, by]),
    [
      [null, "pending", "partner"],
      ["pending", "accepted", "tenant"],
      ["accepted", "imported", "tenant"],
    ],
  );
  const times = steps.map(({ at }) => Date.parse(at));
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
  const actors = steps.map(({ actor }) => (actor as { kind: string }).kind);
  assert.deepEqual(actors, ["partner", "token", "token"]);
  const { body } = await partner.get(`/crm/partner/pushed/${id}`);
  const { length } = steps;
  assert.equal(body.history.length, length);
  for (const step of body.history) assert.deepEqual(Object.keys(step), ["from", "to", "at", "by"]);
});

test("only one place in the code writes the state of a pushed lead", () => {
  const src = join(import.meta.dirname, "../../../src");
  const files = readdirSync(src, { recursive: true, encoding: "utf8" });
  const writers = files
    .filter((file) => file.endsWith(".ts"))
    .filter((file) => {
      const text = readFileSync(join(src, file), "utf8");
      return /update\s+pushed_leads\b[^`]*?\bstatus\s*=/i.test(text);
    });
  assert.deepEqual(writers, ["exchange/pushed-leads/move-lead.ts"]);
});
