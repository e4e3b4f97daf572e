/** Selects the deliveries that contain data about records. */

import sql, { type Sql } from "sql-template-tag";
import { ERASED } from "../../events/index.ts";

/**
 * Selects the ids of deliveries about records, including old deliveries that do not contain the record's id. Leaves out
 * deliveries that report an erasure, because they contain no personal data.
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
