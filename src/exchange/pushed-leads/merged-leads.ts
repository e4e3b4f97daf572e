/**
 * When CRM leads are merged, redirects pushed leads that were imported as one of them to the surviving lead.
 * Attributions do not change: they refer to the lead that the first import created.
 */

import sql from "sql-template-tag";
import { insertChanges } from "../../audit/index.ts";
import { run, type Tx } from "../../platform/database/index.ts";
import type { Participant, Writer } from "../../records/store/index.ts";
import { PUSHED_LEAD } from "../../events/index.ts";

export const mergedLeads: Participant = {
  types: ["lead"],
  merging: {
    move: async (writer, { into, ids }) => {
      const { db, tenantId } = writer.scope;
      const rows = await run<{ id: string; imported_lead_id: string }[]>(db)`
        select id, imported_lead_id from pushed_leads
         where tenant_id = ${tenantId} and imported_lead_id = any(${ids}::text[])
           and imported_lead_id is not null
         order by id for update`;
      const moves = rows.map(({ id, imported_lead_id: from }): Move => ({ id, from, to: into }));
      await point(writer, moves);
      return Object.fromEntries(moves.map(({ id, from }) => [id, from]));
    },
    restore: (writer, { from, kept }) => {
      const moves = Object.entries(kept).map(([id, old]): Move => ({ id, from, to: String(old) }));
      return point(writer, moves);
    },
  },
};

/** A pushed lead, with the id of its CRM lead before and after the change. */
interface Move {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Updates the pushed leads' references to CRM leads, and logs each update. References that have changed in the meantime
 * stay unchanged.
 */
async function point({ scope, deps }: Writer<Tx>, moves: readonly Move[]): Promise<void> {
  if (moves.length === 0) return;
  const { db, tenantId, actor } = scope;
  const fields = moves.map(({ from, to }) => JSON.stringify({ imported_lead_id: [from, to] }));
  const pointed = sql`select id, change_id, fields::json as fields
                        from pointed order by change_id`;
  const change = { tenantId, actor, subjectType: PUSHED_LEAD, action: "updated" };
  const statement = sql`
      with pointed as (
        update pushed_leads p set imported_lead_id = g.new_id
          from unnest(${moves.map(({ id }) => id)}::text[], ${moves.map(({ from }) => from)}::text[],
                      ${moves.map(({ to }) => to)}::text[], ${moves.map(deps.makeId)}::text[],
                      ${fields}::text[]) as g(id, old_id, new_id, change_id, fields)
         where p.tenant_id = ${tenantId} and p.id = g.id and p.imported_lead_id = g.old_id
        returning p.id, g.change_id, g.fields
      )
      ${insertChanges(change, pointed)}`;
  await run(db, statement);
}
