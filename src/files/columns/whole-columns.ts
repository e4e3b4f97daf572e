/**
 * Makes the first pass over a file and determines the formats of its columns. Uses all rows if the file can be read
 * twice, and otherwise the first rows.
 */

import { Turns } from "../../platform/admission/index.ts";
import { isUndecided, type Decision, type GivenStyle } from "../formats/index.ts";
import { AllEvidence, type AllDecisions, type AllNeeds } from "./columns.ts";
import {
  COLUMNS_MAX,
  isUnreadable,
  NAMES_MAX_bytes,
  type OpenFile,
  type OpenOptions,
  openRows,
  type Row,
  type UnreadableRow,
} from "../read/index.ts";
import type { FileSample } from "./mapping.ts";
import type { Rereadable } from "../spool/index.ts";

/** Asks the user how to read an ambiguous column. Returns undefined to keep the default. */
export type Ask = (decision: Decision) => Promise<Decision["value"] | undefined>;

export interface DecideOptions {
  readonly mapping?: GivenStyle;
  /** Asks the user about ambiguous columns. If omitted, they keep the default. */
  readonly ask?: Ask | undefined;
  /** Called regularly during the pass. Throws if reading must stop. */
  readonly proceed?: (() => void) | undefined;
}

const SAMPLE_ROWS = 500;
/** A sample ends after this many characters, so it contains fewer rows if rows are long. */
const SAMPLE_CHARACTERS = 1024 * 1024;

export type Rows = readonly (Row | UnreadableRow)[];

export const readableOf = (rows: Rows): readonly Row[] =>
  rows.filter((row): row is Row => !isUnreadable(row));

const SAMPLED =
  "The file is larger than the space for temporary files (IMPORT_SPOOL_MAX), so number and date " +
  "formats were detected from its first rows";

/** Decides how to read columns, based on all rows of the file, or on a sample if the file cannot be read twice. */
export async function decideColumns(
  { file, headings, rows, source, isWhole }: OpenSample,
  needs: AllNeeds,
  bytes: Rereadable,
  { mapping = {}, ask, proceed }: DecideOptions,
): Promise<Pick<FileSample, "decisions" | "notices">> {
  if (isWhole) bytes.readOnce();
  else await bytes.readTwice();
  const evidence = new AllEvidence(needs, headings);
  const add = (all: Rows): void => {
    for (const row of all) {
      if (isUnreadable(row)) continue;
      if (file.format === "csv") evidence.addCsv(row);
      else evidence.addNdjson(row);
    }
  };
  add(rows);
  const ofSample = isWhole ? undefined : evidence.decide(mapping);
  const turns = new Turns();
  while (!isWhole && !bytes.isFull) {
    const { done, value } = await source.next();
    if (done === true) break;
    proceed?.();
    add(value);
    if (turns.isDue()) await turns.take();
  }
  const isSampled = !isWhole && bytes.isFull;
  const decided = (isSampled ? ofSample : undefined) ?? evidence.decide(mapping);
  return {
    decisions: ask === undefined ? decided : await answered(decided, needs, ask),
    notices: isSampled ? [SAMPLED] : [],
  };
}

async function answered(decided: AllDecisions, needs: AllNeeds, ask: Ask): Promise<AllDecisions> {
  const answers = new Map(decided);
  for (const heading of needs.keys()) {
    const own: Decision[] = [];
    for (const decision of decided.get(heading) ?? []) {
      const value = isUndecided(decision) ? await ask(decision) : undefined;
      own.push(value === undefined ? decision : { ...decision, value, decided_by: "answer" });
    }
    answers.set(heading, own);
  }
  return answers;
}

/** The start of a file, and its remaining rows. */
export interface OpenSample {
  readonly file: Omit<OpenFile, "rows">;
  /** Returns the encoding if it was only guessed. This is known only after the whole file has been read. */
  readonly guessed: () => string | undefined;
  /** The columns of a CSV file, or the member names in the first rows of an NDJSON file. */
  readonly headings: readonly string[];
  /** The first rows. */
  readonly rows: Rows;
  readonly source: AsyncIterator<Rows>;
  /** Whether these are all the rows in the file. */
  readonly isWhole: boolean;
}

/** Opens a file and reads its first rows. Throws FileError if the file as a whole cannot be read. */
export async function openSample(
  bytes: AsyncIterable<Uint8Array>,
  open: OpenOptions,
): Promise<OpenSample> {
  const { rows: all, guessed, ...file } = await openRows(bytes, open);
  const source = all[Symbol.asyncIterator]();
  const rows: (Row | UnreadableRow)[] = [];
  let size = 0;
  let isWhole = false;
  while (rows.length < SAMPLE_ROWS && size < SAMPLE_CHARACTERS) {
    const { done, value } = await source.next();
    isWhole = done === true;
    if (done === true) break;
    for (const row of value) {
      rows.push(row);
      size += row.raw.length;
    }
  }
  const headings = file.format === "csv" ? file.headings : namesIn(readableOf(rows));
  return { file, guessed, headings, rows, source, isWhole };
}

/** Returns the member names in these rows, up to the limits. */
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
