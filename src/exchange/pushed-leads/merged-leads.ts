/**
 * What the exchange keeps by the id of a CRM lead follows it into the one it is merged into: what a
 * pushed lead was imported as. Who brought a person stays as it is: an attribution names the moment of
 * an import by the id of its lead, and the first import counts (D8.11).
 */

import type { Scope } from "../../audit/index.ts";
import { run, type Tx } from "../../platform/database/index.ts";
import type { MakeId } from "../../platform/clock/index.ts";
import type { JsonObject } from "../../platform/json/index.ts";
import type { MergeHook } from "../../records/index.ts";
import { PUSHED_LEAD } from "./move-lead.ts";

/** Points pushed leads at what is left of the lead that they were imported as. */
export const mergedLeadHook: MergeHook = {
  types: ["lead"],
  move: async (scope, { makeId }, { into, ids }) => {
    const rows = await run<{ id: string; imported_lead_id: string }[]>(
      scope.db,
    )`select id, imported_lead_id from pushed_leads
           where tenant_id = ${scope.tenantId} and imported_lead_id = any(${ids}::text[])
             and imported_lead_id is not null
           order by id for update`;
    const kept: Record<string, string> = {};
    for (const { id, imported_lead_id } of rows) {
      kept[id] = imported_lead_id;
      await point(scope, makeId, id, { from: imported_lead_id, to: into });
    }
    return kept;
  },
  giveBack: async (scope, { makeId }, { from, kept }) => {
    for (const [pushed, old] of Object.entries((kept ?? {}) as JsonObject)) {
      await point(scope, makeId, pushed, { from, to: String(old) });
    }
  },
};

/** Writes what a pushed lead is in the CRM, where it still is what it was, with its entry. */
async function point(
  { db, tenantId, actor }: Scope<Tx>,
  makeId: MakeId,
  id: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const fields = JSON.stringify({ imported_lead_id: [from, to] });
  await run(db)`
      with pointed as (
        update pushed_leads set imported_lead_id = ${to}
         where tenant_id = ${tenantId} and id = ${id} and imported_lead_id = ${from}
        returning id
      )
      insert into changes (tenant_id, id, at, subject_type, subject_id, action,
                           actor_kind, actor_id, actor_name, fields, request_id)
      select ${tenantId}::uuid, ${makeId()}, clock_timestamp(), ${PUSHED_LEAD}, p.id, 'updated',
             ${actor.kind}, ${actor.id}, ${actor.name}, ${fields}::text::json, ${actor.requestId}
        from pointed p`;
}
