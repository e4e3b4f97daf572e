/**
 * Changes as Server-Sent Events: the feed, or what others derive from it. One query of the horizon serves all
 * streams of the process; each then reads for itself, as fast as its reader takes it, and checks each second
 * whether its credential is still valid.
 */

import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { Caller } from "../access/index.ts";
import { keepingParty } from "../platform/admission/index.ts";
import { type Horizon, isUnavailable, type Settled } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";
import { createReadingTurns, cutWhenStalled, type InTurn, Places } from "../platform/http/index.ts";
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
  /** After how long a reader who takes nothing is cut. */
  readonly stall_ms?: number | undefined;
  /** After how long something is sent to a reader for whom there is nothing. */
  readonly heartbeat_ms?: number | undefined;
}

/** One stream that is to be opened: who reads, from where, which types were asked for, and as what. */
export interface Opening {
  readonly caller: Caller;
  readonly reading: Reading<KnownPlace>;
  readonly types: string | undefined;
  /** What the reader needs, as long as it reads. */
  readonly permission: string;
  readonly tell: ToStreamEvents;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** One event of a stream; its id is the cursor behind it. */
export interface StreamEvent {
  readonly event: string;
  readonly id: string;
  readonly data: unknown;
}

/** What a reader is told of changes, in their order; some may be nothing to it. */
export type ToStreamEvents = (changes: readonly FeedChange[]) => Promise<readonly StreamEvent[]>;

export interface Streams {
  /**
   * Takes a place until the response has ended, before anything is read for it. Throws 429 if the
   * credential, its tenant or this process has as many streams as it may.
   */
  readonly takePlace: (opening: Pick<Opening, "caller" | "reply">) => void;
  readonly open: (opening: Opening) => Readable;
  /** Ends all of them, within a tick. */
  readonly close: () => void;
}

const TICK_ms = 200;
const HEARTBEAT_ms = 15_000;
const STALL_ms = 60_000;
const CHECK_ms = 1000;
/** Of one read; a stream that is behind reads on at once. */
const READ_MAX = 200;
const BUFFER_BYTES = 64 * 1024;
const PLACES = { credential: 5, tenant: 50, process: 100 };

export function createStreams(deps: StreamDeps): Streams {
  const { stall_ms = STALL_ms } = deps;
  const tick = createTick(deps.horizon, deps.log);
  const places = new Places("streams", PLACES);
  const inTurn = createReadingTurns();
  let isClosing = false;

  return {
    takePlace: ({ caller, reply }) => places.takeFor(caller, reply),
    open: (opening) => {
      const { reply } = opening;
      reply.type("text/event-stream").header("cache-control", "no-store");
      // Proxies that collect answers would hold the events back.
      reply.header("x-accel-buffering", "no");
      cutWhenStalled(reply, stall_ms);
      // Who ends a generator waits for its next word, and there may be none for long.
      const isOver = (): boolean => isClosing || reply.raw.destroyed;
      const events = keepingParty(eventsOf(deps, opening, { tick, inTurn, isOver }));
      return Readable.from(events, { objectMode: false, highWaterMark: BUFFER_BYTES });
    },
    close: () => {
      isClosing = true;
    },
  };
}

/** Waits a tick, then for what is settled; undefined where the database cannot be asked. */
type Tick = () => Promise<Settled | undefined>;

/** Readers that wait at the same time wait for the same tick; without any, nothing runs. */
function createTick(horizon: Horizon, log: Logger): Tick {
  let coming: Promise<Settled | undefined> | undefined;
  const wait = async (): Promise<Settled | undefined> => {
    await delay(TICK_ms);
    try {
      return await horizon.settled({ maxAge_ms: TICK_ms });
    } catch (error) {
      log.warn({ err: error }, "Streams of changes wait for the database");
      return undefined;
    }
  };
  return () => (coming ??= wait().finally(() => (coming = undefined)));
}

/** What the streams of a process share, and when one of them is over. */
interface Running {
  readonly tick: Tick;
  readonly inTurn: InTurn;
  readonly isOver: () => boolean;
}

/** What a stream sends, until its reader leaves, its credential ends or the process stops. */
async function* eventsOf(
  deps: StreamDeps,
  { caller, reading, types, permission, tell, request }: Opening,
  { tick, inTurn, isOver }: Running,
): AsyncGenerator<string> {
  const { heartbeat_ms = HEARTBEAT_ms } = deps;
  const cursor = (): string => deps.cursors.write(caller.tenant.id, now.place);
  const readText = async (from: Reading<KnownPlace>) => {
    const { changes, ...rest } = await readNext(deps, caller, from, READ_MAX);
    const events = changes.length === 0 ? [] : await tell(changes);
    return { ...rest, text: events.map(printed).join("") };
  };
  let now = reading;
  let [sent_ms, checked_ms] = [performance.now(), performance.now()];
  yield `retry: 1000\n${cursorEvent(cursor())}`;
  while (!isOver()) {
    let isBehind = false;
    try {
      if (performance.now() - checked_ms >= CHECK_ms) {
        now = { ...now, types: typesOf(await deps.admit(request, permission), types) };
        checked_ms = performance.now();
      }
      const { text, place, has_more } = isAtEnd(now)
        ? { ...noChanges(now), text: "" }
        : await inTurn(caller.tenant.id, () => readText(now));
      // Not before: what could not be sent is read again.
      now = { ...now, place };
      isBehind = has_more;
      if (text !== "") {
        yield text;
        sent_ms = performance.now();
      }
    } catch (error) {
      // The credential has ended or lost a right, or the database was restored; a new request is
      // told which.
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

/** Moves the reader's Last-Event-ID where there is nothing to tell, so that it does not grow old. */
const cursorEvent = (cursor: string): string => `id: ${cursor}\nevent: cursor\ndata:\n\n`;
