/** Who asks with a partner token, and whether it may: read anew for every request (D8.1, D8.2). */

import { createAddressList, type Tenant } from "../access/index.ts";
import type { Scope, TenantId } from "../audit/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { Db, Tx } from "../platform/db.ts";
import { AppError } from "../platform/errors.ts";
import type { MasterKey } from "../platform/master-key.ts";
import type { Admit } from "../platform/operation.ts";
import { partnerUnauthenticated, verifyPartnerToken } from "./partner-token.ts";
import { readPartnerOf, type Partner } from "./partners.ts";

export interface PartnerCaller {
  readonly tenant: Tenant;
  readonly partner: Partner;
  readonly requestId: string;
}

/** The caller's tenant on a connection, with the partner as the one who acts. */
export const partnerScope = <D extends Db | Tx>(
  db: D,
  { tenant, partner, requestId }: PartnerCaller,
): Scope<D> => ({
  db,
  tenantId: tenant.id,
  actor: { kind: "partner", id: partner.id, name: partner.name, requestId },
});

export interface AdmissionDeps {
  readonly sql: Db;
  readonly clock: Clock;
  readonly keys: MasterKey;
}

/**
 * Turns a partner token into its caller: 401 where it is none, where the partner is suspended or has
 * a newer code; 403 from an address off its list, or without the permission. Nothing is remembered,
 * so that what a tenant changes counts from the next request on, in every process.
 */
export const createPartnerAdmission =
  ({ sql, clock, keys }: AdmissionDeps): Admit<PartnerCaller> =>
  async (request, permission) => {
    const claims = await verifyPartnerToken(keys, clock, request.headers.authorization);
    const found = await readPartnerOf(sql, claims.tenant as TenantId, claims.sub);
    if (found === undefined || found.partner.generation !== claims.gen) {
      throw partnerUnauthenticated();
    }
    const { partner, tenant } = found;
    if (partner.status !== "active") throw partnerUnauthenticated();
    refuseAddress(partner, request.ip);
    refuseWithout(partner, permission);
    return { tenant, partner, requestId: request.id };
  };

/** Throws 403 where a partner may not call from an address. */
export function refuseAddress({ ip_allow_list }: Partner, address: string): void {
  if (createAddressList(ip_allow_list)?.(address) === false) throw new AppError("address_refused");
}

/** `push` is held with `can_push`, `own` by everybody (D8.2). */
function refuseWithout({ can_push, permissions }: Partner, permission: string): void {
  const held: readonly string[] = ["own", ...permissions, ...(can_push ? ["push"] : [])];
  if (held.includes(permission)) return;
  const name = permission === "push" ? "can_push" : permission;
  throw new AppError("not_permitted", { detail: `This partner lacks the permission ${name}` });
}
