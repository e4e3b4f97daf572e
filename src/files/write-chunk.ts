/**
 * One chunk of an import, in one transaction: the records of its rows, the rows that could not be
 * taken, and how far the import has come. All of it commits, or none (D10.1).
 */

import { setTimeout as delay } from "node:timers/promises";
import type { Scope } from "../audit/index.ts";
import { isPassing, transaction, type Db, type Tx } from "../platform/db.ts";
import type { Issue } from "../platform/errors.ts";
import type { JsonObject } from "../platform/json.ts";
import { Turns } from "../platform/turns.ts";
import type { Check } from "../platform/validation.ts";
import {
  createCheck,
  lookUpRecords,
  RECORD_TYPES,
  upsertRecords,
  type Author,
  type Outcome,
  type RecordType,
  type WriteDeps,
} from "../records/index.ts";
import { saveImport, type Counts, type Held } from "./imports.ts";
import type { Intake } from "./intake.ts";
import { missingAccounts } from "./missing-accounts.ts";
import { storedRejects } from "./rejects.ts";
import { addRejects } from "./stored-rejects.ts";
import { settleReferences, wantedLookups, type Resolve } from "./references.ts";
import { isRefused, type RefusedRow, type RowInput } from "./row-input.ts";
import type { Tally } from "./tally.ts";

/** What all chunks of one import share. */
export interface Run {
  readonly scope: Scope<Db>;
  readonly deps: WriteDeps;
  readonly author: Author;
  readonly type: RecordType;
  readonly held: Held;
  readonly dry_run: boolean;
  readonly intake: Intake;
  readonly check: Check;
}

/** How far an import has come. */
export interface Reached {
  readonly last_line: number;
  readonly counts: Counts;
  readonly tally: Tally;
}

type Rows = readonly (RowInput | RefusedRow)[];

const ATTEMPTS = 5;

/** Writes rows; how far the import has come then. Throws LeaseLost, and whatever the database says. */
export async function writeRows(run: Run, rows: Rows, from: Reached): Promise<Reached> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction(run.scope.db, (tx) => writeChunk(run, tx, rows, from));
    } catch (error) {
      if (attempt < ATTEMPTS && isPassing(error)) await delay(Math.random() * 20 * 2 ** attempt);
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

async function writeChunk(run: Run, tx: Tx, rows: Rows, from: Reached): Promise<Reached> {
  const within = { ...run.scope, db: tx };
  const { settled, outcomes } = run.dry_run
    ? // A dry run stores nothing in the end, so no quota applies to it.
      await undone({ ...within, quota: undefined }, (scope) => writeRecords(run, scope, rows))
    : await writeRecords(run, within, rows);
  const { refused, reached } = count(settled, outcomes, from);
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
async function writeRecords(run: Run, within: Scope<Tx>, rows: Rows) {
  const settled = await settle(run, within, rows);
  const taken = settled.filter((row): row is RowInput => !isRefused(row));
  const inputs = taken.map(({ body, closed_ts, onlyNew }) => ({
    input: body as JsonObject,
    closed_ts,
    onlyNew,
  }));
  const outcomes = await upsertRecords(within, run.deps, run.author, run.type, inputs);
  return { settled, outcomes };
}

/** The rows with ids for references, and those refused that cannot be taken. */
async function settle(run: Run, within: Scope<Tx>, rows: Rows): Promise<Rows> {
  const { resolve, created } = await resolveReferences(run, within, rows);
  const { type, intake, check } = run;
  const settling = { resolve, created, strict: intake.strict };
  const settleRow = (row: RowInput): RowInput | RefusedRow => {
    const settled = row.references.length === 0 ? row : settleReferences(type, row, settling);
    if (isRefused(settled)) return settled;
    const issues = check(settled.body);
    return issues.length === 0 ? settled : refusedFor(settled, issues);
  };
  const turns = new Turns();
  const settled: (RowInput | RefusedRow)[] = [];
  for (const row of rows) {
    if (turns.isDue()) await turns.take();
    settled.push(isRefused(row) ? row : settleRow(row));
  }
  return settled;
}

/** Looks up what the rows refer to, and creates the accounts that are missing if that is asked for. */
async function resolveReferences(run: Run, within: Scope<Tx>, rows: Rows) {
  const resolve = await lookUp(within, rows);
  const missing = run.intake.createAccounts ? missingAccounts(rows, resolve) : [];
  if (missing.length === 0) return { resolve, created: new Set<string>() };
  const check = createCheck(RECORD_TYPES.account, run.deps.clock);
  const inputs = missing
    .filter((account) => check(account).length === 0)
    .map((account) => ({ input: account as JsonObject }));
  await upsertRecords(within, run.deps, run.author, RECORD_TYPES.account, inputs);
  const now = await lookUp(within, rows);
  const created = new Set<string>();
  for (const { to, text } of namesIn(rows)) {
    const found = now(to, text);
    if ("none" in resolve(to, text) && "id" in found) created.add(found.id);
  }
  return { resolve: now, created };
}

const namesIn = (rows: Rows) =>
  rows.flatMap((row) => (isRefused(row) ? [] : row.references.flatMap(({ names }) => names)));

/** One query for each type that rows refer to. */
async function lookUp(within: Scope<Tx>, rows: Rows): Promise<Resolve> {
  const wanted = wantedLookups(rows.filter((row): row is RowInput => !isRefused(row)));
  const found = new Map<string, Awaited<ReturnType<typeof lookUpRecords>>>();
  for (const [to, texts] of wanted) {
    found.set(to, await lookUpRecords(within, RECORD_TYPES[to], [...texts]));
  }
  return (to, text) => found.get(to)?.get(text) ?? { none: true };
}

function refusedFor({ line, raw, links }: RowInput, issues: readonly Issue[]): RefusedRow {
  const reason = issues
    .map(({ loc, msg }) => [loc.slice(1).join("."), msg].filter((part) => part !== "").join(": "))
    .join("; ");
  return { line, raw, reason, ...(links && { links }) };
}

/** Does it and undoes it: what would have become of the rows. */
async function undone<T>(scope: Scope<Tx>, write: (scope: Scope<Tx>) => Promise<T>): Promise<T> {
  await scope.db`savepoint before_dry_run`;
  const done = await write(scope);
  await scope.db`rollback to savepoint before_dry_run`;
  return done;
}

/** What the outcomes add to the counts. The tally is a new one: this chunk may not commit. */
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
    } else if (typeof outcome === "object") refused.push(refusedFor(row, outcome.issues));
    else if (outcome !== undefined) {
      counts[outcome] += 1;
      tally.take(row);
    }
  }
  for (const row of refused) tally.reject(row);
  counts.refused += refused.length;
  const last_line = rows.at(-1)?.line ?? from.last_line;
  return { refused, reached: { last_line, counts, tally } };
}
