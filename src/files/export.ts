/**
 * A file on its way out: the records of one moment, read through a cursor in constant memory
 * (D10.6). A file that does not come to its end never looks as if it had.
 */

import { Readable } from "node:stream";
import type { Sql } from "sql-template-tag";
import { becomeBulk } from "../platform/admission/index.ts";
import {
  BESIDES_MAX,
  isUnavailable,
  run,
  transactionBesides,
  type Db,
  type Holding,
  type Tx,
} from "../platform/db.ts";
import { asTooSlow } from "../platform/http.ts";
import type { RecordType } from "../records/index.ts";
import type { Format } from "./rows.ts";
import { writeRecords } from "./write.ts";

/** Records that are fetched at once. */
const BATCH = 250;
/** A reader that takes nothing for so long is cut (D5.2): it holds back the database's cleaning. */
const STALL_ms = 60_000;
/** Exports of this process that run at once; each holds a connection. Others wait for their turn. */
const RUNNING_MAX = BESIDES_MAX;

let running = 0;
const waiting: (() => void)[] = [];

async function takeTurn(): Promise<() => void> {
  if (running >= RUNNING_MAX) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  return () => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };
}

/** A transaction that stays open until it is told, and what became of its connection. */
interface Moment {
  readonly tx: Tx;
  /** Gives a statement of it a slot. */
  readonly holding: Holding;
  readonly end: () => Promise<void>;
}

async function openMoment(db: Db): Promise<Moment> {
  const opened = Promise.withResolvers<Pick<Moment, "tx" | "holding">>();
  const ended = Promise.withResolvers<void>();
  let lost: Error | undefined;
  const whole = transactionBesides(
    db,
    async (tx, holding) => {
      opened.resolve({ tx, holding });
      await ended.promise;
    },
    "isolation level repeatable read read only",
  ).catch((error: unknown) => {
    lost = error as Error;
    opened.reject(lost);
  });
  return {
    ...(await opened.promise),
    end: () => {
      if (lost === undefined) ended.resolve();
      return whole;
    },
  };
}

/** Batches of the bodies that a query selects, all of one moment. The transaction ends with them. */
async function* readBodies(db: Db, query: Sql): AsyncGenerator<readonly string[]> {
  const giveTurn = await takeTurn();
  try {
    const { tx, holding, end } = await openMoment(db);
    let isLost = false;
    try {
      const { text, values } = query;
      const declared = `declare exported no scroll cursor for ${text}`;
      await holding(async () => run(tx, { text: declared, values }));
      for (;;) {
        const rows = await holding(async () => tx.unsafe(`fetch ${BATCH} from exported`).raw());
        if (rows.length > 0) yield rows.map((row) => String(row[0]));
        if (rows.length < BATCH) return;
      }
    } catch (error) {
      isLost = isUnavailable(error);
      throw error;
    } finally {
      if (!isLost) await end();
    }
  } finally {
    giveTurn();
  }
}

/**
 * The file as a stream of text. Its first batch is read before this settles, so that a query that
 * is too slow is still a clean 422; a later failure destroys the stream.
 */
export async function openExport(
  db: Db,
  type: RecordType,
  format: Format,
  query: Sql,
  stall_ms: number = STALL_ms,
): Promise<Readable> {
  becomeBulk();
  const bodies = readBodies(db, query);
  const first = await bodies.next().catch((error: unknown) => {
    throw asTooSlow(error);
  });
  async function* all(): AsyncGenerator<readonly string[]> {
    try {
      if (first.done === true) return;
      yield first.value;
      yield* bodies;
    } finally {
      // Where nobody came as far as the loop above, the transaction is still to be ended.
      await bodies.return(undefined);
    }
  }
  async function* patient(): AsyncGenerator<string> {
    const records = all();
    try {
      for await (const chunk of writeRecords(type, format, records)) {
        const stalled = setTimeout(
          () => stream.destroy(new Error("The reader took nothing for too long")),
          stall_ms,
        );
        try {
          yield chunk;
        } finally {
          clearTimeout(stalled);
        }
      }
    } finally {
      await records.return(undefined);
    }
  }
  const stream: Readable = Readable.from(patient(), { objectMode: false, highWaterMark: 1 << 18 });
  // A stream that is destroyed before it was read never starts its generator, nor ends it.
  stream.once("close", () => void bodies.return(undefined).catch(() => undefined));
  return stream;
}
