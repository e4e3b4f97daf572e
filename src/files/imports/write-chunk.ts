/**
 * One chunk of an import, in one transaction: the records of its rows, the rows that could not be
 * taken, and how far the import has come. All of it commits, or none (D10.1).
 */

import { setTimeout as delay } from "node:timers/promises";
import type { Scope } from "../../audit/index.ts";
import { type Db, isPassing, run, transaction, type Tx } from "../../platform/database/index.ts";
import type { JsonObject } from "../../platform/json/index.ts";
import { upsertRecords, type Outcome } from "../../records/index.ts";
import { saveImport, type Counts, type Held } from "./imports.ts";
import {
  isRefused,
  type RefusedRow,
  type Rejected,
  rejectedWithAccount,
  type RowInput,
  type Warning,
} from "../rows/index.ts";
import { Preview } from "./preview.ts";
import { storedRejects } from "./rejects.ts";
import { refusedFor, settleRows, type Rows, type SettleOptions } from "./settle-rows.ts";
import { addRejects } from "./stored-rejects.ts";
import type { Tally } from "./tally.ts";

/** What all chunks of one import share. */
export interface Run extends SettleOptions {
  readonly scope: Scope<Db>;
  readonly held: Held;
  readonly dry_run: boolean;
}

/** How far an import has come. */
export interface Reached {
  readonly last_line: number;
  readonly counts: Counts;
  readonly tally: Tally;
}

const ATTEMPTS = 5;

/** Accounts were created for rows that turned out to be rejected: the chunk is written again without them. */
class AccountsInVain extends Error {
  readonly rejected: Rejected;

  constructor(rejected: Rejected) {
    super("Accounts were created for rejected rows alone");
    this.rejected = rejected;
  }
}

/** Writes rows; how far the import has come then. Throws LeaseLost, and whatever the database says. */
export async function writeRows(run: Run, rows: Rows, from: Reached): Promise<Reached> {
  let rejected: Rejected = new Map();
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction(run.scope.db, (tx) => writeChunk(run, tx, rows, from, rejected));
    } catch (error) {
      if (error instanceof AccountsInVain) {
        ({ rejected } = error);
        attempt = 0;
      } else if (attempt < ATTEMPTS && isPassing(error))
        await delay(Math.random() * 20 * 2 ** attempt);
      else if (isUnstorable(error)) return writeDivided(run, rows, from, error as Error);
      else throw error;
    }
  }
}

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code ?? "");

/** The database cannot store what a row holds. */
const isUnstorable = (error: unknown): boolean => /^2[23]/.test(codeOf(error));

/** Finds the row that cannot be stored by halves, so that it costs nobody else. */
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
  run: Run,
  tx: Tx,
  rows: Rows,
  from: Reached,
  rejected: Rejected,
): Promise<Reached> {
  const within = { ...run.scope, db: tx };
  const write = (scope: Scope<Tx>) => writeRecords(run, scope, rows, from, rejected);
  const { settled, outcomes, preview, omitted } = run.dry_run
    ? // A dry run stores nothing in the end, so no quota applies to it.
      await undone({ ...within, quota: undefined }, write)
    : await write(within);
  const { refused, reached } = count({ ...settled, omitted }, outcomes, from);
  if (settled.created.size > 0) {
    const reasons = new Map(refused.map(({ line, reason }) => [line, reason]));
    const found = [...rejectedWithAccount(rows, settled, reasons)];
    const fresh = found.filter(([line]) => !rejected.has(line));
    if (fresh.length > 0) throw new AccountsInVain(new Map([...rejected, ...fresh]));
  }
  if (preview !== undefined) reached.tally.noteChanges(preview);
  const { file, report } = run.intake;
  await addRejects(within, run.held.id, storedRejects(refused, file, report()));
  await saveImport(within, run.deps, run.held, {
    last_line: reached.last_line,
    ...reached.counts,
    tally: reached.tally.report(),
    // The members of NDJSON rows are met on the way.
    ...(file.format === "ndjson" && { mapping: report() }),
  });
  return reached;
}

/** Writes the records of the rows; what became of each that could be taken. */
async function writeRecords(
  run: Run,
  within: Scope<Tx>,
  rows: Rows,
  { tally }: Reached,
  rejected: Rejected,
) {
  const settled = await settleRows(run, within, rows, rejected);
  const taken = settled.rows.filter((row): row is RowInput => !isRefused(row));
  const inputs = taken.map(({ body, closed_ts, onlyNew, partialLists, notesIn }) => ({
    input: body as JsonObject,
    closed_ts,
    onlyNew,
    partialLists,
    notesIn,
  }));
  const { mode, keyIsOwnId: byId } = run.intake.mapping();
  const preview = run.dry_run ? new Preview(run.type, taken, tally.examples) : undefined;
  const omitted = new Set<number>();
  const outcomes = await upsertRecords(within, run.deps, run.author, run.type, inputs, {
    mode,
    byId,
    onChange: preview?.add,
    onNotesOmitted: (at) => omitted.add(at),
  });
  return { settled, outcomes, preview, omitted };
}

/** Does it and undoes it: what would have become of the rows. */
async function undone<T>(scope: Scope<Tx>, write: (scope: Scope<Tx>) => Promise<T>): Promise<T> {
  await run(scope.db)`savepoint before_dry_run`;
  const done = await write(scope);
  await run(scope.db)`rollback to savepoint before_dry_run`;
  return done;
}

const withWarning = (row: RowInput, warning: Warning): RowInput => ({
  ...row,
  warnings: [...row.warnings, warning],
});

/** What the outcomes add to the counts. `omitted`: places of the inputs whose notes did not fit. The tally is a new one: this chunk may not commit. */
function count(
  { rows, omitted }: { readonly rows: Rows; readonly omitted: ReadonlySet<number> },
  outcomes: readonly Outcome[],
  from: Reached,
) {
  const counts = { ...from.counts, rows: from.counts.rows + rows.length };
  const tally = from.tally.copy();
  const refused: RefusedRow[] = [];
  let at = 0;
  for (const row of rows) {
    const isOmitted = omitted.has(at);
    const outcome = isRefused(row) ? undefined : outcomes[at++];
    if (isRefused(row)) {
      if (row.isSkipped === true) tally.skip();
      else refused.push(row);
    } else if (typeof outcome === "object") refused.push(refusedFor(row, outcome.issues));
    else if (outcome !== undefined) {
      counts[outcome] += 1;
      tally.take(isOmitted ? withWarning(row, { kind: "note_omitted" }) : row);
    }
  }
  for (const row of refused) tally.reject(row);
  counts.refused += refused.length;
  const last_line = rows.at(-1)?.line ?? from.last_line;
  return { refused, reached: { last_line, counts, tally } };
}
