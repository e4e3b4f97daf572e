/** Server-sent events are parsed correctly, however they are chunked. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { readEvents, type ServerEvent } from "../../sdk/src/feed/event-stream.ts";

function streamOf(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull: (controller) => {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, (at += size)));
    },
  });
}

async function eventsOf(text: string, size: number): Promise<ServerEvent[]> {
  const events: ServerEvent[] = [];
  const stream = streamOf(new TextEncoder().encode(text), size);
  for await (const event of readEvents(stream, 1000)) events.push(event);
  return events;
}

const event = (parts: Partial<ServerEvent>): ServerEvent => ({
  event: "message",
  data: "",
  id: undefined,
  retry_ms: undefined,
  ...parts,
});

const CASES = [
  ["data: one\n\ndata:two\n\n", [event({ data: "one" }), event({ data: "two" })]],
  ["data: a\ndata: b: c\n\n", [event({ data: "a\nb: c" })]],
  ["event: change\nid: 7\ndata: {}\n\n", [event({ event: "change", id: "7", data: "{}" })]],
  ["id: 8\nevent: cursor\ndata:\n\n", [event({ event: "cursor", id: "8" })]],
  ["retry: 1000\n\n", [event({ retry_ms: 1000 })]],
  ["retry: soon\n\n", [event({})]],
  ["data: Zoë 😀\r\n\r\ndata: x\r\n\r\n", [event({ data: "Zoë 😀" }), event({ data: "x" })]],
  ["data: a\rdata: b\r\rdata: c\n\n", [event({ data: "a\nb" }), event({ data: "c" })]],
  ["\uFEFFdata: marked\n\n\n\n", [event({ data: "marked" })]],
  ["data: broken off\n", []],
] as const;

test("events are the same in chunks of every size", async () => {
  for (const [text, expected] of CASES) {
    for (const size of [1, 2, 3, 5, 8, 1000]) {
      assert.deepEqual(await eventsOf(text, size), expected, JSON.stringify([text, size]));
    }
  }
});

test("a stream without any sign of life is closed", async () => {
  const silent = new ReadableStream<Uint8Array>();
  await assert.rejects(readEvents(silent, 20).next(), /nothing for 20 ms/);
});
