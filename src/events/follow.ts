/** What the operations that stream changes have in common: where a reader starts, and what it gets. */

import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../access/index.ts";
import { beginReading, confirmPlace, type FeedDeps } from "./feed-reader.ts";
import type { Streams, ToStreamEvents } from "./stream.ts";

/** Who follows changes, from where, and how they are sent. */
export interface Following {
  readonly caller: Caller;
  /** What the reader needs, as long as it reads. */
  readonly permission: string;
  /** Which types, separated by commas; all that the caller may see without. */
  readonly types: string | undefined;
  /** The cursor behind which to begin where no `Last-Event-ID` was sent: as `since` of the feed. */
  readonly since: string | undefined;
  readonly tell: ToStreamEvents;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/**
 * Opens a stream of changes. Throws 422 for an invalid cursor, 410 for one that is too old or of another
 * history, 403 for types that the caller may not see, and 429 if its credential or this process has as many
 * streams as it may.
 */
export type Follow = (following: Following) => Promise<Readable>;

const LAST_EVENT_ID = "Last-Event-ID";

export const EXPIRED = {
  410: "The cursor is older than 30 days, or from before the database was restored; `restart` says where to start again",
};

/** What openapi.json tells of such an operation. */
export const FOLLOWING = {
  requestHeaders: {
    [LAST_EVENT_ID]:
      "The id of the last event that came, behind which to go on; it beats `since`. Empty counts as not sent.",
  },
  staysOpen: true,
  answer: { content: { "text/event-stream": { schema: { type: "string" } } } },
  failures: {
    ...EXPIRED,
    429: "This credential, its tenant or the service has too many streams open",
  },
} as const;

export const createFollow =
  (deps: FeedDeps, streams: Streams): Follow =>
  async ({ since, ...opening }) => {
    const { caller, types, request } = opening;
    streams.takePlace(opening);
    const last = [request.headers["last-event-id"]].flat()[0];
    const isGoingOn = last !== undefined && last !== "";
    const reading = await beginReading(deps, caller, {
      since: isGoingOn ? last : since,
      types,
      loc: isGoingOn ? ["header", LAST_EVENT_ID] : ["query", "since"],
    });
    return streams.open({ ...opening, reading: await confirmPlace(deps, caller, reading) });
  };
