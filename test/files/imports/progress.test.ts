/** The progress shown while a file is read: a bar on a terminal, or lines in a log. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { startProgress } from "../../../src/files/imports/index.ts";

const noop = () => true;

/** Returns a stream that records what it receives. */
function stream(isTTY: boolean) {
  const written: string[] = [];
  const fake = {
    isTTY,
    columns: 80,
    write: (text: string) => written.push(text) > 0,
    cursorTo: noop,
    clearLine: noop,
    moveCursor: noop,
    on: noop,
    once: noop,
    removeListener: noop,
  };
  return { stream: fake as unknown as NodeJS.WriteStream, written };
}

test("a log gets a line every five seconds, with the percentage if the size is known", () => {
  const { stream: out, written } = stream(false);
  let now_ms = 0;
  const progress = startProgress({ stream: out, total: 1000, now: () => now_ms });
  for (const [at_ms, bytes] of [
    [1000, 100],
    [5001, 250],
    [6000, 300],
    [10_002, 500],
  ] as const) {
    now_ms = at_ms;
    progress.update(bytes, bytes * 2);
  }
  progress.stop();
  assert.deepEqual(written, ["500 rows, 25 %\n", "1000 rows, 50 %\n"]);
});

test("without a size the lines show only rows", () => {
  const { stream: out, written } = stream(true);
  let now_ms = 0;
  const progress = startProgress({ stream: out, total: undefined, now: () => now_ms });
  now_ms = 6000;
  progress.update(100, 7);
  progress.stop();
  assert.deepEqual(written, ["7 rows\n"]);
});

test("a terminal shows a bar that ends at 100%", () => {
  const { stream: out, written } = stream(true);
  const progress = startProgress({ stream: out, total: 1000, now: () => 0 });
  progress.update(2000, 42);
  progress.stop();
  assert.match(written.join(""), /100 % \| 42 rows/);
});
