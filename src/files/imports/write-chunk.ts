/**
 * Writes a chunk of an import in one transaction: the records of its rows, its rejects, and the
 * progress of the import.
 */

import { type Db, run, transaction, type Tx } from "../../platform/database/index.ts";
import { isRetriable, retry } from "../../platform/failed-statements/index.ts";
import { type Issue, ValidationError, asError, codeOf } from "../../platform/errors/index.ts";
import type { JsonObject } from "../../platform/json/index.ts";
import { upsertRecords, type Outcome, type UpsertInput } from "../../records/keys/index.ts";
import { writerOn } from "../../records/store/index.ts";
import { saveImport, type Counts, type LeasedImport } from "./imports.ts";
import {
  isForNew,
  isRefused,
  type RefusedRow,
  type Rejected,
  rejectedWithAccount,
  type RowInput,
  type Warning,
} from "../rows/index.ts";
import { exampleOf, previewOf } from "./preview.ts";
import { storedRejects } from "./rejects.ts";
import { refusedFor, settleRows, type Rows, type SettleContext } from "./settle-rows.ts";
import { addRejects } from "./stored-rejects.ts";
import type { Tally } from "./tally.ts";

/** The state of a running import that all its chunks share. */
export interface Run<D extends Db | Tx = Db> extends SettleContext<D> {
  readonly held: LeasedImport;
  readonly dry_run: boolean;
}

type Written = Exclude<Outcome, { readonly issues: unknown }>;

/** The progress of an import. */
export interface Reached {
  readonly last_line: number;
  readonly counts: Counts;
  readonly tally: Tally;
}

const RETRY = {
  isRetriable: isRetriable,
  attempts: 5,
  pause_ms: (attempt: number) => 20 * 2 ** attempt,
};

/**
 * Thrown if accounts were created for rows that were then rejected. The chunk is then written again without these
 * accounts.
 */
class UnneededAccounts extends Error {
  readonly rejected: Rejected;

  constructor(rejected: Rejected) {
    super("Accounts were created only for rejected rows");
    this.rejected = rejected;
  }
}

/** Writes rows and returns the progress after them. Throws LeaseLost and database errors. */
export async function writeRows(
  run: Run,
  rows: Rows,
  from: Reached,
  rejected: Rejected = new Map(),
): Promise<Reached> {
  const attempt = () =>
    transaction(run.writer.scope.db, (tx) =>
      writeChunk({ ...run, writer: writerOn(run.writer, tx) }, rows, from, rejected),
    );
  try {
    return await retry(attempt, RETRY);
  } catch (error) {
    if (error instanceof UnneededAccounts) return writeRows(run, rows, from, error.rejected);
    if (isUnstorable(error)) return writeDivided(run, rows, from, asError(error));
    throw error;
  }
}

/** Whether an error means that the database cannot store a value in one of the rows. */
const isUnstorable = (error: unknown): boolean => /^2[23]/.test(codeOf(error));

/**
 * Isolates a row that cannot be stored: splits the chunk in halves, repeatedly if necessary, and writes them
 * separately.
 */
async function writeDivided(run: Run, rows: Rows, from: Reached, error: Error): Promise<Reached> {
  const [only] = rows;
  if (only === undefined) throw error;
  if (rows.length > 1) {
    const middle = Math.ceil(rows.length / 2);
    const half = await writeRows(run, rows.slice(0, middle), from);
    return writeRows(run, rows.slice(middle), half);
  }
  if (isRefused(only)) throw error;
  const reason = `the row cannot be stored: ${error.message}`;
  return writeRows(run, [{ line: only.line, raw: only.raw, reason }], from);
}

async function writeChunk(
  run: Run<Tx>,
  rows: Rows,
  from: Reached,
  rejected: Rejected,
): Promise<Reached> {
  const { scope, deps } = run.writer;
  const { settled, outcomes } = await (run.dry_run ? tryRecords : writeRecords)(
    run,
    rows,
    rejected,
  );
  const { refused, reached } = count(settled.rows, outcomes, from);
  if (settled.created.size > 0) {
    const reasons = new Map(refused.map(({ line, reason }) => [line, reason]));
    const found = [...rejectedWithAccount(rows, settled, reasons)];
    const fresh = found.filter(([line]) => !rejected.has(line));
    if (fresh.length > 0) throw new UnneededAccounts(new Map([...rejected, ...fresh]));
  }
  if (run.dry_run) {
    const preview = previewOf(settled.rows.filter(isTaken), outcomes, from.tally.examples);
    reached.tally.noteChanges(preview);
  }
  const { file, report } = run.intake;
  await addRejects(scope, run.held.id, storedRejects(refused, file, report()));
  await saveImport(scope, deps, run.held, {
    last_line: reached.last_line,
    ...reached.counts,
    tally: reached.tally.report(),
    // For NDJSON, the mapping grows as later rows add members.
    ...(file.format === "ndjson" && { mapping: report() }),
  });
  return reached;
}

const isTaken = (row: RowInput | RefusedRow): row is RowInput => !isRefused(row);

/** Writes the records of the rows. Returns the rows as written, and the outcome of each row that was not rejected. */
async function writeRecords(run: Run<Tx>, rows: Rows, rejected: Rejected) {
  const settled = await settleRows(run, rows, rejected);
  const asUpdated = new Map<RowInput | RefusedRow, RowInput>();
  const inputs = settled.rows.filter(isTaken).map((row): UpsertInput => {
    const { forStatus } = row;
    if (forStatus === undefined) return inputOf(row);
    const forStored = (stored: JsonObject): UpsertInput => {
      const own = forStatus(String(stored[run.writer.type.statusField]));
      if (isRefused(own)) throw new ValidationError([issueOf(own.reason)]);
      asUpdated.set(row, own);
      return inputOf(own);
    };
    return { ...inputOf(row), forStored };
  });
  const { mode, keyIsOwnId: byId } = run.intake.mapping();
  const { type } = run.writer;
  const options = {
    mode,
    byId,
    exampleOf: run.dry_run
      ? (before: JsonObject, after: Buffer) => exampleOf(type, before, after)
      : undefined,
  };
  const outcomes = await upsertRecords(run.writer, inputs, options);
  const written = settled.rows.map((row) => asUpdated.get(row) ?? row);
  return { settled: { ...settled, rows: written }, outcomes };
}

const inputOf = ({ body, closed_ts, onlyNew, partialLists, notesIn }: RowInput): UpsertInput => ({
  input: body as JsonObject,
  closed_ts,
  onlyNew,
  partialLists,
  notesIn,
});

const issueOf = (msg: string): Issue => ({ type: "value_error", loc: ["body"], msg, input: null });

/** Calls `writeRecords` and rolls back its changes. A dry run stores nothing, so no quota applies. */
async function tryRecords(given: Run<Tx>, rows: Rows, rejected: Rejected) {
  const { writer } = given;
  await run(writer.scope.db)`savepoint before_dry_run`;
  const unlimited = { ...writer, scope: { ...writer.scope, quota: undefined } };
  const done = await writeRecords({ ...given, writer: unlimited }, rows, rejected);
  await run(writer.scope.db)`rollback to savepoint before_dry_run`;
  return done;
}

const NOTE_OMITTED: Warning = { kind: "note_omitted" };

/** Returns the warnings about a written row. An existing record does not get the values generated for new ones. */
function warningsOf(row: RowInput, outcome: Written, tally: Tally): readonly Warning[] {
  if (outcome.result === "created") return [...row.warnings, ...tally.repetitions(row)];
  const warnings = row.warnings.filter((warning) => !isForNew(warning));
  return outcome.isNoteOmitted ? [...warnings, NOTE_OMITTED] : warnings;
}

/**
 * Adds the outcomes to the counts. Returns a new tally and does not change the old one, because this chunk might not be
 * committed.
 */
function count(rows: Rows, outcomes: readonly Outcome[], from: Reached) {
  const counts = { ...from.counts, rows: from.counts.rows + rows.length };
  const tally = from.tally.copy();
  const refused: RefusedRow[] = [];
  let at = 0;
  for (const row of rows) {
    const outcome = isRefused(row) ? undefined : outcomes[at++];
    if (isRefused(row)) {
      if (row.isSkipped === true) tally.skip();
      else refused.push(row);
    } else if (outcome !== undefined && "issues" in outcome) {
      refused.push(refusedFor(row, outcome.issues));
    } else if (outcome !== undefined) {
      counts[outcome.result] += 1;
      tally.take({ ...row, warnings: warningsOf(row, outcome, tally) });
    }
  }
  for (const row of refused) tally.reject(row);
  counts.refused += refused.length;
  const last_line = rows.at(-1)?.line ?? from.last_line;
  return { refused, reached: { last_line, counts, tally } };
}
