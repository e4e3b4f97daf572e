/**
 * Removes the stored requests and responses of deliveries. Attempts that are still in progress do not store their
 * requests and responses when they finish.
 */

import type { Sql } from "sql-template-tag";
import type { Scope } from "../audit/index.ts";
import { run } from "../platform/database/index.ts";

/** Maximum number of deliveries per statement. */
const AT_ONCE = 500;

/**
 * A margin that is added to the current time. Attempts that start before the resulting time do not store their
 * contents. The margin is needed because attempts can read the old data until this transaction commits, and because
 * clocks differ between machines.
 */
const MARGIN_ms = 60_000;

/**
 * Clears the contents of deliveries but keeps their times and results. Returns the number of attempts that were
 * cleared.
 */
export async function clearContents(
  { db, tenantId }: Scope,
  deliveries: Sql,
  now_ms: number,
): Promise<number> {
  const ids = (await run<{ id: string }[]>(db)`${deliveries}`).map(({ id }) => id);
  let cleared = 0;
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const some = ids.slice(at, at + AT_ONCE);
    await run(db)`
      update deliveries set cleared_until_ms = ${Math.floor(now_ms) + MARGIN_ms}::bigint
       where tenant_id = ${tenantId} and id = any(${some}::text[])`;
    const { count } = await run(db)`
      update delivery_attempts
         set request = null, request_body = null, answer = null, answer_headers = null
       where tenant_id = ${tenantId} and delivery_id = any(${some}::text[])
         and (request is not null or request_body is not null or answer is not null
              or answer_headers is not null)`;
    cleared += count;
  }
  return cleared;
}
