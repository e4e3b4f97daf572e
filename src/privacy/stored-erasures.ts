/** Reads stored erasures and formats them for responses. */

import type { Scope } from "../audit/index.ts";
import { type Db, run } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";
import type { LegalHold } from "./clear-records.ts";
import { type PlannedRecord, type Recipient } from "./person/index.ts";
import type { Counts } from "./plan.ts";

/** The counts and other results of an erasure. */
export interface ErasureResult {
  /** The number of removed or changed rows, by table. */
  readonly counts: Counts;
  readonly recipients: readonly Recipient[];
  readonly legal_holds: readonly LegalHold[];
}

export interface Erasure extends ErasureResult {
  readonly id: string;
  readonly report_id: string;
  readonly state: "running" | "done";
  readonly records: readonly PlannedRecord[];
  readonly created_ts: number;
  readonly finished_ts: number | null;
}

/** Leaves out tables in which no rows were changed. */
export const nonZero = (counts: Counts): Counts =>
  Object.fromEntries(Object.entries(counts).filter(([, rows]) => rows > 0));

interface ErasureRow extends Omit<Erasure, "state" | keyof ErasureResult> {
  readonly result: ErasureResult;
}

/** Reads an erasure. Throws 404 if it does not exist. */
export async function readErasure({ db, tenantId }: Scope, id: string): Promise<Erasure> {
  const [row] = await run<ErasureRow[]>(db)`
    select id, report_id, records, result, created_ts, finished_ts from person_erasures
     where tenant_id = ${tenantId} and id = ${id}`;
  if (row === undefined) throw new AppError("not_found");
  return shown(row);
}

/** Lists a tenant's erasures, newest first. */
export async function listErasures(
  { db, tenantId }: Scope<Db>,
  { before, limit, offset }: { before?: string | undefined; limit: number; offset: number },
): Promise<readonly Erasure[]> {
  const rows = await run<ErasureRow[]>(db)`
    select id, report_id, records, result, created_ts, finished_ts from person_erasures
     where tenant_id = ${tenantId} and id < ${before ?? "g"}
     order by id desc limit ${limit} offset ${offset}`;
  return rows.map(shown);
}

const shown = ({ result, ...row }: ErasureRow): Erasure => ({
  ...row,
  ...result,
  counts: nonZero(result.counts),
  state: row.finished_ts === null ? "running" : "done",
});
