/**
 * The queue as it changes: the service tells it as events; where it cannot, it is asked now and then.
 * Nothing is open while nobody looks at the window, since a browser has few connections to a host.
 */

import { readPage } from "../../api/index.ts";
import { PUSHED_LEADS, type PushedLead } from "./pushed-lead.ts";

const POLL_ms = 20_000;
const POLLED = 50;

export interface Live {
  /** A lead that is new, or has another state. */
  readonly onLead: (lead: PushedLead, isNew: boolean) => void;
  /** The filters of what is asked for where there are no events. */
  readonly query: () => Readonly<Record<string, unknown>>;
  /** The id of the newest lead that is known: ids rise. */
  readonly newestKnown: () => string | undefined;
}

/** Follows the queue; answers how to stop that. */
export function followQueue(live: Live): () => void {
  let source: EventSource | undefined;
  let poll: ReturnType<typeof setInterval> | undefined;
  let cursor: string | undefined;
  let newest = live.newestKnown();
  const stopped = new AbortController();

  const tell = (event: MessageEvent<string>): void => {
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
      source.addEventListener(type, tell as (event: Event) => void);
    }
    source.addEventListener("open", () => {
      clearInterval(poll);
      poll = undefined;
    });
    source.addEventListener("error", () => {
      // The browser connects anew by itself, but not after an answer that is no stream.
      if (source?.readyState !== EventSource.CLOSED) return;
      cursor = undefined;
      poll ??= setInterval(again, POLL_ms);
    });
  };

  /** What cannot be read now is read the next time. */
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
