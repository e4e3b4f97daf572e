/** Polls a time window without gaps: each response contains the start time for the next poll. */

import type { CallMessage, Calls } from "../http/call.ts";
import { listIn, pagesOf } from "../pages.ts";
import { sleep } from "../http/retry.ts";
import type { CallOptions } from "../http/request.ts";

export interface PollOptions extends Pick<
  CallOptions,
  "headers" | "signal" | "timeout_ms" | "retry"
> {
  /**
   * Where to start: the last value that `save` received, or a time. Default: the window's default.
   * If the database is restored from a backup, read all records again, because polling cannot
   * detect a restore.
   */
  readonly from?: Date | string | undefined;
  /** How long to wait between polls, in milliseconds. Default: 10,000. */
  readonly every_ms?: number;
  /**
   * Called with the `from` value for the next poll, to be stored, once the loop has processed
   * everything before it.
   */
  readonly save?: (from: string) => unknown;
  /** Whether to continue polling. If `false`, the loop ends after one poll. Default: true. */
  readonly follow?: boolean;
}

interface Polled {
  readonly _id: string;
  readonly version: number;
  readonly [field: string]: unknown;
}

/**
 * For each window, the time (in whole seconds) that selects entries, and the key that identifies a
 * change.
 */
const WINDOWS = {
  created: { stamp: "created_ts", needs: ["created_ts"], key: ({ _id }: Polled) => _id },
  updated: {
    stamp: "updated_ts",
    needs: ["updated_ts"],
    key: ({ _id, version }: Polled) => `${_id} ${version}`,
  },
  status_updated: {
    stamp: "status_update_date",
    needs: ["status_update_date", "status"],
    // The key omits the version, because other changes to the record also increase it.
    key: ({ _id, status, status_update_date: at }: Polled) =>
      `${_id} ${String(at)} ${String(status)}`,
  },
} as const;

const EVERY_ms = 10_000;
const PAGE_SIZE = 500;

/**
 * Yields every change once, even though consecutive polls overlap. They must overlap because a
 * write can commit a second or more after the time in its timestamp.
 */
export async function* pollWindow(
  calls: Calls,
  path: string,
  query: CallMessage["query"],
  options: PollOptions,
): AsyncGenerator<unknown, void, undefined> {
  const { from, every_ms = EVERY_ms, save, follow = true, ...message } = options;
  const { stamp, needs, key } = WINDOWS[path.split("/").at(-1) as keyof typeof WINDOWS];
  const fields = query?.["fields"] as string | readonly string[] | undefined;
  let start_date = from;
  let before: ReadonlySet<string> = new Set();
  for (;;) {
    const asked = {
      page_size: PAGE_SIZE,
      ...query,
      ...(fields !== undefined && { fields: [fields, needs].flat() }),
      start_date,
    };
    const again = new Set<string>();
    let next: string | undefined;
    for await (const { data, headers } of pagesOf(calls, path, { ...message, query: asked })) {
      next ??= laterOf(start_date, nextStart(path, headers));
      for (const record of listIn(data) as Polled[]) {
        if (!before.has(key(record))) yield record;
        if (Number(record[stamp]) * 1000 >= Date.parse(next)) again.add(key(record));
      }
    }
    if (next !== undefined) await save?.(next);
    if (!follow) return;
    start_date = next;
    before = again;
    await sleep(every_ms, message.signal);
  }
}

/**
 * Returns the later time. The next poll may reach a process that has not seen the latest commits
 * and therefore returns an earlier time.
 */
function laterOf(start: Date | string | undefined, next: string): string {
  const start_ms = start === undefined ? -Infinity : new Date(start).getTime();
  return start_ms > Date.parse(next) ? new Date(start_ms).toISOString() : next;
}

function nextStart(path: string, headers: Headers): string {
  const next = headers.get("x-next-start-date");
  if (next !== null) return next;
  throw new Error(`GET ${path} has no X-Next-Start-Date: it cannot be polled without gaps.`);
}
