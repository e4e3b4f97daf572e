/**
 * Erases pushed leads. Removes all data that identifies a person, but keeps the row, so that counts remain correct. An
 * erased pushed lead is no longer shown anywhere.
 */

import sql from "sql-template-tag";
import { insertChanges, type Scope } from "../../audit/index.ts";
import type { MakeId } from "../../platform/ids/index.ts";
import { run, type Tx } from "../../platform/database/index.ts";
import { PUSHED_LEAD } from "../../events/index.ts";

/** Erases pushed leads that have not been erased yet. Returns their number. */
export async function erasePushed(
  scope: Scope<Tx>,
  makeId: MakeId,
  { ids, now_s }: { readonly ids: readonly string[]; readonly now_s: number },
): Promise<number> {
  const { db, tenantId, actor } = scope;
  const change = { tenantId, actor, subjectType: PUSHED_LEAD, action: "erased" };
  const entries = sql`select id, change_id, '{}'::json as fields
                        from erased order by change_id`;
  const statement = sql`
    with erased as (
      update pushed_leads p
         set name = '', email = null, phone = null, email_key = null, phone_key = null,
             match_preferences = null, comments = null, description = null, rejection_reason = null,
             imported_lead_id = null, expiration_ts = null, erased_ts = ${now_s}::bigint
        from unnest(${ids}::text[], ${ids.map(makeId)}::text[]) as given(id, change_id)
       where p.tenant_id = ${tenantId} and p.id = given.id and p.erased_ts is null
      returning p.id, given.change_id
    )
    ${insertChanges(change, entries)}`;
  const { count } = await run(db, statement);
  return count;
}

/** Clears the references of pushed leads to erased CRM leads. Returns the number of changed pushed leads. */
export async function clearImported(
  { db, tenantId, actor }: Scope<Tx>,
  makeId: MakeId,
  leadIds: readonly string[],
): Promise<number> {
  const rows = await run<{ id: string; lead_id: string }[]>(db)`
    select id, imported_lead_id as lead_id from pushed_leads
     where tenant_id = ${tenantId} and imported_lead_id = any(${leadIds}::text[])
       and imported_lead_id is not null
     order by id for update`;
  if (rows.length === 0) return 0;
  const fields = rows.map(({ lead_id }) => JSON.stringify({ imported_lead_id: [lead_id, null] }));
  const change = { tenantId, actor, subjectType: PUSHED_LEAD, action: "cleared" };
  const entries = sql`select id, change_id, fields::json as fields
                        from cleared order by change_id`;
  const statement = sql`
    with cleared as (
      update pushed_leads p set imported_lead_id = null
        from unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(makeId)}::text[],
                    ${fields}::text[]) as given(id, change_id, fields)
       where p.tenant_id = ${tenantId} and p.id = given.id
      returning p.id, given.change_id, given.fields
    )
    ${insertChanges(change, entries)}`;
  const { count } = await run(db, statement);
  return count;
}
