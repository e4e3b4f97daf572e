/**
 * Opens an import file, computes its mapping, and reads its rows. Problems with the mapping are thrown before the first
 * row is returned.
 */

import { Turns } from "../../platform/admission/index.ts";
import type { RecordType } from "../../records/types/index.ts";
import {
  type ColumnTargets,
  compileMapping,
  decideColumns,
  decidedMapping,
  type DecideOptions,
  type FileSample,
  groupDecisions,
  type Mapping,
  type MappingOptions,
  type MappingReport,
  matchColumns,
  type OpenSample,
  openSample,
  readableOf,
  type Rows,
  spreadsheetNotices,
} from "../columns/index.ts";
import type { Decision } from "../formats/index.ts";
import { Rereadable } from "../spool/index.ts";
import {
  COLUMNS_MAX,
  isUnreadable,
  NAMES_MAX_bytes,
  type OpenFile,
  type OpenOptions,
  type Row,
  type UnreadableRow,
} from "../read/index.ts";
import { readRow, type RefusedRow, type RowInput } from "../rows/index.ts";

export interface Intake {
  /** The file as read so far. Its encoding may be guessed only when the first non-ASCII text has been read. */
  readonly file: Omit<OpenFile, "rows">;
  /** Returns what happened to the columns. For NDJSON, the report is extended as later rows add members. */
  readonly report: () => MappingReport;
  /** Returns the current mapping. */
  readonly mapping: () => Pick<Mapping, "strict" | "mode" | "keyIsOwnId" | "createAccounts">;
  /** All rows of the file in order. Can be iterated only once. */
  readonly rows: AsyncIterable<RowInput | RefusedRow>;
}

export interface IntakeOptions extends DecideOptions {
  readonly file?: OpenOptions;
  readonly mapping?: MappingOptions;
  /** The tenant's currency. Amounts in other currencies are imported with a warning. */
  readonly currency?: string | undefined;
  /** When the import started, in epoch seconds. If omitted, no date counts as being in the future. */
  readonly now_s?: number | undefined;
  /** The decisions about columns that were made before the import was interrupted. */
  readonly decisions?: readonly Decision[] | undefined;
}

/**
 * Opens a file for import. If it is longer than a sample and has columns of numbers or dates, or may have them in later
 * rows, reads it twice. Throws FileError for problems with the file and MappingError for problems with the options.
 */
export async function openIntake(
  type: RecordType,
  given: AsyncIterable<Uint8Array> | Rereadable,
  options: IntakeOptions = {},
): Promise<Intake> {
  const { file: open = {}, mapping = {}, decisions, currency, now_s } = options;
  const bytes = given instanceof Rereadable ? given : new Rereadable(given, {});
  const first = await openSample(bytes.first(), open);
  const stored = decisions && groupDecisions(decisions);
  const notices = spreadsheetNotices(first, open);
  const sample = sampleOf(first, { decisions: stored, currency, now_s, notices });
  const targets = matchColumns(type, sample, mapping);
  const { needs, ownExport } = targets.mapping;
  // Later rows of an NDJSON file may add members that contain numbers or dates.
  const isComplete = first.isWhole || first.file.format === "csv" || ownExport;
  if (decisions !== undefined || (needs.size === 0 && isComplete)) {
    bytes.readOnce();
    return intakeOf(first, new RowReader(targets, sample));
  }
  const decided = await decideColumns(first, needs, bytes, options);
  const reader = new RowReader(targets, { ...sample, ...decided });
  if (first.isWhole) return intakeOf(first, reader);
  // If the first pass ended early, it did not read all bytes, so the encoding is not certain.
  const seen = bytes.isFull ? undefined : (first.guessed() ?? first.file.encoding);
  const second = await openSample(bytes.again(), { ...open, encoding: open.encoding ?? seen });
  const guessed = seen === undefined ? second.guessed : first.guessed;
  return intakeOf({ ...second, guessed }, reader);
}

const guessNotice = (encoding: string) =>
  `The encoding ${encoding} is a guess; check names with accents and, if they are wrong, set the option encoding`;

const sampleOf = (
  { file, headings, rows }: OpenSample,
  decided: Pick<FileSample, "decisions" | "notices" | "currency" | "now_s">,
): FileSample => ({ format: file.format, headings, rows: readableOf(rows), ...decided });

function intakeOf({ file, guessed, rows, source }: OpenSample, reader: RowReader): Intake {
  const report = (): MappingReport => {
    const { report } = reader.mapping;
    const encoding = guessed();
    if (encoding === undefined) return report;
    return { ...report, notices: [guessNotice(encoding), ...report.notices] };
  };
  return {
    get file() {
      return { ...file, encoding: guessed() ?? file.encoding };
    },
    report,
    mapping: () => reader.mapping,
    rows: readAll(reader, rows, source),
  };
}

async function* readAll(
  reader: RowReader,
  sample: Rows,
  source: AsyncIterator<Rows>,
): AsyncGenerator<RowInput | RefusedRow> {
  const turns = new Turns();
  try {
    for (let rows = sample; ;) {
      for (const row of rows) {
        if (turns.isDue()) await turns.take();
        yield reader.read(row);
      }
      const { done, value } = await source.next();
      if (done === true) return;
      rows = value;
    }
  } finally {
    await source.return?.();
  }
}

class RowReader {
  mapping: Mapping;
  readonly #sample: FileSample;
  readonly #options: MappingOptions;
  readonly #headings: Set<string>;
  #names_bytes: number;

  constructor(targets: ColumnTargets, sample: FileSample) {
    this.#sample = sample;
    this.#options = targets.options;
    this.#headings = new Set(sample.headings);
    this.#names_bytes = sizeOf(sample.headings);
    this.mapping = decidedMapping(targets, {
      ...sample,
      decisions: sample.decisions ?? new Map(),
    });
  }

  read(row: Row | UnreadableRow): RowInput | RefusedRow {
    if (isUnreadable(row)) return row;
    const excess = this.#sample.format === "ndjson" ? this.#learn(row) : undefined;
    if (excess !== undefined) return { line: row.line, raw: row.raw, reason: excess };
    return readRow(row, this.mapping);
  }

  /** Adds the row's member names that earlier rows do not have. Returns an error message if they exceed a limit. */
  #learn({ cells }: Row): string | undefined {
    const fresh = [...cells.keys()].filter((name) => !this.#headings.has(name));
    if (fresh.length === 0) return undefined;
    const size = this.#names_bytes + sizeOf(fresh);
    if (this.#headings.size + fresh.length > COLUMNS_MAX) {
      return `with this row, the file has more than ${COLUMNS_MAX} member names`;
    }
    if (size > NAMES_MAX_bytes) {
      return `with this row, the member names of the file have more than ${NAMES_MAX_bytes / 1024} KiB`;
    }
    this.#names_bytes = size;
    for (const name of fresh) this.#headings.add(name);
    const headings = [...this.#headings];
    this.mapping = compileMapping(this.mapping.type, { ...this.#sample, headings }, this.#options);
    return undefined;
  }
}

const sizeOf = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + Buffer.byteLength(name), 0);

/**
 * Maximum number of characters in a batch. If rows are long, a batch has fewer of them, because parsed rows take
 * several times as much memory as their text.
 */
const BATCH_CHARACTERS = 1024 * 1024;

/** Yields batches of up to `size` rows, in order. */
export async function* inBatches<T>(
  rows: AsyncIterable<T>,
  size: number,
  lengthOf: (row: T) => number = () => 0,
): AsyncGenerator<T[]> {
  let batch: T[] = [];
  let length = 0;
  for await (const row of rows) {
    batch.push(row);
    length += lengthOf(row);
    if (batch.length === size || length > BATCH_CHARACTERS) {
      yield batch;
      batch = [];
      length = 0;
    }
  }
  if (batch.length > 0) yield batch;
}
