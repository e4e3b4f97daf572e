/** Readers of the change feed that store every change they receive and their position in the feed. */

import { setTimeout as sleep } from "node:timers/promises";
import type { Asker } from "./asking.ts";

/** A change as a reader receives it. */
export interface Change {
  readonly cursor: string;
  readonly type: string;
  readonly id: string;
  readonly action: string;
  readonly version: number | null;
}

export interface Reader {
  readonly seen: readonly Change[];
  /** Stops the reader once it has received everything that was written before this call. */
  readonly stop: () => Promise<void>;
  /** The number of retries or reconnections so far. */
  readonly breaks: () => number;
}

export async function startCursor({ ask }: Asker): Promise<string> {
  const { body } = await ask({ method: "GET", path: "/crm/changes?since=now" });
  return body.next as string;
}

const between_ms = 50;

/** Polls `GET /crm/changes`, page by page. */
export function pollChanges({ ask }: Asker, since: string): Reader {
  const seen: Change[] = [];
  let isOver = false;
  let breaks = 0;
  const done = (async () => {
    for (let cursor = since, isLast = false; ;) {
      const wasOver = isOver;
      const path = `/crm/changes?limit=200&since=${encodeURIComponent(cursor)}`;
      const { status, body, retries } = await ask({ method: "GET", path });
      if (status !== 200)
        throw new Error(`The feed responds with ${status}: ${JSON.stringify(body)}`);
      breaks += retries;
      seen.push(...(body.changes as Change[]));
      cursor = body.next as string;
      if (body.has_more === true) continue;
      // Stop at the second empty page after the last write. By then, the transaction of that write has ended.
      if (isLast && body.changes.length === 0) return;
      isLast = wasOver;
      await sleep(between_ms);
    }
  })();
  return {
    seen,
    breaks: () => breaks,
    stop: async () => {
      isOver = true;
      await done;
    },
  };
}

/** Listens to `GET /crm/changes/stream`, and resumes with Last-Event-ID after each cut. */
export function listenToChanges(url: string, bearer: string, since: string): Reader {
  const seen: Change[] = [];
  const stopping = new AbortController();
  let last = since;
  let breaks = 0;
  const done = (async () => {
    while (!stopping.signal.aborted) {
      try {
        const answer = await fetch(`${url}/crm/changes/stream`, {
          headers: { authorization: `Bearer ${bearer}`, "last-event-id": last },
          signal: stopping.signal,
        });
        if (answer.status !== 200 || answer.body === null) {
          await answer.body?.cancel();
          throw new Error(`The stream responds with ${answer.status}`);
        }
        for await (const { id, event, data } of eventsOf(answer.body)) {
          if (event === "change") seen.push(JSON.parse(data) as Change);
          if (id !== undefined) last = id;
        }
      } catch {
        await sleep(between_ms);
      }
      breaks += 1;
    }
  })();
  return {
    seen,
    breaks: () => breaks,
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
}

interface StreamEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

/** Parses server-sent events. An event counts only once the blank line after it has arrived. */
async function* eventsOf(bytes: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of bytes) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) yield eventIn(block);
  }
}

function eventIn(block: string): StreamEvent {
  const lines = block.split("\n").map((line) => /^(?<name>[a-z]*): ?(?<value>.*)$/.exec(line));
  const valuesOf = (name: string) =>
    lines.flatMap((line) => (line?.groups?.["name"] === name ? [line.groups["value"] ?? ""] : []));
  return {
    id: valuesOf("id").at(-1),
    event: valuesOf("event").at(-1) ?? "message",
    data: valuesOf("data").join("\n"),
  };
}
