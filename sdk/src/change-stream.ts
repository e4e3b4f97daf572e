/** The change feed as it happens: Server-Sent Events, connected anew where they break off. */

import type { FeedChange } from "./api.ts";
import type { CallMessage, Calls } from "./call.ts";
import { startOf, type FeedOptions } from "./changes.ts";
import { ConnectionFailed } from "./errors.ts";
import { readEvents, type ServerEvent } from "./event-stream.ts";
import { isWorthRetrying, RETRY, sleep, waitAfter } from "./retry.ts";

export interface StreamOptions extends FeedOptions {
  /** The connection is given up when nothing, not even a heartbeat, came for so long; 45 s without. */
  readonly idle_ms?: number;
}

const IDLE_ms = 45_000;
const PATH = "/crm/changes/stream";

/**
 * Every change at least once, until the loop is left or the signal aborts. Failures that pass are
 * waited for without end; others (a revoked token, a cursor that expired) are thrown.
 */
export async function* streamChanges(
  calls: Calls,
  options: StreamOptions,
): AsyncGenerator<FeedChange, void, undefined> {
  const { save, types, idle_ms = IDLE_ms, since: from, ...message } = options;
  let since = await startOf(calls, { since: from, save }, message);
  let retry_ms = 0;
  for (let failures = 0; ; failures += 1) {
    let failure: unknown;
    try {
      const query = { since, types: types?.join(",") };
      for await (const { event, data, id, ...told } of connect(
        calls,
        { ...message, query },
        idle_ms,
      )) {
        failures = 0;
        retry_ms = told.retry_ms ?? retry_ms;
        if (event === "change") yield JSON.parse(data) as FeedChange;
        if (id === undefined || id === since) continue;
        await save?.(id);
        since = id;
      }
    } catch (error) {
      message.signal?.throwIfAborted();
      if (!isWorthRetrying(error, true)) throw error;
      failure = error;
    }
    await sleep(retry_ms + waitAfter(failures + 1, failure, RETRY), message.signal);
  }
}

/** The events of one connection. */
async function* connect(
  { open }: Calls,
  message: CallMessage,
  idle_ms: number,
): AsyncGenerator<ServerEvent, void, undefined> {
  const headers = { ...message.headers, accept: "text/event-stream" };
  const { body } = await open("get", PATH, { ...message, headers });
  if (body === null) return;
  const events = readEvents(body, idle_ms);
  try {
    for (;;) {
      const { done, value } = await events.next();
      if (done === true) return;
      yield value;
    }
  } catch (error) {
    throw new ConnectionFailed("GET", PATH, error);
  } finally {
    await events.return();
  }
}
