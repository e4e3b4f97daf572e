/** The lock of a pushed person. */

import sql, { type Sql } from "sql-template-tag";
import type { TenantId } from "../../audit/index.ts";
import { keyTexts, type PersonKeys } from "../../records/contact-details/index.ts";

/**
 * Returns a statement without rows that locks a person, so that concurrent pushes of the same person are stored one
 * after another. Emails are locked before phone numbers to avoid deadlocks. A plan that is made while the table of pushed
 * leads is small must not read all of the table when it has grown, so the statements that follow never do.
 */
export function lockSql(tenantId: TenantId, keys: PersonKeys): Sql {
  const texts = keyTexts(keys).map((text) => `${tenantId} ${text}`);
  return sql`
    select from set_config('enable_seqscan', 'off', true), unnest(${texts}::text[]) given
     where pg_advisory_xact_lock(hashtextextended(given, 0)) is null`;
}
