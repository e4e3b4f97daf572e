/** A tenant's sequences of numbers. */

import type { Scope } from "../../audit/index.ts";
import { run } from "../../platform/database/index.ts";

/** Takes the next `count` numbers from a tenant's sequence and returns the last one. A sequence may have gaps. */
export async function takeNumber(
  { db, tenantId }: Scope,
  name: string,
  start: number,
  count: number,
): Promise<number> {
  const [row] = await run<[{ readonly value: string }]>(
    db,
  )`insert into counters as c (tenant_id, name, value)
        values (${tenantId}, ${name}, ${start - 1 + count}::bigint)
        on conflict (tenant_id, name) do update set value = c.value + ${count}::bigint
        returning value`;
  return Number(row.value);
}
