/** Participants: every path that writes records shows them what it writes, in the transaction of the write. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { isInTx } from "../../src/audit/index.ts";
import { PARTICIPANTS } from "../../src/service/index.ts";
import { AppError } from "../../src/platform/errors/index.ts";
import type { JsonObject } from "../../src/platform/json/index.ts";
import type { Participant } from "../../src/records/store/index.ts";
import { BUILT_IN_TYPES } from "../../src/records/types/index.ts";
import { ok } from "../api/samples.ts";
import { decide, partnerOf } from "../exchange/exchange-kit.ts";
import { importFile } from "../files/imports/sending.ts";
import { eventually } from "../kit/eventually.ts";
import { fileApi } from "../kit/file-api.ts";
import { eraseAll, report } from "../privacy/person-requests.ts";

type Changes = Parameters<NonNullable<Participant["afterStored"]>>[1];

const named = (body: JsonObject | undefined): string => String(body?.["name"] ?? "not read");

/** Names the bodies that a participant gets for each record. */
function bodiesIn(changes: Changes): readonly string[] {
  switch (changes.kind) {
    case "created":
      return changes.records.map(({ body }) => `now ${named(body)}`);
    case "deleted":
      return changes.records.map(({ stored }) => `was ${named(stored?.body)}`);
    default:
      return changes.records.map(
        ({ stored, next }) => `was ${named(stored.body)}, now ${named(next.body)}`,
      );
  }
}

const shown: string[] = [];
const watching: Participant = {
  types: Object.values(BUILT_IN_TYPES).map(({ name }) => name),
  afterStored: async ({ scope, type }, changes) => {
    assert.ok(isInTx(scope));
    const bodies = bodiesIn(changes);
    if (bodies.some((body) => body.endsWith("now Refused"))) throw new AppError("conflict");
    shown.push(...bodies.map((body) => `${changes.kind} ${type.name}: ${body}`));
  },
};

const api = await fileApi({ participants: [...PARTICIPANTS, watching], works: true });
const acme = await api.tenant();

const create = async (path: string, body: object): Promise<string> =>
  ok(await acme.post(`/crm/${path}`, body)).body._id;

/** Returns what the participant was shown during a request. */
async function shownBy(request: () => Promise<unknown>): Promise<readonly string[]> {
  shown.splice(0);
  await request();
  return shown.splice(0);
}

/** Creates two accounts, the second of which has a deal. */
async function twoAccounts() {
  const into = await create("accounts", { name: "A" });
  const from = await create("accounts", { name: "B" });
  await create("opportunities", { name: "D", account_id: from });
  return { path: `/crm/accounts/${into}`, merge: { ids: [from] } };
}

type Case = readonly [
  path: string,
  expected: readonly string[],
  run: () => Promise<readonly string[]>,
];

const WRITES: readonly Case[] = [
  ["a POST", ["created lead: now A"], () => shownBy(() => create("leads", { name: "A" }))],
  [
    "a PATCH",
    ["updated lead: was A, now B"],
    async () => {
      const id = await create("leads", { name: "A" });
      return shownBy(() => acme.patch(`/crm/leads/${id}`, { name: "B" }));
    },
  ],
  [
    "a batch",
    ["created lead: now A", "created lead: now B"],
    () => shownBy(() => acme.post("/crm/leads/batch", { items: [{ name: "A" }, { name: "B" }] })),
  ],
  [
    "a batch that updates duplicates",
    ["created lead: now C", "updated lead: was A, now B"],
    async () => {
      await create("leads", { name: "A", email: "a@example.com" });
      const items = [{ name: "B", email: "a@example.com" }, { name: "C" }];
      return shownBy(() => acme.post("/crm/leads/batch?on_duplicate=update", { items }));
    },
  ],
  [
    "upserts",
    ["created lead: now A", "updated lead: was A, now B"],
    () =>
      shownBy(async () => {
        ok(await acme.put("/crm/leads/by/external_id/put", { name: "A" }));
        ok(await acme.put("/crm/leads/by/external_id/put", { name: "B" }));
      }),
  ],
  [
    "a DELETE",
    ["deleted task: was A"],
    async () => {
      const id = await create("tasks", { name: "A" });
      return shownBy(() => acme.delete(`/crm/tasks/${id}`));
    },
  ],
  [
    "a merge",
    ["deleted account: was B", "updated account: was A, now A", "updated deal: was D, now D"],
    async () => {
      const { path, merge } = await twoAccounts();
      return shownBy(() => acme.post(`${path}/merge`, merge));
    },
  ],
  [
    "undoing a merge",
    [
      "updated account: was A, now A",
      "restored account: was B, now B",
      "updated deal: was D, now D",
    ],
    async () => {
      const { path, merge } = await twoAccounts();
      ok(await acme.post(`${path}/merge`, merge));
      const [{ id }] = ok(await acme.get(`${path}/merges`)).body;
      return shownBy(() => acme.post(`${path}/merges/${id}/undo`, {}));
    },
  ],
  [
    "a conversion",
    [
      "created account: now B",
      "created contact: now A",
      "created deal: now C",
      "updated lead: was A, now A",
    ],
    async () => {
      const id = await create("leads", { name: "A" });
      const nested = { account: { name: "B" }, deal: { name: "C" } };
      return shownBy(() => acme.post(`/crm/leads/${id}/convert`, nested));
    },
  ],
  [
    "an import of a file",
    ["created contact: now C", "updated contact: was A, now B"],
    async () => {
      await create("contacts", { name: "A", external_id: "file" });
      const file = "external_id,name\nfile,B\nnew,C\n";
      return shownBy(() =>
        importFile(acme, "contact", file, { mode: "upsert", external_id: "external_id" }),
      );
    },
  ],
  [
    "an erasure, which does not read the erased records",
    ["deleted contact: was not read", "updated deal: was D, now D"],
    async () => {
      const contact_id = await create("contacts", { name: "Zelda", email: "zelda@example.com" });
      await create("opportunities", { name: "D", contact_id });
      const found = await report(acme, { email: "zelda@example.com" });
      return shownBy(() => eraseAll(acme, found));
    },
  ],
  [
    "a rename, which the worker applies to other records",
    ["updated account: was A, now B", "updated deal: was D, now D"],
    async () => {
      const account_id = await create("accounts", { name: "A" });
      await create("opportunities", { name: "D", account_id });
      return shownBy(async () => {
        ok(await acme.patch(`/crm/accounts/${account_id}`, { name: "B" }));
        await eventually(async () => shown.length === 2);
      });
    },
  ],
  [
    "an import of a pushed lead",
    ["created lead: now Ada"],
    async () => {
      const { push } = await partnerOf(acme);
      const { id } = await push({ name: "Ada" });
      ok(await decide(acme, id, "accept"));
      return shownBy(() => decide(acme, id, "import"));
    },
  ],
];

for (const [path, expected, run] of WRITES) {
  test(`a participant sees what is written by ${path}`, async () => {
    assert.deepEqual(await run(), expected);
  });
}

test("if a participant fails, nothing is written", async () => {
  const id = await create("leads", { name: "Kept" });
  const before = await api.sql`select count(*)::integer as count from changes`;
  assert.equal((await acme.patch(`/crm/leads/${id}`, { name: "Refused" })).status, 409);
  assert.equal((await acme.post("/crm/leads", { name: "Refused" })).status, 409);
  const items = [{ name: "Fine" }, { name: "Refused" }];
  assert.equal((await acme.post("/crm/leads/batch", { items })).status, 409);
  assert.equal(ok(await acme.get(`/crm/leads/${id}`)).body.name, "Kept");
  const after = await api.sql`select count(*)::integer as count from changes`;
  assert.deepEqual(after[0], before[0]);
});
