/**
 * The only function that moves a pushed lead from one state to another. A single statement logs the move and updates
 * the lead, provided that the lead is still in the expected state. If two decisions run concurrently, only one
 * succeeds.
 */

import sql, { raw, type Sql } from "sql-template-tag";
import { insertChanges, type Scope } from "../../audit/index.ts";
import { PUSHED_LEAD } from "../../events/index.ts";
import { run } from "../../platform/database/index.ts";
import type { MakeId } from "../../platform/ids/index.ts";
import type { Json } from "../../platform/json/index.ts";
import { TRANSITIONS, type Move } from "./states.ts";

/** Returns the condition that a lead's expiration date has passed at `now_s`. */
export const hasExpired = (now_s: number): Sql =>
  sql`coalesce(expiration_ts <= ${now_s}::double precision, false)`;

const SIDES = {
  live: (now_s: number): Sql => sql`not ${hasExpired(now_s)}`,
  over: hasExpired,
  ever: (): Sql => raw("true"),
} as const;

/** Returns the columns that a move sets in addition to the state. */
function columnsOf(move: Move): Readonly<Record<string, Json>> {
  switch (move.event) {
    case "reject":
      return { rejection_reason: move.reason };
    case "import":
      return { imported_lead_id: move.imported_lead_id };
    default:
      return {};
  }
}

/**
 * Moves a pushed lead. Returns false if the lead has been erased, or is not in the state that the move requires.
 */
export async function moveLead(
  { db, tenantId, actor }: Scope,
  makeId: MakeId,
  { id, now_s }: { readonly id: string; readonly now_s: number },
  move: Move,
): Promise<boolean> {
  const { from, to, while: side } = TRANSITIONS[move.event];
  const also = columnsOf(move);
  const fields = {
    status: [from, to],
    ...Object.fromEntries(Object.entries(also).map(([name, value]) => [name, [null, value]])),
  };
  const change = { tenantId, actor, subjectType: PUSHED_LEAD, action: to };
  const entry = sql`select id, ${makeId()} as change_id,
                           ${JSON.stringify(fields)}::text::json as fields
                      from moved`;
  const statement = sql`
      with moved as (
        update pushed_leads
           set status = ${to},
               rejection_reason = coalesce(${also["rejection_reason"] ?? null}::text, rejection_reason),
               imported_lead_id = coalesce(${also["imported_lead_id"] ?? null}::text, imported_lead_id)
         where tenant_id = ${tenantId} and id = ${id} and status = ${from} and erased_ts is null
           and ${SIDES[side](now_s)}
        returning id
      )
      ${insertChanges(change, entry)}`;
  const { count } = await run(db, statement);
  return count > 0;
}
