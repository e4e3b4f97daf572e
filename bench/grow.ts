/**
 * Multiplies test data with SQL: copies each lead N times, together with the history entry for its creation. The copies
 * are dated some seconds earlier and have different email addresses. Rebuilds the indexes afterward.
 */

import type postgres from "postgres";

/**
 * Returns an SQL expression for an id whose time is k seconds earlier. The rest of the id, which is unique, does not
 * change.
 */
const earlier = (id: string): string =>
  `lpad(to_hex(('x' || left(${id}, 8))::bit(32)::bigint - k), 8, '0') || right(${id}, 16)`;

const LEADS = `
  insert into leads (tenant_id, id, body, external_id, lead_status, lead_source, name, employer_name,
                     profession, title, tags, email_list, phone_list, created_ts, updated_ts,
                     status_update_date, version)
  select tenant_id, next_id,
         (replace(replace(left(body::text, strpos(body::text, ',"created_ts":') - 1), id, next_id),
                  '@mail', '.' || k || '@mail') ||
          record_stamps(created_ts - k, updated_ts, status_update_date, version, false))::json,
         external_id, lead_status, lead_source, name, employer_name, profession, title, tags,
         array(select replace(e, '@mail', '.' || k || '@mail') from unnest(email_list) e),
         phone_list, created_ts - k, updated_ts, status_update_date, version
    from (select l.*, k, ${earlier("l.id")} as next_id
            from leads l, generate_series(1, $2::bigint - 1) k where l.tenant_id = $1::uuid) l`;

const CHANGES = `
  insert into changes (tenant_id, id, at, subject_type, subject_id, action, version, actor_kind,
                       actor_id, actor_name, fields, request_id)
  select tenant_id, ${earlier("id")}, at, subject_type, ${earlier("subject_id")}, action, version,
         actor_kind, actor_id, actor_name, fields, request_id
    from changes, generate_series(1, $2::bigint - 1) k
   where tenant_id = $1::uuid and subject_type = 'lead' and action = 'created'`;

/** Copies the tenant's leads N times. */
export async function grow(sql: postgres.Sql, tenantId: string, times: number): Promise<void> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select i.relname as name, pg_get_indexdef(x.indexrelid) as definition
      from pg_index x join pg_class i on i.oid = x.indexrelid
     where x.indrelid in ('leads'::regclass, 'changes'::regclass)
       and not exists (select from pg_constraint c where c.conindid = x.indexrelid)`;
  // Free the space used by rows that an interrupted run inserted.
  for (const table of ["leads", "changes"]) await sql.unsafe(`vacuum ${table}`);
  await sql.begin(async (tx) => {
    for (const { name } of indexes) await tx`drop index ${tx(name)}`;
    await tx.unsafe(LEADS, [tenantId, times]);
    await tx.unsafe(CHANGES, [tenantId, times]);
    await tx.unsafe("set local maintenance_work_mem = '1GB'");
    for (const { definition } of indexes) await tx.unsafe(definition);
  });
  for (const table of ["leads", "changes"]) await sql.unsafe(`vacuum (analyze) ${table}`);
  await sql.unsafe("checkpoint");
}
