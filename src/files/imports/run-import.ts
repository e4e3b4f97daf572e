/**
 * Runs an import: takes its lease, opens the file, and writes it chunk by chunk from where it ended
 * the last time. If it is interrupted, it continues when the same file is sent again.
 */

import { createHash } from "node:crypto";
import type { Scope } from "../../audit/index.ts";
import { epochSeconds, type Clock } from "../../platform/clock/index.ts";
import type { Db } from "../../platform/database/index.ts";
import { AppError } from "../../platform/errors/index.ts";
import { RECORD_TYPES, writeCheck, type WriteDeps, type Writer } from "../../records/index.ts";
import {
  endImport,
  LeaseLost,
  LEASE_ms,
  letGo,
  readImport,
  saveImport,
  takeLease,
  type Held,
  type ImportRow,
} from "./imports.ts";
import {
  type Ask,
  MappingError,
  modeOf,
  Rereadable,
  type SecondReading,
} from "../columns/index.ts";
import { inBatches, openIntake, type Intake } from "./intake.ts";
import { Interrupted } from "./interrupted.ts";
import { FileError } from "../read/index.ts";
import { Tally } from "./tally.ts";
import { writeRows, type Reached } from "./write-chunk.ts";

/** Rows of a chunk: measured on leads, 500 take a little longer, and 2,000 are no faster. */
const CHUNK = 1000;
/** The beginning by which a file is known again. */
const HEAD_BYTES = 64 * 1024;

export interface RunOptions {
  /** Told when the file is open, and after each chunk. */
  readonly onOpen?: (row: ImportRow, intake: Intake) => void;
  readonly onChunk?: (reached: Reached, read_bytes: number) => void;
  /** The tenant's currency. */
  readonly currency?: string;
  /** Asks how a column is written that can be read in two ways. */
  readonly ask?: Ask;
  /** Ends the run after the chunk that is being written. */
  readonly signal?: AbortSignal;
}

/** The file of an import, and how it can be read twice. */
export interface Given extends SecondReading {
  readonly id: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Who imports: a writer of a type that the import names. */
export type Importer = Omit<Writer<Db>, "type">;

/**
 * Runs an import to the end of its file; what it came to. Throws 404; 409 if it is not open, or the file
 * is not the one that it started with; FileError and MappingError if file or options are wrong: the import
 * has then failed. On any other failure it is interrupted.
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
    await settleFailure(scope, deps, held, error as Error);
    throw error;
  } finally {
    stopRenewing();
  }
  return readImport(scope, row.id);
}

interface Taken {
  readonly row: ImportRow & { readonly lease: string };
  readonly given: Given;
  readonly options: RunOptions;
}

async function writeFile(importer: Importer, { row, given, options }: Taken): Promise<void> {
  const source = await readHead(given.bytes);
  if (row.last_line > 0 && row.fingerprint !== source.fingerprint) {
    const detail = "This is not the file that the import began with";
    throw new AppError("conflict", { detail, members: { status: "interrupted" } });
  }
  const bytes = new Rereadable(source.whole, given);
  try {
    await writeRowsOf(importer, { row, bytes, fingerprint: source.fingerprint, options });
  } finally {
    await bytes.close();
  }
}

interface Opened {
  readonly row: Taken["row"];
  readonly bytes: Rereadable;
  readonly fingerprint: string;
  readonly options: RunOptions;
}

async function writeRowsOf(
  importer: Importer,
  { row, bytes, fingerprint, options: { onOpen, onChunk, currency, ask, signal } }: Opened,
): Promise<void> {
  const { scope, deps } = importer;
  const type = RECORD_TYPES[row.record_type];
  const held = { id: row.id, lease: row.lease };
  const { file_name, options: asked } = row;
  const file = { ...asked, ...(file_name !== null && { name: file_name }) };
  const proceed = () => {
    if (signal?.aborted === true) throw new Interrupted("The import was interrupted");
  };
  // What was decided for the first rows holds for the others.
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
  for await (const rows of oneAhead(inBatches(intake.rows, CHUNK, lengthOf))) {
    const open = rows.filter(({ line }) => line > row.last_line);
    if (open.length > 0) reached = await writeRows(run, open, reached);
    onChunk?.(reached, bytes.read_bytes());
    proceed();
  }
  const mapping = intake.report();
  if (mapping.notices.length > notices.length) await saveImport(scope, deps, held, { mapping });
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
  held: Held,
  error: Error,
): Promise<void> {
  if (error instanceof LeaseLost) return;
  if (error instanceof FileError || error instanceof MappingError) {
    await endImport(scope, deps, held, { state: "failed", error: error.message, logged: {} });
    return;
  }
  // The database may be what failed: then the lease runs out by itself.
  const isExpected = error instanceof AppError || error instanceof Interrupted;
  const sentence = isExpected
    ? error.message
    : "The import was broken off; send the same file again";
  await letGo(scope, held, sentence).catch(() => undefined);
}

/** Renews the lease while the file is read, however slowly it comes. */
function keepRenewing(scope: Scope<Db>, deps: { readonly clock: Clock }, held: Held): () => void {
  const timer = setInterval(() => {
    // The next chunk finds that the lease is lost.
    saveImport(scope, deps, held, {}).catch(() => undefined);
  }, LEASE_ms / 3);
  timer.unref();
  return () => clearInterval(timer);
}

/** A file's bytes with the fingerprint of their beginning. */
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

/** Asks for the next element while the one before is used: the file is read while rows are written. */
async function* oneAhead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = source.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done === true) return;
      next = source.next();
      // Its failure is thrown when its turn comes.
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    await source.return(undefined);
  }
}
