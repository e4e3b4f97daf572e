/**
 * Follows changes to the queue live: with server-sent events or, if they are unavailable, by
 * polling. The stream is closed while the window is hidden, because browsers limit the number of
 * connections per host.
 */

import { readPage } from "../../api/index.ts";
import { PUSHED_LEADS, type PushedLead } from "./pushed-lead.ts";

const POLL_ms = 20_000;
const POLLED = 50;

export interface Live {
  /** Called for each lead that is new or has a new status. */
  readonly onLead: (lead: PushedLead, isNew: boolean) => void;
  /** Returns the filters for polling. */
  readonly query: () => Readonly<Record<string, unknown>>;
  /** Returns the ID of the newest known lead. Newer leads have greater IDs. */
  readonly newestKnown: () => string | undefined;
}

/** Starts following the queue. Returns a function that stops it. */
export function followQueue(live: Live): () => void {
  let source: EventSource | undefined;
  let poll: ReturnType<typeof setInterval> | undefined;
  let cursor: string | undefined;
  let newest = live.newestKnown();
  const stopped = new AbortController();

  const handle = (event: MessageEvent<string>): void => {
    cursor = event.lastEventId || cursor;
    if (event.type === "cursor") return;
    const lead = JSON.parse(event.data) as PushedLead;
    if (newest === undefined || lead.id > newest) newest = lead.id;
    live.onLead(lead, event.type === "pushed_lead.received");
  };

  const ask = async (): Promise<void> => {
    const query = { ...live.query(), order: "newest", page_size: POLLED };
    const { signal } = stopped;
    const { items } = await readPage<PushedLead>(PUSHED_LEADS, { query, signal });
    const known = newest ?? live.newestKnown() ?? items[0]?.id;
    for (const lead of items.toReversed())
      live.onLead(lead, known !== undefined && lead.id > known);
    newest = items[0]?.id ?? known;
  };

  const open = (): void => {
    source?.close();
    const since = cursor === undefined ? "" : `?since=${encodeURIComponent(cursor)}`;
    source = new EventSource(`${PUSHED_LEADS}/stream${since}`);
    for (const type of ["cursor", "pushed_lead.received", "pushed_lead.status_changed"]) {
      source.addEventListener(type, handle as (event: Event) => void);
    }
    source.addEventListener("open", () => {
      clearInterval(poll);
      poll = undefined;
    });
    source.addEventListener("error", () => {
      // The browser reconnects automatically, but not after a response that is not a stream.
      if (source?.readyState !== EventSource.CLOSED) return;
      cursor = undefined;
      poll ??= setInterval(again, POLL_ms);
    });
  };

  /**
   * Polls once and tries to open the stream again. A failed poll is retried at the next interval.
   */
  const again = (): void => {
    ask().catch(() => undefined);
    open();
  };

  const close = (): void => {
    source?.close();
    source = undefined;
    clearInterval(poll);
    poll = undefined;
  };
  const look = (): void => {
    if (document.hidden) close();
    else if (source === undefined) again();
  };
  document.addEventListener("visibilitychange", look);
  if (!document.hidden) open();
  return () => {
    document.removeEventListener("visibilitychange", look);
    stopped.abort();
    close();
  };
}
