/**
 * Copies revocations and suspensions to the erasure log. Each entry was added in the same transaction as the change
 * itself.
 */

import type { Revocation } from "../audit/index.ts";
import { type Db, run } from "../platform/database/index.ts";
import type { ErasureLog, LoggedRevocation } from "./erasure-log.ts";

const AT_ONCE = 100;

interface Noted {
  readonly id: number;
  readonly tenant_id: string;
  readonly kind: Revocation;
  readonly subject_id: string;
  readonly at: Date;
  readonly code_hash: string | null;
}

/**
 * Writes the oldest entries to the log and then deletes them. Returns false if there were none. If the process crashes
 * in between, the entries are written again, which is harmless.
 */
export async function logRevocations(db: Db, log: ErasureLog | undefined): Promise<boolean> {
  if (log === undefined) return false;
  const rows = await run<Noted[]>(db)`
    select r.id, r.tenant_id, r.kind, r.subject_id, r.at,
           case when r.kind = 'code_reissued' then encode(p.access_code_hash, 'hex') end as code_hash
      from unlogged_revocations r
      left join partners p on p.tenant_id = r.tenant_id and p.id = r.subject_id
     order by r.id limit ${AT_ONCE}`;
  if (rows.length === 0) return false;
  await log.append(
    rows.map(({ kind, at, tenant_id, subject_id, code_hash }): LoggedRevocation => ({
      kind,
      at: at.toISOString(),
      tenant_id,
      id: subject_id,
      ...(code_hash !== null && { code_hash }),
    })),
  );
  await run(db)`
    delete from unlogged_revocations where id = any(${rows.map(({ id }) => id)}::bigint[])`;
  return true;
}
