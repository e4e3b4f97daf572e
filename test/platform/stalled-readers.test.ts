/** A stalled reader of a stream is disconnected when its time limit is reached, not later. */

import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { mock, test, type TestContext } from "node:test";
import { closeWhenStalled } from "../../src/platform/http/http.ts";
import { atEnd } from "../kit/started.ts";

const STALL_ms = 60_000;

/**
 * Returns a response with `writableLength` bytes in its own buffer, and `writeQueueSize` bytes in a write that the
 * network has accepted only in part.
 */
function responseOf(
  t: TestContext,
  writableLength: number,
  writeQueueSize: number,
  destroyed = false,
) {
  mock.timers.enable({ apis: ["setInterval"] });
  atEnd(t, () => mock.timers.reset());
  const handle = { writeQueueSize };
  const raw = Object.assign(new EventEmitter(), {
    writableLength,
    destroyed,
    socket: { _handle: handle },
    isDestroyed: false,
    destroy: () => {
      raw.isDestroyed = true;
      raw.emit("close");
    },
  });
  closeWhenStalled({ raw: raw as never }, STALL_ms);
  return { raw, handle };
}

test("a reader that reads nothing is cut off after 60 s, also in the middle of a write", (t) => {
  const { raw, handle } = responseOf(t, 0, 1_000_000);
  mock.timers.tick(50_000);
  handle.writeQueueSize = 400_000;
  mock.timers.tick(60_000);
  assert.equal(raw.isDestroyed, false);
  mock.timers.tick(1_000);
  assert.equal(raw.isDestroyed, true);
});

test("a reader that reads a little now and then is not cut off", (t) => {
  const { raw, handle } = responseOf(t, 1, 1_000_000);
  for (let minute = 0; minute < 10; minute += 1) {
    mock.timers.tick(55_000);
    handle.writeQueueSize -= 1;
  }
  assert.equal(raw.isDestroyed, false);
});

test("a reader without pending bytes is not cut off", (t) => {
  const { raw } = responseOf(t, 0, 0);
  mock.timers.tick(10 * STALL_ms);
  assert.equal(raw.isDestroyed, false);
});

test("a reader that has disconnected before is not watched", (t) => {
  const { raw } = responseOf(t, 1, 1, true);
  assert.equal(raw.listenerCount("close"), 0);
  mock.timers.tick(10 * STALL_ms);
  assert.equal(raw.isDestroyed, false);
});
