/**
 * Writes an export. All records come from a single snapshot and are read through a cursor in constant memory. An
 * incomplete file is never sent as if it were complete.
 */

import type { Readable } from "node:stream";
import sql, { raw } from "sql-template-tag";
import { becomeBulk } from "../../platform/admission/index.ts";
import {
  type Db,
  type Holding,
  run,
  runRaw,
  transactionInParallel,
  type Tx,
} from "../../platform/database/index.ts";
import { isUnavailable } from "../../platform/failed-statements/index.ts";
import {
  asTooSlow,
  BATCH_FIRST,
  type ExportPlan,
  KEPT_BYTES,
  nextSize,
} from "../../records/list/index.ts";
import type { RecordType } from "../../records/types/index.ts";
import { type Format, writeRecords } from "../read/index.ts";
import { sendBytes } from "./send-bytes.ts";
import type { Spool } from "../spool/index.ts";
import { asError } from "../../platform/errors/index.ts";

/** Readers that consume no data for this long are disconnected. */
const STALL_ms = 60_000;
/** Exports are aborted after this time, because the database retains old row versions for their snapshots. */
const MOMENT_MAX_ms = 60 * 60 * 1000;

const TOO_LONG = "The export took too long to read the database";

/** A transaction that stays open until `end` is called. `end` resolves or rejects with the transaction's outcome. */
interface Moment {
  readonly tx: Tx;
  /** Runs a statement of the transaction while holding a database slot. */
  readonly holding: Holding;
  readonly end: () => Promise<void>;
}

async function openMoment(db: Db): Promise<Moment> {
  const opened = Promise.withResolvers<Pick<Moment, "tx" | "holding">>();
  const ended = Promise.withResolvers<void>();
  let lost: Error | undefined;
  const whole = transactionInParallel(
    db,
    async (tx, holding) => {
      opened.resolve({ tx, holding });
      await ended.promise;
    },
    "isolation level repeatable read read only",
  ).catch((error: unknown) => {
    lost = asError(error);
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

/** The records to export, and how to send them. */
export interface Export {
  readonly db: Db;
  readonly type: RecordType;
  readonly format: Format;
  /** Whether to write CSV for a spreadsheet program. */
  readonly spreadsheet?: boolean | undefined;
  readonly plan: ExportPlan;
  readonly stall_ms?: number | undefined;
  /** Stores the rest of the file if the reader is slow. If omitted, the database waits for the reader. */
  readonly spool?: Spool | undefined;
  /** Waits for the export's turn before the database is read, and returns the function that ends the turn. */
  readonly takeTurn?: (() => Promise<() => void>) | undefined;
  readonly momentMax_ms?: number | undefined;
}

interface Batch {
  readonly bodies: readonly Buffer[];
  /** How many records to fetch next. Undefined if this is the last batch. */
  readonly next: number | undefined;
}

/** Fetches records. If they are large, keeps the first ones, and moves the cursor back to fetch the others again. */
async function fetchBatch({ tx, holding }: Moment, size: number): Promise<Batch> {
  const bodies: Buffer[] = [];
  let count = 0;
  let bytes = 0;
  await holding(async () =>
    runRaw(tx, sql`fetch ${raw(String(size))} from exported`, {
      prepare: false,
      onRow: (row) => {
        const body = row.column(0) as Buffer;
        count += 1;
        bytes += body.length;
        if (bytes <= KEPT_BYTES || count === 1) bodies.push(body);
      },
    }),
  );
  const dropped = count - bodies.length;
  const isEnd = count < size;
  if (dropped === 0) return { bodies, next: isEnd ? undefined : nextSize(count, bytes) };
  // At the end of the records, the cursor is after the last one.
  const back = isEnd ? dropped + 1 : dropped;
  const move = sql`move backward ${raw(String(back))} from exported`;
  await holding(async () => run(tx, move, { prepare: false }));
  return { bodies, next: nextSize(count, bytes) };
}

/**
 * Yields batches of record bodies that the query selects, all from one snapshot. The transaction ends with the
 * generator.
 */
async function* readBodies(given: Export): AsyncGenerator<readonly Buffer[]> {
  const { db, plan, takeTurn } = given;
  const giveTurn = await takeTurn?.();
  try {
    const moment = await openMoment(db);
    const { tx, holding, end } = moment;
    let isLost = false;
    try {
      const { text, values } = plan.query;
      const declared = `declare exported scroll cursor for ${text}`;
      await holding(async () => run(tx, { text: declared, values }));
      let next: ReturnType<typeof fetchBatch> | undefined = fetchBatch(moment, BATCH_FIRST);
      while (next !== undefined) {
        const batch: Batch = await next;
        // Fetch the next batch while this one is written.
        next = batch.next === undefined ? undefined : fetchBatch(moment, batch.next);
        // If the fetch fails, the error is thrown when the batch is awaited. A batch is never awaited if the reader
        // disconnects, so prevent an unhandled rejection.
        next?.catch(() => undefined);
        if (batch.bodies.length > 0) yield batch.bodies;
      }
    } catch (error) {
      isLost = isUnavailable(error);
      throw error;
    } finally {
      // After a failed statement, the transaction is still open, so always end it.
      const ending = end();
      if (!isLost) await ending;
    }
  } finally {
    giveTurn?.();
  }
}

/**
 * Returns the file as a stream. The first batch is read before this resolves, so that a query that is too slow can
 * still fail with 422. A later failure destroys the stream.
 */
export async function openExport(given: Export): Promise<Readable> {
  const { type, plan, spool, stall_ms = STALL_ms, momentMax_ms = MOMENT_MAX_ms } = given;
  becomeBulk();
  const bodies = readBodies(given);
  const first = await bodies.next().catch((error: unknown) => {
    throw asTooSlow(error);
  });
  async function* all(): AsyncGenerator<readonly Buffer[]> {
    if (first.done !== true) {
      yield first.value;
      yield* bodies;
    }
    // The rest of the file may be sent slowly.
    clearTimeout(limit);
  }
  const limit = setTimeout(() => stream.destroy(new Error(TOO_LONG)), momentMax_ms);
  const stream = sendBytes(writeRecords(type, { ...given, ...plan }, all()), { spool, stall_ms });
  // Do not leave this to `finally` in `all`: if the client has disconnected by now, that generator never starts.
  stream.once("close", () => {
    clearTimeout(limit);
    bodies.return(undefined).catch(() => undefined);
  });
  return stream;
}
