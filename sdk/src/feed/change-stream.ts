/**
 * The change feed as a live stream of Server-Sent Events. It reconnects whenever the connection
 * breaks.
 */

import type { FeedChange } from "../api.ts";
import type { CallMessage, Calls } from "../http/call.ts";
import { ConnectionFailed } from "../errors.ts";
import { isWorthRetrying, RETRY, sleep, waitAfter } from "../http/retry.ts";
import { startOf, type FeedOptions } from "./changes.ts";
import { readEvents, type ServerEvent } from "./event-stream.ts";

export interface StreamOptions extends FeedOptions {
  /**
   * How long to wait for the response, data or a heartbeat before reconnecting, in milliseconds.
   * Default: 45,000.
   */
  readonly idle_ms?: number;
}

const IDLE_ms = 45_000;
const PATH = "/crm/changes/stream";

/**
 * Yields every change at least once, until the loop ends or the signal aborts. Temporary failures
 * are retried indefinitely. Other failures, such as a revoked token or an expired cursor, are
 * thrown.
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
      const query = { since, types };
      for await (const { event, data, id, ...received } of connect(
        calls,
        { ...message, query },
        idle_ms,
      )) {
        failures = 0;
        retry_ms = received.retry_ms ?? retry_ms;
        if (event === "change") yield JSON.parse(data) as FeedChange;
        if (id === undefined || id === since) continue;
        await save?.(id);
        since = id;
      }
    } catch (error) {
      message.signal?.throwIfAborted();
      if (!isWorthRetrying(error)) throw error;
      failure = error;
    }
    await sleep(retry_ms + waitAfter(failures + 1, failure, RETRY), message.signal);
  }
}

/** Yields the events from one connection. */
async function* connect(
  { open }: Calls,
  message: CallMessage,
  idle_ms: number,
): AsyncGenerator<ServerEvent, void, undefined> {
  const headers = { ...message.headers, accept: "text/event-stream" };
  const timeout_ms = message.timeout_ms ?? idle_ms;
  const { body } = await open("get", PATH, { ...message, headers, timeout_ms });
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
