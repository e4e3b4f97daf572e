/** `GET /crm/changes` and `GET /crm/changes/stream`: all changes of a tenant, in a single order. */

import type { Caller } from "../access/index.ts";
import type { MasterKey } from "../platform/secrets/index.ts";
import { type Operation, operation } from "../platform/operations/index.ts";
import { choosing } from "../platform/json/index.ts";
import { fieldsParameter, type Parameters } from "../platform/validation/index.ts";
import {
  boolean,
  described,
  objectSchema,
  type Schemas,
  string,
} from "../platform/schemas/index.ts";
import { CHANGE_MEMBERS, FEED_CHANGE, FEED_TYPES, type FeedChange } from "./feed.ts";
import { createFeedCursors } from "./feed-cursor.ts";
import { startReading, readNext } from "./feed-reader.ts";
import { createFollow, EXPIRED, FOLLOWING, type Follow } from "./follow.ts";
import { createStreams, type StreamDeps, type ToStreamEvents } from "./stream.ts";

const LIMIT = 100;
const LIMIT_MAX = 1000;

const STREAM_PARAMETERS = {
  since: {
    kind: "text",
    max: 100,
    description:
      "The cursor to read from; `now` is the current position. Default: the changes of the last 29 days and 22 hours.",
  },
  types: {
    kind: "text",
    max: 200,
    description: `Types separated by commas: ${FEED_TYPES.join(", ")}. Default: all types that the token may read.`,
  },
  ...fieldsParameter(CHANGE_MEMBERS),
} as const satisfies Parameters;

const PAGE_PARAMETERS = {
  ...STREAM_PARAMETERS,
  limit: {
    kind: "integer",
    min: 1,
    max: LIMIT_MAX,
    fallback: LIMIT,
    description: "The maximum number of changes.",
  },
} as const satisfies Parameters;

const COMMON = { method: "GET", tag: "changes", permission: "records:read" } as const;

export interface ChangeFeed {
  readonly operations: readonly Operation<Caller>[];
  /**
   * Opens streams of events that other modules derive from changes. These streams count toward the same limits as the
   * change feed's own streams.
   */
  readonly follow: Follow;
  /** Ends all streams, so that the server does not wait for their readers when it shuts down. */
  readonly close: () => void;
}

export function createChangeFeed(
  given: Omit<StreamDeps, "cursors"> & { readonly keys: MasterKey },
): ChangeFeed {
  const deps = { ...given, cursors: createFeedCursors(given.keys) };
  const streams = createStreams(deps);
  const follow = createFollow(deps, streams);
  const page: Operation<Caller> = operation({
    ...COMMON,
    url: "/crm/changes",
    id: "list_changes",
    summary: "List changes",
    description: "Lists the changes since a cursor in order, each change once.",
    query: PAGE_PARAMETERS,
    answer: { $ref: "ChangeFeedPage#" },
    failures: EXPIRED,
    run: async ({ caller, query }) => {
      const { since, types, fields, limit = LIMIT } = query;
      const reading = await startReading(deps, caller, { since, types, loc: ["query", "since"] });
      const { changes, place, has_more } = await readNext(deps, caller, reading, limit);
      return {
        changes: changes.map(choosing(fields)),
        next: deps.cursors.write(caller.tenant.id, place),
        has_more,
      };
    },
  });
  const stream: Operation<Caller> = operation({
    ...COMMON,
    url: "/crm/changes/stream",
    id: "stream_changes",
    summary: "Stream changes",
    description: "Sends changes as Server-Sent Events when they happen.",
    query: STREAM_PARAMETERS,
    ...FOLLOWING,
    run: async ({ caller, query, request, reply }) => {
      const { since, types, fields } = query;
      const { permission } = COMMON;
      return follow({
        caller,
        permission,
        since,
        types,
        toEvents: asStreamEvents(fields),
        request,
        reply,
      });
    },
  });
  return { operations: [page, stream], follow, close: streams.close };
}

/** Creates stream events. The data of each event is a change as the feed returns it. */
const asStreamEvents = (fields: readonly string[] | undefined): ToStreamEvents => {
  const shown = choosing<FeedChange>(fields);
  return async (changes) =>
    changes.map((change) => ({ event: "change", id: change.cursor, data: shown(change) }));
};

export const eventSchemas: Schemas = {
  FeedChange: FEED_CHANGE,
  ChangeFeedPage: objectSchema({
    changes: described(
      { type: "array", items: { $ref: "FeedChange#" } },
      "The changes, oldest first.",
    ),
    next: string("The cursor to continue from. Always present."),
    has_more: boolean("Whether there are already more changes."),
  }),
};
