/** The change feed, read by asking: every change of the tenant in one order, at least once. */

import type { ChangeFeedPage, FeedChange } from "./api.ts";
import type { CallMessage, Calls } from "./call.ts";
import { sleep } from "./retry.ts";
import type { CallOptions } from "./transport.ts";

export interface FeedOptions extends Pick<
  CallOptions,
  "headers" | "signal" | "timeout_ms" | "retry"
> {
  /** A cursor that was saved, or `now`; the oldest change that is kept without. */
  readonly since?: string | undefined;
  /** Of which types: `lead`, `deal`, …; all that the token may read without. */
  readonly types?: readonly FeedChange["type"][];
  /**
   * Keeps a cursor: all before it was taken by the loop. What came after it comes again when the
   * loop is begun anew with it.
   */
  readonly save?: ((cursor: string) => unknown) | undefined;
}

export interface ChangesOptions extends FeedOptions {
  /** Changes of one answer; 500 without. */
  readonly limit?: number;
  /** How long to wait where there was nothing more, in milliseconds; 1000 without. */
  readonly every_ms?: number;
  /** Whether to wait for further changes; with `false` the loop ends where there are none. */
  readonly follow?: boolean;
}

const LIMIT = 500;
const EVERY_ms = 1000;

/**
 * The cursor to begin at; that of `now` is saved at once. Whoever asked for `now` again, because an
 * answer was lost or the loop was left before the first change, would begin at another.
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

/** Throws CursorExpired if `since` is older than what is kept, or the database was restored since. */
export async function* readChanges(
  calls: Calls,
  options: ChangesOptions,
): AsyncGenerator<FeedChange, void, undefined> {
  const { types, save, limit = LIMIT, every_ms = EVERY_ms, follow = true, ...rest } = options;
  const { since: from, ...message } = rest;
  let since = await startOf(calls, { since: from, save }, message);
  for (;;) {
    const query = { since, types: types?.join(","), limit };
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
      // Also when the loop is left: what it took is not told again.
      if (taken !== undefined && taken !== since) await save?.(taken);
    }
    since = next;
    if (has_more) continue;
    if (!follow) return;
    await sleep(every_ms, message.signal);
  }
}
