/**
 * A file on its way in: opened, mapped, and read row by row (D10). The beginning is looked at
 * before the first row is handed out, so that the mapping can be shown first and refused as a
 * whole.
 */

import { Turns } from "../platform/turns.ts";
import type { RecordType } from "../records/index.ts";
import { COLUMNS_MAX, NAMES_MAX_bytes } from "./limits.ts";
import { compileMapping, type FileSample, type Mapping, type MappingReport } from "./mapping.ts";
import type { MappingOptions } from "./mapping-options.ts";
import { readRow, type RefusedRow, type RowInput } from "./row-input.ts";
import {
  isUnreadable,
  openRows,
  type OpenFile,
  type OpenOptions,
  type Row,
  type UnreadableRow,
} from "./rows.ts";

export interface Intake {
  readonly file: Omit<OpenFile, "rows">;
  /** What became of the headings. In NDJSON it grows with the members that rows bring. */
  readonly report: () => MappingReport;
  /** What the options said, for settling references. */
  readonly strict: boolean;
  /** Whether accounts that rows name and that do not exist are created. */
  readonly createAccounts: boolean;
  /** Every row of the file, in its order; can be walked once. */
  readonly rows: AsyncIterable<RowInput | RefusedRow>;
}

export interface IntakeOptions {
  readonly file?: OpenOptions;
  readonly mapping?: MappingOptions;
}

const SAMPLE_ROWS = 500;
/** A sample ends earlier if its rows are long. */
const SAMPLE_CHARACTERS = 1024 * 1024;

/** Throws FileError where the file and MappingError where the options are wrong. */
export async function openIntake(
  type: RecordType,
  bytes: AsyncIterable<Uint8Array>,
  { file: open = {}, mapping: options = {} }: IntakeOptions = {},
): Promise<Intake> {
  const { rows, ...file } = await openRows(bytes, open);
  const source = rows[Symbol.asyncIterator]();
  const sample = await takeSample(source);
  const readable = sample.filter((row): row is Row => !isUnreadable(row));
  const headings = file.format === "csv" ? file.headings : namesIn(readable);
  const reader = new RowReader(type, { ...file, headings, rows: readable }, options);
  return {
    file,
    report: () => reader.mapping.report,
    strict: options.strict ?? false,
    createAccounts: options.create_accounts ?? false,
    rows: readAll(reader, sample, source),
  };
}

type Rows = readonly (Row | UnreadableRow)[];

async function takeSample(source: AsyncIterator<Rows>): Promise<Rows> {
  const sample: (Row | UnreadableRow)[] = [];
  let size = 0;
  while (sample.length < SAMPLE_ROWS && size < SAMPLE_CHARACTERS) {
    const { done, value } = await source.next();
    if (done === true) break;
    for (const row of value) {
      sample.push(row);
      size += row.raw.length;
    }
  }
  return sample;
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

/** The member names of the first rows, as far as the limits go. */
function namesIn(rows: readonly Row[]): readonly string[] {
  const names = new Set<string>();
  let size = 0;
  for (const { cells } of rows) {
    for (const name of cells.keys()) {
      if (names.has(name)) continue;
      size += Buffer.byteLength(name);
      if (names.size === COLUMNS_MAX || size > NAMES_MAX_bytes) return [...names];
      names.add(name);
    }
  }
  return [...names];
}

class RowReader {
  mapping: Mapping;
  readonly #type: RecordType;
  readonly #sample: FileSample;
  readonly #options: MappingOptions;
  readonly #headings: Set<string>;
  #names_bytes: number;

  constructor(type: RecordType, sample: FileSample, options: MappingOptions) {
    this.#type = type;
    this.#sample = sample;
    this.#options = options;
    this.#headings = new Set(sample.headings);
    this.#names_bytes = sizeOf(sample.headings);
    this.mapping = compileMapping(type, sample, options);
  }

  read(row: Row | UnreadableRow): RowInput | RefusedRow {
    if (isUnreadable(row)) return row;
    const excess = this.#sample.format === "ndjson" ? this.#learn(row) : undefined;
    if (excess !== undefined) return { line: row.line, raw: row.raw, reason: excess };
    return readRow(row, this.mapping);
  }

  /** Adds names that no earlier row had. Returns the limit that they exceed. */
  #learn({ cells }: Row): string | undefined {
    const fresh = [...cells.keys()].filter((name) => !this.#headings.has(name));
    if (fresh.length === 0) return undefined;
    const size = this.#names_bytes + sizeOf(fresh);
    if (this.#headings.size + fresh.length > COLUMNS_MAX) {
      return `with it the file has more than ${COLUMNS_MAX} member names`;
    }
    if (size > NAMES_MAX_bytes) {
      return `with it the member names of the file take more than ${NAMES_MAX_bytes / 1024} KiB`;
    }
    this.#names_bytes = size;
    for (const name of fresh) this.#headings.add(name);
    const headings = [...this.#headings];
    this.mapping = compileMapping(this.#type, { ...this.#sample, headings }, this.#options);
    return undefined;
  }
}

const sizeOf = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + Buffer.byteLength(name), 0);

/** A batch ends earlier if its rows are long: parsed, they take a multiple of their text. */
const BATCH_CHARACTERS = 1024 * 1024;

/** Groups of up to `size` rows, in order. */
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
