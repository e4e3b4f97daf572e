/**
 * Erases pushed leads. Removes all data that identifies a person, but keeps the row, so that counts remain correct. An
 * erased pushed lead is no longer shown anywhere.
 */

import type { Scope } from "../../audit/index.ts";
import type { MakeId } from "../../platform/clock/index.ts";
import { run, type Tx } from "../../platform/database/index.ts";
import { PUSHED_LEAD } from "./move-lead.ts";

/** Erases pushed leads that have not been erased yet. Returns their number. */
export async function erasePushed(
  scope: Scope<Tx>,
  makeId: MakeId,
  { ids, now_s }: { readonly ids: readonly string[]; readonly now_s: number },
): Promise<number> {
  const { db, tenantId, actor } = scope;
  const { count } = await run(db)`
    with erased as (
      update pushed_leads p
         set name = '', email = null, phone = null, email_key = null, phone_key = null,
             match_preferences = null, comments = null, description = null, rejection_reason = null,
             imported_lead_id = null, expiration_ts = null, erased_ts = ${now_s}::bigint
        from unnest(${ids}::text[], ${ids.map(makeId)}::text[]) as given(id, change_id)
       where p.tenant_id = ${tenantId} and p.id = given.id and p.erased_ts is null
      returning p.id, given.change_id
    )
    insert into changes (tenant_id, id, at, subject_type, subject_id, action,
                         actor_kind, actor_id, actor_name, fields, request_id)
    select ${tenantId}::uuid, e.change_id, clock_timestamp(), ${PUSHED_LEAD}, e.id, 'erased',
           ${actor.kind}, ${actor.id}, ${actor.name}, '{}', ${actor.requestId}
      from (select * from erased order by change_id) e`;
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
  const { count } = await run(db)`
    with cleared as (
      update pushed_leads p set imported_lead_id = null
        from unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(makeId)}::text[],
                    ${fields}::text[]) as given(id, change_id, fields)
       where p.tenant_id = ${tenantId} and p.id = given.id
      returning p.id, given.change_id, given.fields
    )
    insert into changes (tenant_id, id, at, subject_type, subject_id, action,
                         actor_kind, actor_id, actor_name, fields, request_id)
    select ${tenantId}::uuid, c.change_id, clock_timestamp(), ${PUSHED_LEAD}, c.id, 'cleared',
           ${actor.kind}, ${actor.id}, ${actor.name}, c.fields::json, ${actor.requestId}
      from (select * from cleared order by change_id) c`;
  return count;
}
