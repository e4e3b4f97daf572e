/** The decision on a push, for every kind of facts. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { decide, type Decision } from "../../../src/exchange/push/decide.ts";
import type { Facts, OpenPush } from "../../../src/exchange/push/facts.ts";

const NOW_s = 1_800_000_000;
const NEW: Facts = { is_confirmed: true, is_blocked: false, is_known: false, open: [] };
const MANUAL = { id: "own", auto_accept: false };
const AUTOMATIC = { id: "own", auto_accept: true };

const openPush = (id: string, rest: Partial<OpenPush> = {}): OpenPush => ({
  id,
  partner_id: "own",
  status: "pending",
  expiration_ts: null,
  ...rest,
});
const OTHER = { partner_id: "other" };
const OVERDUE = { expiration_ts: NOW_s };
const LIVE = { expiration_ts: NOW_s + 0.5 };
const ACCEPTED = { status: "accepted" } as const;

const conflict = (existing: OpenPush): Decision => ({
  kind: "conflict",
  existing,
  explanation: [{ fact: "own_push", id: existing.id }],
});

const BUFFER: Decision = {
  kind: "buffer",
  possible_duplicate: false,
  accept: false,
  expire: [],
  explanation: [],
};
const DUPLICATE = { ...BUFFER, possible_duplicate: true };

/** Facts, the decision for a partner without auto accept, and the decision with auto accept if it differs. */
const CASES: Readonly<Record<string, readonly [Partial<Facts>, Decision, automatic?: Decision]>> = {
  "a new person": [{}, BUFFER, { ...BUFFER, accept: true, explanation: [{ fact: "auto_accept" }] }],
  "a changed caller, whatever else is the case": [
    { is_confirmed: false, is_blocked: true, open: [openPush("1")] },
    { kind: "notConfirmed", explanation: [{ fact: "caller_changed" }] },
  ],
  "an erased person, even after an earlier push": [
    { is_blocked: true, is_known: true, open: [openPush("1")] },
    { kind: "erased", explanation: [{ fact: "person_erased" }] },
  ],
  "an earlier push that is pending": [{ open: [openPush("1")] }, conflict(openPush("1"))],
  "an earlier push of a known person": [
    { is_known: true, open: [openPush("2", OTHER), openPush("1", LIVE)] },
    conflict(openPush("1", LIVE)),
  ],
  "an earlier push that was accepted before it expired": [
    { open: [openPush("1", { ...ACCEPTED, ...OVERDUE })] },
    conflict(openPush("1", { ...ACCEPTED, ...OVERDUE })),
  ],
  "two earlier pushes": [{ open: [openPush("2"), openPush("1")] }, conflict(openPush("2"))],
  "an overdue and a pending push": [
    { open: [openPush("2", OVERDUE), openPush("1")] },
    conflict(openPush("1")),
  ],
  "a person with a record": [
    { is_known: true },
    { ...DUPLICATE, explanation: [{ fact: "person_known" }] },
  ],
  "other partners' pushes": [
    { open: [openPush("2", { ...OTHER, ...ACCEPTED }), openPush("1", { ...OTHER, ...OVERDUE })] },
    { ...DUPLICATE, explanation: [{ fact: "other_push", id: "2" }] },
  ],
  "two overdue pushes": [
    { open: [openPush("2", OVERDUE), openPush("1", OVERDUE)] },
    {
      ...BUFFER,
      expire: ["1", "2"],
      explanation: [
        { fact: "own_overdue_push", id: "1" },
        { fact: "own_overdue_push", id: "2" },
      ],
    },
    {
      ...BUFFER,
      accept: true,
      expire: ["1", "2"],
      explanation: [
        { fact: "own_overdue_push", id: "1" },
        { fact: "own_overdue_push", id: "2" },
        { fact: "auto_accept" },
      ],
    },
  ],
  "an overdue push of a known person, and another partner's push": [
    { is_known: true, open: [openPush("2", OTHER), openPush("1", OVERDUE)] },
    {
      ...DUPLICATE,
      expire: ["1"],
      explanation: [
        { fact: "own_overdue_push", id: "1" },
        { fact: "person_known" },
        { fact: "other_push", id: "2" },
      ],
    },
  ],
};

for (const [name, [facts, manual, automatic = manual]] of Object.entries(CASES)) {
  test(`the decision on ${name} follows from the facts`, () => {
    assert.deepEqual(decide({ ...NEW, ...facts }, MANUAL, NOW_s), manual);
    assert.deepEqual(decide({ ...NEW, ...facts }, AUTOMATIC, NOW_s), automatic);
  });
}
