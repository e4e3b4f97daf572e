/** `GET /crm/admin/audit`. */

import type { Database } from "../platform/database/index.ts";
import { linkNext } from "../platform/paging/index.ts";
import { operation, type Operation } from "../platform/operations/index.ts";
import type { TenantId } from "./scope.ts";
import { AUDIT_PARAMETERS, readChanges } from "./read.ts";

interface TenantCaller {
  readonly tenant: { readonly id: TenantId };
}

export const auditOperations = (db: Database): readonly Operation<TenantCaller>[] => [
  operation({
    method: "GET",
    url: "/crm/admin/audit",
    id: "list_audit",
    summary: "List audit entries",
    description: "Lists who changed what, newest first.",
    tag: "administration",
    permission: "admin",
    query: AUDIT_PARAMETERS,
    answer: { type: "array", items: { $ref: "Change#" } },
    run: async ({ caller, query, request, reply }) => {
      const { entries, next } = await readChanges(db.sql, caller.tenant.id, query);
      linkNext(request, reply, next);
      return entries;
    },
  }),
];
