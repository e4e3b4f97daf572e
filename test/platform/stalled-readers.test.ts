/** A reader of a stream that takes nothing is cut after its time, and not after up to twice of it. */

import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { mock, test, type TestContext } from "node:test";
import { cutWhenStalled } from "../../src/platform/http/http.ts";

const STALL_ms = 60_000;

/** A response with so many bytes in its buffers and in a write that the network took a part of. */
function responseOf(
  t: TestContext,
  writableLength: number,
  writeQueueSize: number,
  destroyed = false,
) {
  mock.timers.enable({ apis: ["setInterval"] });
  t.after(() => mock.timers.reset());
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
  cutWhenStalled({ raw: raw as never }, STALL_ms);
  return { raw, handle };
}

test("a reader that takes nothing is cut after 60 s, also in the middle of a write", (t) => {
  const { raw, handle } = responseOf(t, 0, 1_000_000);
  mock.timers.tick(50_000);
  handle.writeQueueSize = 400_000;
  mock.timers.tick(60_000);
  assert.equal(raw.isDestroyed, false);
  mock.timers.tick(1_000);
  assert.equal(raw.isDestroyed, true);
});

test("a reader that takes a little now and then is not cut", (t) => {
  const { raw, handle } = responseOf(t, 1, 1_000_000);
  for (let minute = 0; minute < 10; minute += 1) {
    mock.timers.tick(55_000);
    handle.writeQueueSize -= 1;
  }
  assert.equal(raw.isDestroyed, false);
});

test("a reader for whom nothing is waiting is not cut", (t) => {
  const { raw } = responseOf(t, 0, 0);
  mock.timers.tick(10 * STALL_ms);
  assert.equal(raw.isDestroyed, false);
});

test("a reader that has left before is not watched", (t) => {
  const { raw } = responseOf(t, 1, 1, true);
  assert.equal(raw.listenerCount("close"), 0);
  mock.timers.tick(10 * STALL_ms);
  assert.equal(raw.isDestroyed, false);
});
