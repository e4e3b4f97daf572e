/**
 * Runs an import. Takes its lease, opens the file, and writes its rows in chunks, starting where an interrupted run
 * stopped. An interrupted import continues when the same file is sent again.
 */

import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Scope } from "../../audit/index.ts";
import { epochSeconds, type Clock } from "../../platform/clock/index.ts";
import type { Db } from "../../platform/database/index.ts";
import { AppError, asError } from "../../platform/errors/index.ts";
import { typeOf } from "../../records/types/index.ts";
import { writeCheck } from "../../records/keys/index.ts";
import type { WriteDeps, Writer } from "../../records/store/index.ts";
import {
  endImport,
  LeaseLost,
  LEASE_ms,
  releaseLease,
  readImport,
  saveImport,
  takeLease,
  type LeasedImport,
  type ImportRow,
} from "./imports.ts";
import { type Ask, MappingError, modeOf } from "../columns/index.ts";
import { Rereadable, type SecondReading } from "../spool/index.ts";
import { inBatches, openIntake, type Intake } from "./intake.ts";
import { Interrupted } from "./interrupted.ts";
import { FileError } from "../read/index.ts";
import { Tally } from "./tally.ts";
import { writeRows, type Reached } from "./write-chunk.ts";

/** Rows per chunk. In measurements with leads, 500 were slightly slower and 2,000 were no faster. */
const CHUNK = 1000;
/** The number of bytes at the start of a file that identify it. */
const HEAD_BYTES = 64 * 1024;

export interface RunOptions {
  /** `onOpen` is called once the file is open, and `onChunk` after each chunk. */
  readonly onOpen?: (row: ImportRow, intake: Intake) => void;
  readonly onChunk?: (reached: Reached, read_bytes: number) => void;
  /** The tenant's currency. */
  readonly currency?: string;
  /** Asks the user how to read an ambiguous column. */
  readonly ask?: Ask;
  /** When aborted, ends the run after the current chunk. */
  readonly signal?: AbortSignal;
}

/** An import's file, and how to make a second pass over it. */
export interface Given extends SecondReading {
  readonly id: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** The writer for the imported records. The import determines the record type. */
export type Importer = Omit<Writer<Db>, "type">;

/**
 * Runs an import to the end of its file and returns the result. Throws 404 if there is no such import, and 409 if it is
 * not open or the file is not the one it started with. Throws FileError or MappingError for problems with the file or
 * the options. The import is then marked as failed. Any other error interrupts the import.
 */
export async function runImport(
  importer: Importer,
  given: Given,
  options: RunOptions = {},
): Promise<ImportRow> {
  const { scope, deps } = importer;
  const row = await takeLease(scope, deps, given.id);
  const held = { id: row.id, lease: row.lease };
  const stopRenewing = keepRenewing(scope, deps, held);
  try {
    await writeFile(importer, { row, given, options });
  } catch (error) {
    await settleFailure(scope, deps, held, asError(error));
    throw error;
  } finally {
    stopRenewing();
  }
  return readImport(scope, row.id);
}

interface TakenImport {
  readonly row: ImportRow & { readonly lease: string };
  readonly given: Given;
  readonly options: RunOptions;
}

async function writeFile(importer: Importer, { row, given, options }: TakenImport): Promise<void> {
  const source = await readHead(given.bytes);
  if (row.last_line > 0 && row.fingerprint !== source.fingerprint) {
    const detail = "This is not the file that the import started with; send the same file again";
    throw new AppError("conflict", { detail, members: { status: "interrupted" } });
  }
  const bytes = new Rereadable(untilAborted(source.whole, options.signal), given);
  try {
    await writeRowsOf(importer, { row, bytes, fingerprint: source.fingerprint, options });
  } finally {
    await bytes.close();
  }
}

/**
 * Yields the bytes of a file. If the run has been aborted, throws Interrupted instead of ending: Ctrl-C also ends the
 * program that writes to standard input, and the last row of the file is then incomplete.
 */
async function* untilAborted(
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  yield* bytes;
  // Receive signals that arrived at the same time as the end of the file.
  await nextTurn();
  refuseAborted(signal);
}

function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new Interrupted("The import was interrupted");
}

interface Opened {
  readonly row: TakenImport["row"];
  readonly bytes: Rereadable;
  readonly fingerprint: string;
  readonly options: RunOptions;
}

async function writeRowsOf(
  importer: Importer,
  { row, bytes, fingerprint, options: { onOpen, onChunk, currency, ask, signal } }: Opened,
): Promise<void> {
  const { scope, deps } = importer;
  const type = typeOf(scope, row.record_type);
  const held = { id: row.id, lease: row.lease };
  const { file_name, options: asked } = row;
  const file = { ...asked, ...(file_name !== null && { name: file_name }) };
  const proceed = () => refuseAborted(signal);
  // Decisions made before an interruption also apply to the remaining rows.
  const decisions = row.last_line > 0 ? (row.mapping?.decisions ?? []) : undefined;
  const intake = await openIntake(type, bytes, {
    file,
    mapping: asked,
    decisions,
    currency,
    now_s: epochSeconds(deps.clock),
    ask,
    proceed,
  });
  await saveImport(scope, deps, held, {
    fingerprint,
    file: intake.file,
    mapping: intake.report(),
  });
  onOpen?.(row, intake);
  const check = writeCheck(type, modeOf(asked), deps.clock);
  const writer = { ...importer, type };
  const run = { writer, held, dry_run: row.dry_run, intake, check };
  const { notices } = intake.report();
  let reached = reachedBy(row);
  for await (const rows of readAhead(inBatches(intake.rows, CHUNK, lengthOf))) {
    const open = rows.filter(({ line }) => line > row.last_line);
    if (open.length > 0) reached = await writeRows(run, open, reached);
    onChunk?.(reached, bytes.read_bytes());
    proceed();
  }
  const mapping = intake.report();
  if (mapping.notices.length > notices.length) {
    await saveImport(scope, deps, held, { file: intake.file, mapping });
  }
  await endImport(scope, deps, held, {
    state: "finished",
    error: null,
    logged: { ...reached.counts, dry_run: row.dry_run },
  });
}

const lengthOf = ({ raw }: { readonly raw: string }): number => raw.length;

const reachedBy = ({ last_line, tally, ...row }: ImportRow): Reached => ({
  last_line,
  counts: {
    rows: row.rows,
    created: row.created,
    updated: row.updated,
    unchanged: row.unchanged,
    refused: row.refused,
  },
  tally: Tally.of(tally),
});

async function settleFailure(
  scope: Scope<Db>,
  deps: WriteDeps,
  held: LeasedImport,
  error: Error,
): Promise<void> {
  if (error instanceof LeaseLost) return;
  if (error instanceof FileError || error instanceof MappingError) {
    await endImport(scope, deps, held, { state: "failed", error: error.message, logged: {} });
    return;
  }
  // If the database itself has failed, the lease cannot be released, so it expires instead.
  const isExpected = error instanceof AppError || error instanceof Interrupted;
  const sentence = isExpected
    ? error.message
    : "The import was interrupted; send the same file again";
  await releaseLease(scope, held, sentence).catch(() => undefined);
}

/**
 * Renews the lease regularly, so that it does not expire even if the file arrives slowly. Returns the function that
 * stops this.
 */
function keepRenewing(
  scope: Scope<Db>,
  deps: { readonly clock: Clock },
  held: LeasedImport,
): () => void {
  const timer = setInterval(() => {
    // Ignore errors here. If the lease is lost, the next chunk detects it.
    saveImport(scope, deps, held, {}).catch(() => undefined);
  }, LEASE_ms / 3);
  timer.unref();
  return () => clearInterval(timer);
}

/** Returns a fingerprint of the start of a file, and a stream of all its bytes. */
export async function readHead(bytes: AsyncIterable<Uint8Array>) {
  const source = bytes[Symbol.asyncIterator]();
  const head: Uint8Array[] = [];
  let size = 0;
  while (size < HEAD_BYTES) {
    const { done, value } = await source.next();
    if (done === true) break;
    head.push(value);
    size += value.length;
  }
  const beginning = Buffer.concat(head).subarray(0, HEAD_BYTES);
  async function* whole(): AsyncGenerator<Uint8Array> {
    try {
      yield* head.splice(0);
      for (;;) {
        const { done, value } = await source.next();
        if (done === true) return;
        yield value;
      }
    } finally {
      await source.return?.();
    }
  }
  return {
    fingerprint: createHash("sha256").update(beginning).digest("hex"),
    whole: whole(),
  };
}

/** Requests the next element while the current one is processed, so that the file is read while rows are written. */
async function* readAhead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = source.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done === true) return;
      next = source.next();
      // If reading fails, the error is thrown when the element is awaited. Until then, prevent an unhandled rejection.
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    // Not awaited, because closing the source could wait for bytes that never arrive.
    source.return(undefined).catch(() => undefined);
  }
}
