/** Polling time windows without gaps: each change is returned once while many clients write and connections break. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { ok } from "../api/samples.ts";
import { all, sdkWorld } from "./sdk-kit.ts";

test("while many write, the last change of each record comes once, and nothing comes twice", async (t) => {
  const { leadport, proxy, plain } = await sdkWorld(t);
  const { body: account } = await plain.post("/crm/accounts", { name: "Lind & Sons" });
  // The first poll returns this deal, so that its response is long enough to be cut off.
  ok(await plain.post("/crm/opportunities", { name: "Earlier", account_id: account._id }));
  const last = new Set<string>();
  const write = async (): Promise<void> => {
    for (let i = 0; i < 6; i += 1) {
      const deal = { name: `Deal ${i}`, account_id: account._id };
      const { body: made } = await plain.post("/crm/opportunities", deal);
      ok(await plain.patch(`/crm/opportunities/${made._id}`, { stage: "closed_won" }));
      last.add(`${made._id} 2`);
    }
  };
  proxy.next({ kind: "refuse" }, { kind: "lose-answer" }, { kind: "cut", bytes: 50 });
  const writing = Promise.all([write(), write(), write()]);
  const told: string[] = [];
  const starts: string[] = [];
  const poll = leadport.poll("/crm/deals/updated", {
    every_ms: 50,
    save: (from) => starts.push(from),
    query: { page_size: 5 },
  });
  for await (const { _id, version } of poll) {
    told.push(`${_id} ${version}`);
    if (told.length < last.size) continue;
    await writing;
    if ([...last].every((change) => told.includes(change))) break;
  }
  assert.equal(new Set(told).size, told.length);
  assert.deepEqual(starts, starts.toSorted());

  const again = leadport.poll("/crm/deals/updated", { from: starts.at(-1), follow: false });
  const missed = (await all(again)).filter(
    ({ _id, version }) => !told.includes(`${_id} ${version}`),
  );
  assert.deepEqual(missed, []);
});

test("creations and new statuses are returned once, whatever else happens to the record", async (t) => {
  const { leadport, plain } = await sdkWorld(t);
  for (const path of ["/crm/leads/created", "/crm/leads/status_updated"] as const) {
    const { body: first } = await plain.post("/crm/leads", { name: "Mara Lind" });
    const told: string[] = [];
    const poll = leadport.poll(path, { every_ms: 10, query: { sort_dict: { _id: 1 } } });
    for await (const { _id, name } of poll) {
      if (_id < first._id) continue;
      told.push(name);
      await plain.patch(`/crm/leads/${first._id}`, { title: "Captain" });
      if (told.length === 1) await plain.post("/crm/leads", { name: "Ines Falk" });
      else break;
    }
    assert.deepEqual(told, ["Mara Lind", "Ines Falk"], path);
  }
});
