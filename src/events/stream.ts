/**
 * Streams changes as Server-Sent Events: the feed, or events that other modules derive from the feed. One query for all
 * streams in the process determines which changes have settled. Each stream then reads separately, as fast as its
 * reader consumes data, and checks every second whether its credential is still valid.
 */

import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { Caller } from "../access/index.ts";
import { keepingParty } from "../platform/admission/index.ts";
import { isUnavailable } from "../platform/failed-statements/index.ts";
import type { Horizon, Settled } from "../audit/index.ts";
import { AppError } from "../platform/errors/index.ts";
import {
  createReadingTurns,
  closeWhenStalled,
  type InTurn,
  ConcurrencyLimit,
} from "../platform/http/index.ts";
import type { Admit } from "../platform/operations/index.ts";
import type { FeedChange } from "./feed.ts";
import type { KnownPlace } from "./feed-cursor.ts";
import {
  isAtEnd,
  readNext,
  noChanges,
  typesOf,
  type FeedDeps,
  type Reading,
} from "./feed-reader.ts";

export interface StreamDeps extends FeedDeps {
  readonly admit: Admit<Caller>;
  readonly log: Logger;
  /** A reader is disconnected if it consumes no data for this long. */
  readonly stall_ms?: number | undefined;
  /** If no data was sent for this long, a heartbeat is sent. */
  readonly heartbeat_ms?: number | undefined;
}

/** A stream to open: the reader, its starting point, the requested types, and how changes are sent. */
export interface Opening {
  readonly caller: Caller;
  readonly reading: Reading<KnownPlace>;
  readonly types: string | undefined;
  /** The permission that the reader must have for as long as the stream is open. */
  readonly permission: string;
  readonly toEvents: ToStreamEvents;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** An event in a stream. Its id is the cursor with which a reader can continue after it. */
export interface StreamEvent {
  readonly event: string;
  readonly id: string;
  readonly data: unknown;
}

/** Converts changes to events in the same order. A change may have no event. */
export type ToStreamEvents = (changes: readonly FeedChange[]) => Promise<readonly StreamEvent[]>;

export interface Streams {
  /**
   * Counts a stream toward the limits until its response has ended. Call this before reading anything for the stream.
   * Throws 429 if the credential, its tenant or this process has reached its limit.
   */
  readonly takePlace: (opening: Pick<Opening, "caller" | "reply">) => void;
  readonly open: (opening: Opening) => Readable;
  /** Ends all streams, on the next tick at the latest. */
  readonly close: () => void;
}

const TICK_ms = 200;
const HEARTBEAT_ms = 15_000;
const STALL_ms = 60_000;
const CHECK_ms = 1000;
/** Maximum number of changes per read. A stream that is behind reads again immediately. */
const READ_MAX = 200;
const BUFFER_BYTES = 64 * 1024;
const PLACES = { credential: 5, tenant: 50, process: 100 };

export function createStreams(deps: StreamDeps): Streams {
  const { stall_ms = STALL_ms } = deps;
  const tick = createTick(deps.horizon, deps.log);
  const running = new ConcurrencyLimit("streams", PLACES);
  const inTurn = createReadingTurns();
  let isClosing = false;

  return {
    takePlace: ({ caller, reply }) => running.enter(caller, reply),
    open: (opening) => {
      const { reply } = opening;
      reply.type("text/event-stream").header("cache-control", "no-store");
      // Without this header, proxies that buffer responses would delay the events.
      reply.header("x-accel-buffering", "no");
      closeWhenStalled(reply, stall_ms);
      // Calling `return()` on the generator would wait for its next value, possibly for a long time. Instead, the
      // generator checks whether the stream has ended.
      const hasEnded = (): boolean => isClosing || reply.raw.destroyed;
      const events = keepingParty(eventsOf(deps, opening, { tick, inTurn, hasEnded }));
      return Readable.from(events, { objectMode: false, highWaterMark: BUFFER_BYTES });
    },
    close: () => {
      isClosing = true;
    },
  };
}

/**
 * Waits for the next tick. Returns the position that has settled by then, or undefined if the database is unavailable.
 */
type Tick = () => Promise<Settled | undefined>;

/** All readers that are waiting share one tick. If there are no readers, no query runs. */
function createTick(horizon: Horizon, log: Logger): Tick {
  let coming: Promise<Settled | undefined> | undefined;
  const wait = async (): Promise<Settled | undefined> => {
    await delay(TICK_ms);
    try {
      return await horizon.settled({ maxAge_ms: TICK_ms });
    } catch (error) {
      log.warn({ err: error }, "Change streams are waiting for the database");
      return undefined;
    }
  };
  return () => (coming ??= wait().finally(() => (coming = undefined)));
}

/** The state that all streams in a process share, and a function that returns whether this stream has ended. */
interface Running {
  readonly tick: Tick;
  readonly inTurn: InTurn;
  readonly hasEnded: () => boolean;
}

/** Yields the text of a stream until its reader disconnects, its credential becomes invalid, or the process stops. */
async function* eventsOf(
  deps: StreamDeps,
  { caller, reading, types, permission, toEvents, request }: Opening,
  { tick, inTurn, hasEnded }: Running,
): AsyncGenerator<string> {
  const { heartbeat_ms = HEARTBEAT_ms } = deps;
  const cursor = (): string => deps.cursors.write(caller.tenant.id, now.place);
  const readText = async (from: Reading<KnownPlace>) => {
    const { changes, ...rest } = await readNext(deps, caller, from, READ_MAX);
    const events = changes.length === 0 ? [] : await toEvents(changes);
    return { ...rest, text: events.map(printed).join("") };
  };
  let now = reading;
  let sent_ms = performance.now();
  let checked_ms = performance.now();
  yield `retry: 1000\n${cursorEvent(cursor())}`;
  while (!hasEnded()) {
    let isBehind = false;
    try {
      if (performance.now() - checked_ms >= CHECK_ms) {
        now = { ...now, types: typesOf(await deps.admit(request, permission), types) };
        checked_ms = performance.now();
      }
      const { text, place, has_more } = isAtEnd(now)
        ? { ...noChanges(now), text: "" }
        : await inTurn(caller.tenant.id, () => readText(now));
      // Update the place only after a successful read, so that a failed read is repeated.
      now = { ...now, place };
      isBehind = has_more;
      if (text !== "") {
        yield text;
        sent_ms = performance.now();
      }
    } catch (error) {
      // The credential has expired or lost a permission, or the database was restored. The reader
      // gets the error in response to its next request.
      if (error instanceof AppError) return;
      if (!isUnavailable(error)) throw error;
    }
    if (performance.now() - sent_ms >= heartbeat_ms) {
      yield `: heartbeat\n\n${cursorEvent(cursor())}`;
      sent_ms = performance.now();
    }
    if (!isBehind) now = { ...now, settled: (await tick()) ?? now.settled };
  }
}

const printed = ({ id, event, data }: StreamEvent): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/**
 * Formats an event that only updates the reader's `Last-Event-ID`. It prevents the cursor from expiring while there are
 * no changes.
 */
const cursorEvent = (cursor: string): string => `id: ${cursor}\nevent: cursor\ndata:\n\n`;
