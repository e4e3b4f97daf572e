/**
 * A file on its way in: opened, mapped, and read row by row (D10). The beginning is looked at
 * before the first row is handed out, so that the mapping can be shown first and refused as a
 * whole.
 */

import { setImmediate as nextTurn } from "node:timers/promises";
import type { RecordType } from "../records/index.ts";
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
  /** Every row of the file, in its order; can be walked once. */
  readonly rows: AsyncIterable<RowInput | RefusedRow>;
}

export interface IntakeOptions {
  readonly file?: OpenOptions;
  readonly mapping?: MappingOptions;
}

const SAMPLE_ROWS = 500;
/** More names than any export has: then names are data, and the file is not a table. */
const HEADINGS_MAX = 2000;

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
  const reader = new RowReader(type, { ...file, rows: readable }, options);
  return {
    file,
    report: () => reader.mapping.report,
    strict: options.strict ?? false,
    rows: readAll(reader, sample, source),
  };
}

async function takeSample(source: AsyncIterator<Row | UnreadableRow>) {
  const sample: (Row | UnreadableRow)[] = [];
  while (sample.length < SAMPLE_ROWS) {
    const { done, value } = await source.next();
    if (done === true) break;
    sample.push(value);
  }
  return sample;
}

async function* readAll(
  reader: RowReader,
  sample: readonly (Row | UnreadableRow)[],
  source: AsyncIterator<Row | UnreadableRow>,
): AsyncGenerator<RowInput | RefusedRow> {
  try {
    for (const row of sample) yield reader.read(row);
    for (;;) {
      const { done, value } = await source.next();
      if (done === true) return;
      yield reader.read(value);
    }
  } finally {
    await source.return?.();
  }
}

class RowReader {
  mapping: Mapping;
  readonly #type: RecordType;
  readonly #sample: FileSample;
  readonly #options: MappingOptions;
  readonly #headings: Set<string>;

  constructor(type: RecordType, sample: FileSample, options: MappingOptions) {
    this.#type = type;
    this.#sample = sample;
    this.#options = options;
    this.#headings = new Set([
      ...sample.headings,
      ...sample.rows.flatMap(({ cells }) => [...cells.keys()]),
    ]);
    this.mapping = compileMapping(type, sample, options);
  }

  read(row: Row | UnreadableRow): RowInput | RefusedRow {
    if (isUnreadable(row)) return row;
    if (this.#sample.format === "ndjson" && !this.#learn(row)) {
      return { line: row.line, raw: row.raw, reason: `more than ${HEADINGS_MAX} member names` };
    }
    return readRow(row, this.mapping);
  }

  /** Takes up names that no row before had; false where there are too many. */
  #learn({ cells }: Row): boolean {
    const fresh = [...cells.keys()].filter((name) => !this.#headings.has(name));
    if (fresh.length === 0) return true;
    if (this.#headings.size + fresh.length > HEADINGS_MAX) return false;
    for (const name of fresh) this.#headings.add(name);
    const headings = [...this.#headings];
    this.mapping = compileMapping(this.#type, { ...this.#sample, headings }, this.#options);
    return true;
  }
}

/** After as many rows others have their turn: what came of the rows before, and other requests. */
const ROWS_A_TURN = 50;

/** Groups of up to `size` elements, in order. */
export async function* inBatches<T>(rows: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length % ROWS_A_TURN === 0) await nextTurn();
    if (batch.length === size) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}
