/** The deliveries that contain data of records. */

import sql, { type Sql } from "sql-template-tag";
import { ERASED } from "../../events/index.ts";

/**
 * The deliveries about records, also deliveries that were queued before deliveries named their record. That a record was
 * erased is reported without personal data.
 */
export const deliveriesAbout = (tenantId: string, ids: readonly string[]): Sql => sql`
  select d.id from deliveries d
   where d.tenant_id = ${tenantId} and d.record_id is not null and d.record_id = any(${ids}::text[])
     and not exists (select from changes c
                      where c.tenant_id = ${tenantId} and c.id = split_part(d.subject_id, '.', 2)
                        and c.action = ${ERASED})
  union
  select d.id from deliveries d
   where d.tenant_id = ${tenantId} and d.topic = 'lead.imported' and d.subject_id = any(${ids}::text[])
  union
  select d.id
    from changes c
    join event_webhooks w on w.tenant_id = c.tenant_id
    join deliveries d on d.tenant_id = c.tenant_id and d.topic = 'event'
     and d.subject_id > w.id || '.' || c.id || '.' and d.subject_id < w.id || '.' || c.id || '/'
   where c.tenant_id = ${tenantId} and c.subject_id = any(${ids}::text[]) and c.action <> ${ERASED}`;
