/** `GET /crm/admin/system`: a tenant's failed and slow requests, and the installation's state. */

import type { Caller } from "../access/index.ts";
import { findFirstTenant } from "../tenants/index.ts";
import type { Clock } from "../platform/clock/index.ts";
import type { Db } from "../platform/database/index.ts";
import type { JsonObject } from "../platform/json/index.ts";
import { operation, type Operation } from "../platform/operations/index.ts";
import { isAsOwner } from "../people/index.ts";
import type { Outcomes } from "./outcomes.ts";
import { readOutcomes } from "./stored-outcomes.ts";

export interface SystemDeps {
  readonly sql: Db;
  readonly clock: Clock;
  readonly outcomes: Pick<Outcomes, "flush">;
  /** Returns the installation's state (schema `Installation`). */
  readonly readInstallation: () => Promise<JsonObject>;
}

export const systemOperations = (deps: SystemDeps): readonly Operation<Caller>[] => [
  operation({
    method: "GET",
    url: "/crm/admin/system",
    id: "get_system",
    summary: "Get the system state",
    description:
      "Returns the failed and slow requests of the last hour and, for owners of the first tenant, the " +
      "state of the installation.",
    tag: "administration",
    permission: "admin",
    answer: { $ref: "System#" },
    run: async ({ caller }) => {
      const { sql, clock, outcomes, readInstallation } = deps;
      // Store this process's counts first. The stored counts of other processes may be a few seconds old.
      await outcomes.flush();
      const { id } = caller.tenant;
      const isOperator = isAsOwner(caller) && (await findFirstTenant(sql))?.id === id;
      return {
        ...(await readOutcomes(sql, id, clock)),
        installation: isOperator ? await readInstallation() : null,
      };
    },
  }),
];
