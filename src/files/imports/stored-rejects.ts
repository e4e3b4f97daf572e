/** The SQL for an import's rejected rows. */

import { growing, ROW_bytes, type Scope } from "../../audit/index.ts";
import { type Db, run, type Tx } from "../../platform/database/index.ts";
import { storable } from "../read/index.ts";
import type { RefusedRow } from "../rows/index.ts";

/** Stores rejected rows. Throws 403 if they exceed the quota. */
export async function addRejects(
  scope: Scope<Tx>,
  importId: string,
  refused: readonly RefusedRow[],
): Promise<void> {
  if (refused.length === 0) return;
  const { db, tenantId } = scope;
  const sizes = refused.map(({ reason, raw }) => ROW_bytes + reason.length + raw.length);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const insert = () =>
    run(db)`
    insert into import_rejects (tenant_id, import_id, line, reason, raw)
    select ${tenantId}::uuid, ${importId}::text, r.line, r.reason, r.raw
      from unnest(${refused.map(({ line }) => line)}::bigint[],
                  ${refused.map(({ reason }) => storable(reason))}::text[],
                  ${refused.map(({ raw }) => storable(raw))}::text[]) as r(line, reason, raw)`;
  await growing(scope, () => ({ records: 0, bytes }), insert);
}

/** Returns the rejects after a given line, in the order of the file. */
export const readRejects = (
  { db, tenantId }: Scope<Db>,
  importId: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly RefusedRow[]> =>
  run<RefusedRow[]>(db)`
    select line, reason, raw from import_rejects
     where tenant_id = ${tenantId} and import_id = ${importId} and line > ${after}
     order by line limit ${limit}`;
