/** The pushing of many rows: how many at once, what holds it up, and that no row is lost or sent anew. */

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import test from "node:test";
import type { FileRow } from "../../console/src/portal/file/rows.ts";
import { createRun, type Attempt, type Hold, type Run } from "../../console/src/portal/file/run.ts";

const rowsOf = (count: number): readonly FileRow[] =>
  Array.from({ length: count }, (_, at) => ({
    row: at + 2,
    values: [],
    body: {
      ...{ name: `Person ${at}`, email: "a@example.com", phone: null, comments: null },
      ...{ description: null, match_preferences: null, expiration_date: null },
    },
    problem: undefined,
  }));

const pushed: Attempt = { kind: "pushed", id: "1", status: "pending" };
const again = (hold: Hold): Attempt => ({ kind: "again", hold });

/** Begins a run whose rows are answered by a function of the row and of how many calls there were. */
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

/** Waits until a run is told to be in a phase. */
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

test("every row is sent once, four at a time; those refused before are not", async () => {
  const { run, keys, seen } = begin(50, () => pushed);
  await reaches(run, "done");
  assert.deepEqual(run.progress().counts, { waiting: 0, pushed: 49, known: 0, refused: 1 });
  assert.equal(seen.calls, 49);
  assert.equal(seen.most, 4);
  assert.equal(new Set([...keys.values()].flatMap((of) => [...of])).size, 49);
});

for (const count of [1, 2, 3, 4, 5]) {
  test(`a file of ${count} rows is sent, although four could go at a time`, async () => {
    const { run, seen } = begin(count, () => pushed);
    await reaches(run, "done");
    assert.equal(seen.calls, run.progress().counts.pushed);
    assert.equal(run.progress().counts.waiting, 0);
  });
}

test("a file whose rows are all refused is done at once", async () => {
  const { run, seen } = begin(
    5,
    () => pushed,
    () => "no",
  );
  await reaches(run, "done");
  assert.equal(seen.calls, 0);
  assert.equal(run.progress().counts.refused, 5);
});

test("a wait that the service asks for holds all up, and the row goes again with its own key", async () => {
  const until_ms = Date.now() + 300;
  const { run, keys } = begin(20, (_, call) =>
    call === 5 ? again({ kind: "waiting", until_ms }) : pushed,
  );
  await reaches(run, "done");
  assert.ok(Date.now() >= until_ms);
  assert.equal(run.progress().counts.pushed, 19);
  assert.ok([...keys.values()].every((of) => of.size === 1));
});

for (const hold of [
  { kind: "signed_out" },
  { kind: "offline" },
  { kind: "forbidden", why: "no" },
] as const) {
  test(`${hold.kind} pauses it, and it goes on from there`, async () => {
    let isHeld = true;
    const { run, keys } = begin(30, (row) => (isHeld && row > 10 ? again(hold) : pushed));
    await reaches(run, "paused");
    assert.deepEqual(run.progress().hold, hold);
    assert.ok(run.progress().counts.waiting > 0);
    isHeld = false;
    await sleep(150);
    run.goOn();
    await reaches(run, "done");
    assert.equal(run.progress().counts.pushed, 29);
    assert.equal(run.progress().hold, undefined);
    assert.ok([...keys.values()].every((of) => of.size === 1));
  });
}

test("a pause keeps what is left, and a stop leaves it for good", async () => {
  const { run, seen } = begin(500, () => pushed);
  await sleep(20);
  run.pause();
  await reaches(run, "paused");
  await sleep(150);
  const { calls } = seen;
  await sleep(50);
  assert.equal(seen.calls, calls);
  run.goOn();
  await reaches(run, "running");
  run.stop();
  await reaches(run, "stopped");
  await sleep(150);
  const { counts } = run.progress();
  assert.ok(counts.pushed >= calls && counts.waiting > 0);
  run.goOn();
  assert.equal(run.progress().phase, "stopped");
});
