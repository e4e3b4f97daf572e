/** Reads the change feed by polling: every change in the tenant, in order, at least once. */

import type { ChangeFeedPage, FeedChange } from "../api.ts";
import type { CallMessage, Calls } from "../http/call.ts";
import { sleep } from "../http/retry.ts";
import type { CallOptions } from "../http/request.ts";

export interface FeedOptions extends Pick<
  CallOptions,
  "headers" | "signal" | "timeout_ms" | "retry"
> {
  /** A saved cursor, or `now`. Default: the changes of the last 29 days and 22 hours. */
  readonly since?: string | undefined;
  /** The record types: `lead`, `deal`, … Default: all types that the token may read. */
  readonly types?: readonly FeedChange["type"][];
  /**
   * Called with a cursor to store once the loop has processed every change before it. A loop that
   * starts from this cursor receives all later changes.
   */
  readonly save?: ((cursor: string) => unknown) | undefined;
}

export interface ChangesOptions extends FeedOptions {
  /** The maximum number of changes per response. Default: 500. */
  readonly limit?: number;
  /** How long to wait after the last available change, in milliseconds. Default: 1000. */
  readonly every_ms?: number;
  /**
   * Whether to wait for further changes. If `false`, the loop ends when there are no more. Default:
   * true.
   */
  readonly follow?: boolean;
}

const LIMIT = 500;
const EVERY_ms = 1000;

/**
 * Returns the cursor to start from. If `since` is `now`, its cursor is saved immediately.
 * Otherwise, a program that stops before the first change and later starts with `now` again would
 * miss the changes in between.
 */
export async function startOf(
  { call }: Calls,
  { since, save }: Pick<FeedOptions, "since" | "save">,
  message: CallMessage,
): Promise<string | undefined> {
  if (since !== "now") return since;
  const { data } = await call("get", "/crm/changes", { ...message, query: { since } });
  const { next } = data as ChangeFeedPage;
  await save?.(next);
  return next;
}

/**
 * Yields all changes. Throws CursorExpired if `since` is older than the oldest stored change, or if
 * the database was restored after the cursor was issued.
 */
export async function* readChanges(
  calls: Calls,
  options: ChangesOptions,
): AsyncGenerator<FeedChange, void, undefined> {
  const { types, save, limit = LIMIT, every_ms = EVERY_ms, follow = true, ...rest } = options;
  const { since: from, ...message } = rest;
  let since = await startOf(calls, { since: from, save }, message);
  for (;;) {
    const query = { since, types, limit };
    const { data } = await calls.call("get", "/crm/changes", { ...message, query });
    const { changes, next, has_more } = data as ChangeFeedPage;
    let taken = since;
    try {
      for (const change of changes) {
        yield change;
        taken = change.cursor;
      }
      taken = next;
    } finally {
      // This runs even if the loop ends early, so that processed changes are not returned again.
      if (taken !== undefined && taken !== since) await save?.(taken);
    }
    since = next;
    if (has_more) continue;
    if (!follow) return;
    await sleep(every_ms, message.signal);
  }
}
