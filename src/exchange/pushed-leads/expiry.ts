/** Writes down what the clock has decided already: pending leads whose time has passed. */

import { SERVICE, type TenantId } from "../../audit/index.ts";
import { type Clock, epochSeconds, type MakeId } from "../../platform/clock/index.ts";
import { run, type Db } from "../../platform/database/index.ts";
import { moveLead } from "./move-lead.ts";

const AT_ONCE = 100;

/**
 * Moves some overdue leads of all tenants to expired; whether there were any. Several workers may do
 * so at once: each lead is moved by one of them.
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
         order by expiration_ts limit ${AT_ONCE}`;
  for (const { tenant_id: tenantId, id } of rows) {
    const scope = { db, tenantId, actor: SERVICE };
    await moveLead(scope, makeId, { id, now_s }, { event: "expire" });
  }
  return rows.length > 0;
}
