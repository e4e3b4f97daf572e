/** Submitting many rows: concurrency and interruptions. No row is lost or sent twice. */

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import test from "node:test";
import type { FileRow } from "../../../console/src/portal/file/rows.ts";
import {
  createRun,
  type Attempt,
  type Hold,
  type Run,
} from "../../../console/src/portal/file/run.ts";
import { eventually, WITHIN_ms } from "../../kit/eventually.ts";

const rowsOf = (count: number): readonly FileRow[] =>
  Array.from({ length: count }, (_, at) => ({
    row: at + 2,
    values: [],
    body: {
      name: `Person ${at}`,
      email: `p${at}@example.com`,
      phone: null,
      comments: null,
      description: null,
      match_preferences: null,
      expiration_date: null,
    },
    problems: [],
  }));

const pushed: Attempt = { kind: "pushed", id: "1", status: "pending" };
const again = (hold: Hold): Attempt => ({ kind: "again", hold });

/** Starts a run. The response to each request depends on its row and on the number of requests so far. */
function begin(
  count: number,
  answer: (row: number, call: number) => Attempt,
  refusal: (row: FileRow) => string | undefined = ({ row }) => (row === 3 ? "no" : undefined),
) {
  const keys = new Map<number, Set<string>>();
  const seen = { calls: 0, now: 0, most: 0 };
  const run = createRun({
    partnerId: "1",
    fileName: "leads.csv",
    headings: [],
    rows: rowsOf(count),
    refusal,
    push: async ({ row }, key) => {
      seen.calls += 1;
      seen.now += 1;
      seen.most = Math.max(seen.most, seen.now);
      keys.set(row, (keys.get(row) ?? new Set()).add(key));
      const told = answer(row, seen.calls);
      await sleep(1);
      seen.now -= 1;
      return told;
    },
  });
  return { run, keys, seen };
}

/** Waits until a run reaches a phase. */
const reaches = (run: Run, phase: string): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      if (run.progress().phase !== phase) return;
      stop();
      resolve();
    };
    const stop = run.subscribe(look);
    look();
  });

test("every valid row is sent once, four at a time", async () => {
  const { run, keys, seen } = begin(50, () => pushed);
  await reaches(run, "done");
  assert.deepEqual(run.progress().counts, { waiting: 0, pushed: 49, known: 0, refused: 1 });
  assert.equal(seen.calls, 49);
  assert.equal(seen.most, 4);
  assert.equal(new Set([...keys.values()].flatMap((of) => [...of])).size, 49);
});

for (const count of [1, 2, 3, 4, 5]) {
  test(`a file of ${count} rows is sent, although four could be sent at a time`, async () => {
    const { run, seen } = begin(count, () => pushed);
    await reaches(run, "done");
    assert.equal(seen.calls, run.progress().counts.pushed);
    assert.equal(run.progress().counts.waiting, 0);
  });
}

test("a file with only rejected rows is done immediately", async () => {
  const { run, seen } = begin(
    5,
    () => pushed,
    () => "no",
  );
  await reaches(run, "done");
  assert.equal(seen.calls, 0);
  assert.equal(run.progress().counts.refused, 5);
});

test("a wait requested by the service pauses all rows, and the row is retried with its own key", async () => {
  const until_ms = Date.now() + 300;
  const { run, keys } = begin(20, (_, call) =>
    call === 5 ? again({ kind: "waiting", until_ms }) : pushed,
  );
  await reaches(run, "done");
  assert.ok(Date.now() >= until_ms);
  assert.equal(run.progress().counts.pushed, 19);
  assert.ok([...keys.values()].every((of) => of.size === 1));
});

test("a run that is paused and continued does not wait any longer", async () => {
  const until_ms = Date.now() + WITHIN_ms;
  const { run } = begin(20, (_, call) =>
    call <= 4 ? again({ kind: "waiting", until_ms }) : pushed,
  );
  await sleep(50);
  run.pause();
  run.resume();
  await reaches(run, "done");
  assert.ok(Date.now() < until_ms);
});

for (const hold of [
  { kind: "signed_out" },
  { kind: "offline" },
  { kind: "forbidden", why: "no" },
] as const) {
  test(`${hold.kind} pauses the run, which then continues from there`, async () => {
    let isHeld = true;
    const { run, keys, seen } = begin(30, (row) => (isHeld && row > 10 ? again(hold) : pushed));
    await reaches(run, "paused");
    assert.deepEqual(run.progress().hold, hold);
    assert.ok(run.progress().counts.waiting > 0);
    await eventually(() => seen.now === 0);
    isHeld = false;
    run.resume();
    await reaches(run, "done");
    assert.equal(run.progress().counts.pushed, 29);
    assert.equal(run.progress().hold, undefined);
    assert.ok([...keys.values()].every((of) => of.size === 1));
  });
}

test("a pause keeps the remaining rows, and a stop drops them", async () => {
  const { run, seen } = begin(500, () => pushed);
  await sleep(20);
  run.pause();
  await reaches(run, "paused");
  await eventually(() => seen.now === 0);
  const { calls } = seen;
  await sleep(50);
  assert.equal(seen.calls, calls);
  run.resume();
  await reaches(run, "running");
  run.stop();
  await reaches(run, "stopped");
  await eventually(() => seen.now === 0);
  const { counts } = run.progress();
  assert.ok(counts.pushed >= calls && counts.waiting > 0);
  run.resume();
  assert.equal(run.progress().phase, "stopped");
});

test("rows of one person are sent one after another, in the order of the file", async () => {
  const started: number[] = [];
  let sending = 0;
  const rows = rowsOf(12).map((row, at) => ({
    ...row,
    body: { ...row.body, email: at % 3 === 0 ? "Same@example.com" : row.body.email },
  }));
  const run = createRun({
    partnerId: "1",
    fileName: "leads.csv",
    headings: [],
    rows,
    refusal: () => undefined,
    push: async ({ row, body }) => {
      const isSame = body.email === "Same@example.com";
      if (isSame) {
        started.push(row);
        sending += 1;
        assert.equal(sending, 1);
      }
      await sleep(isSame ? 10 : 1);
      if (isSame) sending -= 1;
      return pushed;
    },
  });
  await reaches(run, "done");
  assert.deepEqual(started, [2, 5, 8, 11]);
  assert.equal(run.progress().counts.pushed, 12);
});

test("a row that has to wait for itself to be sent again does not hold up the others", async () => {
  const rows = rowsOf(8).map((row) => ({ ...row, body: { ...row.body, email: "a@example.com" } }));
  const order: number[] = [];
  const run = createRun({
    partnerId: "1",
    fileName: "leads.csv",
    headings: [],
    rows,
    refusal: () => undefined,
    push: ({ row }) => {
      order.push(row);
      const until_ms = Date.now() + 20;
      return Promise.resolve(order.length === 1 ? again({ kind: "waiting", until_ms }) : pushed);
    },
  });
  await reaches(run, "done");
  assert.deepEqual(order, [2, 2, 3, 4, 5, 6, 7, 8, 9]);
});
