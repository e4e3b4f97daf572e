/** Prepares parsed rows for writing: adds the ids of the records they refer to, and validates them. */

import type { Scope } from "../../audit/index.ts";
import type { Db, Tx } from "../../platform/database/index.ts";
import type { Issue } from "../../platform/errors/index.ts";
import type { JsonObject } from "../../platform/json/index.ts";
import { Turns } from "../../platform/admission/index.ts";
import type { Check } from "../../platform/validation/index.ts";
import { lookUpRecords, upsertRecords, writeCheck } from "../../records/keys/index.ts";
import { type RecordType, typeOf } from "../../records/types/index.ts";
import type { Writer } from "../../records/store/index.ts";
import type { Intake } from "./intake.ts";
import {
  isRefused,
  keepNote,
  type MissingAccount,
  missingAccounts,
  type RefusedRow,
  type Rejected,
  type Resolve,
  type RowInput,
  settleReferences,
  wantedLookups,
} from "../rows/index.ts";

/** The parts of a running import's state that are needed to prepare its rows for writing. */
export interface SettleContext<D extends Db | Tx = Tx> {
  readonly writer: Writer<D>;
  readonly intake: Intake;
  readonly check: Check;
}

export type Rows = readonly (RowInput | RefusedRow)[];

export interface Settled {
  readonly rows: Rows;
  readonly resolve: Resolve;
  /** Ids of accounts created for the rows. */
  readonly created: ReadonlySet<string>;
}

/**
 * Adds the ids of the referenced records to rows. Rejects rows that are invalid or have unresolved required references.
 * Creates missing accounts, but not for rows that are already known to be rejected.
 */
export async function settleRows(
  { writer, intake, check }: SettleContext,
  rows: Rows,
  rejected: Rejected,
): Promise<Settled> {
  const { type } = writer;
  const { resolve, created } = await resolveReferences({ writer, intake }, rows, rejected);
  const { strict, mode } = intake.mapping();
  const settling = { resolve, created: new Set(created), strict, isUpdate: mode === "update" };
  const withReferences = (row: RowInput): RowInput | RefusedRow => {
    const settled = row.references.length === 0 ? row : settleReferences(type, row, settling);
    const { forStatus } = row;
    if (forStatus === undefined || isRefused(settled)) return settled;
    const { links } = settled;
    return {
      ...settled,
      forStatus: (status) => {
        const own = forStatus(status);
        return isRefused(own) ? own : { ...withReferences(own), ...(links && { links }) };
      },
    };
  };
  const settleRow = (row: RowInput): RowInput | RefusedRow => {
    const settled = withReferences(row);
    const reason = rejected.get(row.line);
    if (reason !== undefined) return rejectedRow(settled, reason);
    if (isRefused(settled)) return settled;
    const issues = check(settled.body);
    if (issues.length === 0) return settled;
    const dated = strict ? undefined : withoutBirthDate(type, settled, issues);
    return dated !== undefined && check(dated.body).length === 0
      ? dated
      : refusedFor(settled, issues);
  };
  const turns = new Turns();
  const settled: (RowInput | RefusedRow)[] = [];
  for (const row of rows) {
    if (turns.isDue()) await turns.take();
    settled.push(isRefused(row) ? row : settleRow(row));
  }
  return { rows: settled, resolve, created };
}

const BIRTH = ["birth_year", "birth_month", "birth_day"];

/** Moves an impossible birth date to the row's notes. Returns undefined if other fields are also invalid. */
function withoutBirthDate(
  type: RecordType,
  row: RowInput,
  issues: readonly Issue[],
): RowInput | undefined {
  if (!issues.every(({ loc }) => BIRTH.includes(String(loc[1])))) return undefined;
  const body = Object.fromEntries(
    Object.entries(row.body).filter(([name]) => !BIRTH.includes(name)),
  );
  const word = BIRTH.flatMap((name) => row.body[name] ?? []).join("-");
  keepNote(type, body, `birth_date in the file: ${word}`);
  const warning = { kind: "impossible_date", field: "birth_date", word } as const;
  return { ...row, body, warnings: [...row.warnings, warning] };
}

/** Looks up the records that the rows refer to, and creates missing accounts if that is enabled. */
async function resolveReferences(
  { writer, intake }: Pick<SettleContext, "writer" | "intake">,
  rows: Rows,
  rejected: Rejected,
) {
  const { scope, deps } = writer;
  const resolve = await lookUp(scope, rows);
  const created = new Set<string>();
  if (!intake.mapping().createAccounts) return { resolve, created };
  const accounts = { ...writer, type: typeOf(scope, "account") };
  const check = writeCheck(accounts.type, "create", deps.clock);
  const isValid = (account: MissingAccount) => check(account).length === 0;
  const missing = missingAccounts(rows, { resolve, isValid }, rejected);
  if (missing.length === 0) return { resolve, created };
  const inputs = missing.map((account) => ({ input: account as JsonObject }));
  await upsertRecords(accounts, inputs, { mode: "create" });
  const now = await lookUp(scope, rows);
  for (const { to, text } of namesIn(rows)) {
    const found = now(to, text);
    if ("none" in resolve(to, text) && "id" in found) created.add(found.id);
  }
  return { resolve: now, created };
}

const namesIn = (rows: Rows) =>
  rows.flatMap((row) => (isRefused(row) ? [] : row.references.flatMap(({ names }) => names)));

/** Looks up the rows' references, with one query per type. */
async function lookUp(within: Scope<Tx>, rows: Rows): Promise<Resolve> {
  const wanted = wantedLookups(rows.filter((row): row is RowInput => !isRefused(row)));
  const found = new Map<string, Awaited<ReturnType<typeof lookUpRecords>>>();
  for (const [to, texts] of wanted) {
    found.set(to, await lookUpRecords(within, typeOf(within, to), [...texts]));
  }
  return (to, text) => found.get(to)?.get(text) ?? { none: true };
}

/** Returns the row as a rejected row with these issues. */
export function refusedFor(row: RowInput, issues: readonly Issue[]): RefusedRow {
  const reason = issues
    .map(({ loc, msg }) => [loc.slice(1).join("."), msg].filter((part) => part !== "").join(": "))
    .join("; ");
  return rejectedRow(row, reason);
}

const rejectedRow = ({ line, raw, links }: RowInput | RefusedRow, reason: string): RefusedRow => ({
  line,
  raw,
  reason,
  ...(links && { links }),
});
