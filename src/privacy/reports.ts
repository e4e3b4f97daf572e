/** Stores reports for a day: the encrypted search terms, and the ids and versions of the records found. */

import type { Scope } from "../audit/index.ts";
import { type Clock, epochSeconds } from "../platform/clock/index.ts";
import type { MakeId } from "../platform/ids/index.ts";
import { type Db, inserted, run, type Tx } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";
import { pick } from "../platform/json/index.ts";
import type { Sealer } from "../platform/secrets/index.ts";
import type { PersonKeys } from "../records/contact-details/index.ts";
import { type FoundRecord } from "./person/index.ts";

export interface PrivacyDeps {
  readonly clock: Clock;
  readonly makeId: MakeId;
  readonly sealer: Sealer;
}

export type StoredFound = Omit<FoundRecord, "name" | "matched">;

export interface StoredReport {
  readonly id: string;
  readonly keys: PersonKeys;
  readonly records: readonly StoredFound[];
  readonly created_ts: number;
  readonly expires_ts: number;
}

/** How long a report can be used. */
export const REPORT_s = 86_400;
const AT_ONCE = 500;

const placeOf = (id: string): string => `person report ${id}`;

export async function storeReport(
  { db, tenantId }: Scope,
  { clock, makeId, sealer }: PrivacyDeps,
  keys: PersonKeys,
  found: readonly FoundRecord[],
): Promise<StoredReport> {
  const id = makeId();
  const created_ts = epochSeconds(clock);
  const expires_ts = created_ts + REPORT_s;
  const records = found.map((record) =>
    pick(record, ["type", "id", "version", "effect", "merged_into"]),
  );
  const row = {
    tenant_id: tenantId,
    id,
    sealed: sealer.seal(tenantId, placeOf(id), JSON.stringify(keys)),
    records: JSON.stringify(records),
    created_ts,
    expires_ts,
  };
  await run(db)`insert into person_reports ${inserted(row)}`;
  return { id, keys, records, created_ts, expires_ts };
}

/** Reads a report. Throws 404 if it does not exist, and 410 if it has expired. */
export async function readReport(
  { db, tenantId }: Scope<Tx>,
  { clock, sealer }: PrivacyDeps,
  id: string,
): Promise<StoredReport> {
  const [row] = await run<(Omit<StoredReport, "keys"> & { readonly sealed: string })[]>(db)`
    select id, sealed, records, created_ts, expires_ts from person_reports
     where tenant_id = ${tenantId} and id = ${id} for update`;
  if (row === undefined) {
    throw new AppError("not_found", { detail: "There is no report with this id" });
  }
  if (row.expires_ts <= epochSeconds(clock)) throw new AppError("report_expired");
  const { sealed, ...report } = row;
  return { ...report, keys: JSON.parse(sealer.open(tenantId, placeOf(id), sealed)) as PersonKeys };
}

/**
 * Deletes a batch of reports that expired at least a day ago. Using an expired report that has not been deleted yet
 * returns 410.
 */
export async function forgetReports(db: Db, clock: Clock): Promise<boolean> {
  const before_s = epochSeconds(clock) - REPORT_s;
  const { count } = await run(db)`
    delete from person_reports
     where ctid = any(array(select ctid from person_reports
                             where expires_ts < ${before_s}::bigint limit ${AT_ONCE}))`;
  return count > 0;
}
