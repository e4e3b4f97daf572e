/** Types and functions shared by the operations that stream changes. */

import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../access/index.ts";
import { startReading, confirmPlace, type FeedDeps } from "./feed-reader.ts";
import type { Streams, ToStreamEvents } from "./stream.ts";

/** Describes a stream to open: its reader, where reading starts, and how changes are sent. */
export interface Following {
  readonly caller: Caller;
  /** The permission that the reader must have for as long as the stream is open. */
  readonly permission: string;
  /** The comma-separated types to read. By default, all types that the caller may see. */
  readonly types: string | undefined;
  /**
   * The cursor after which the stream starts if the request has no `Last-Event-ID`. It corresponds to the `since`
   * parameter of the change feed.
   */
  readonly since: string | undefined;
  readonly toEvents: ToStreamEvents;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/**
 * Opens a stream of changes. Throws 422 for an invalid cursor, 410 for a cursor that is too old or comes from another
 * history, and 403 for types that the caller may not see. Throws 429 if the caller's credential or this process has
 * reached its maximum number of streams.
 */
export type Follow = (following: Following) => Promise<Readable>;

const LAST_EVENT_ID = "Last-Event-ID";

export const EXPIRED = {
  410:
    "The cursor is older than 30 days, or from before the database was restored. `restart` " +
    "states how to start again.",
};

/** The properties in openapi.json that are the same for all operations that stream changes. */
export const FOLLOWING = {
  requestHeaders: {
    [LAST_EVENT_ID]:
      "The id of the last event that you received. The stream continues after it, and `since` is ignored.",
  },
  staysOpen: true,
  answer: { content: { "text/event-stream": { schema: { type: "string" } } } },
  failures: {
    ...EXPIRED,
    429: "Too many requests, or too many open streams for the credential, the tenant or the process.",
  },
} as const;

export const createFollow =
  (deps: FeedDeps, streams: Streams): Follow =>
  async ({ since, ...opening }) => {
    const { caller, types, request } = opening;
    streams.takePlace(opening);
    const last = [request.headers["last-event-id"]].flat()[0];
    const isResumed = last !== undefined && last !== "";
    const reading = await startReading(deps, caller, {
      since: isResumed ? last : since,
      types,
      loc: isResumed ? ["header", LAST_EVENT_ID] : ["query", "since"],
    });
    return streams.open({ ...opening, reading: await confirmPlace(deps, caller, reading) });
  };
