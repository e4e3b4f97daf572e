/**
 * Stores the "expired" state of pending leads whose expiration date has passed. Queries treat such leads as expired
 * even before this state is stored.
 */

import { SERVICE, type TenantId } from "../../audit/index.ts";
import { type Clock, epochSeconds } from "../../platform/clock/index.ts";
import type { MakeId } from "../../platform/ids/index.ts";
import { run, type Db } from "../../platform/database/index.ts";
import { moveLead } from "./move-lead.ts";

const AT_ONCE = 100;

/**
 * Expires a batch of overdue leads across all tenants that are not suspended. Returns false if there were none. Several
 * workers can run this concurrently, because only one of them changes each lead.
 */
export async function expireSome(
  db: Db,
  { clock, makeId }: { readonly clock: Clock; readonly makeId: MakeId },
): Promise<boolean> {
  const now_s = epochSeconds(clock);
  const rows = await run<{ tenant_id: TenantId; id: string }[]>(
    db,
  )`select tenant_id, id from pushed_leads
         where status = 'pending' and expiration_ts <= ${now_s}::double precision
           and tenant_id not in (select id from tenants where is_suspended)
         order by expiration_ts limit ${AT_ONCE}`;
  for (const { tenant_id: tenantId, id } of rows) {
    const scope = { db, tenantId, actor: SERVICE };
    await moveLead(scope, makeId, { id, now_s }, { event: "expire" });
  }
  return rows.length > 0;
}
