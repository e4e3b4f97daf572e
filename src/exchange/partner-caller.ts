/** A partner who calls: its token is turned into the partner as it is now (D8.1). */

import type { FastifyRequest } from "fastify";
import { createAddressList, type Tenant } from "../access/index.ts";
import type { Scope } from "../audit/index.ts";
import type { Db, Tx } from "../platform/db.ts";
import { AppError } from "../platform/errors.ts";
import type { Credential } from "../platform/idempotency.ts";
import type { Admit } from "../platform/operation.ts";
import type { PartnerTokens, TokenClaims } from "./partner-token.ts";
import { PARTNER_COLUMNS, type Partner, type PartnerPermission } from "./partners.ts";

export interface PartnerCaller {
  readonly tenant: Tenant;
  readonly partner: Partner;
  readonly requestId: string;
}

/** The partner's tenant on a connection, with the partner as the one who acts. */
export const partnerScope = <D extends Db | Tx>(
  db: D,
  { tenant, partner, requestId }: PartnerCaller,
): Scope<D> => ({
  db,
  tenantId: tenant.id,
  actor: { kind: "partner", id: partner.id, name: partner.name, requestId },
});

/**
 * Whose an Idempotency-Key is: the partner's, whose token lasts an hour, so that a retry may come with
 * the next one.
 */
export const partnerCredential = ({ tenant, partner }: PartnerCaller): Credential => ({
  tenantId: tenant.id,
  id: `partner ${partner.id}`,
});

/** What a partner operation needs: a permission, the right to push, or nothing beside the token. */
export type PartnerRight = PartnerPermission | "push" | "own";

/**
 * Admits partners. The partner is read anew for each call, so that a suspension, another access code
 * and another address list work at once, and everywhere.
 */
export const createPartnerAdmission =
  (sql: Db, tokens: PartnerTokens): Admit<PartnerCaller> =>
  async (request, permission) => {
    const claims = await tokens.verify(tokenIn(request));
    const found = claims === undefined ? undefined : await findHolder(sql, claims);
    if (found === undefined) throw noPartner();
    const { partner } = found;
    refuseAddress(partner, request.ip);
    refuseWithout(partner, permission as PartnerRight);
    return { ...found, requestId: request.id };
  };

export const noPartner = (): AppError =>
  new AppError("unauthenticated", { headers: { "www-authenticate": 'Partner realm="leadport"' } });

/** `Partner <token>`, "partner" in any letter case (D1.4). */
function tokenIn({ headers }: FastifyRequest): string {
  const token = /^partner +(\S+) *$/i.exec(headers.authorization ?? "")?.[1];
  if (token === undefined) throw noPartner();
  return token;
}

/** Throws where the partner may not call from this address. */
export function refuseAddress({ ip_allow_list }: Partner, address: string): void {
  if (createAddressList(ip_allow_list)?.(address) === false) throw new AppError("address_refused");
}

function refuseWithout(partner: Partner, right: PartnerRight): void {
  if (right === "own") return;
  const isHeld = right === "push" ? partner.can_push : partner.permissions.includes(right);
  if (isHeld) return;
  const detail =
    right === "push"
      ? "This partner may not push leads: it lacks can_push"
      : `This partner lacks the permission ${right}`;
  throw new AppError("not_permitted", { detail });
}

/** The active partner of a token that is still worth something, with its tenant. */
async function findHolder(
  sql: Db,
  { tenantId, partnerId, generation }: TokenClaims,
): Promise<Pick<PartnerCaller, "tenant" | "partner"> | undefined> {
  const [row] = await sql`
    select ${sql(PARTNER_COLUMNS.map((name) => `p.${name}`))}, n.name as tenant_name,
           n.default_country, n.timezone, n.currency
      from partners p join tenants n on n.id = p.tenant_id
     where p.tenant_id = ${tenantId} and p.id = ${partnerId} and p.status = 'active'
       and p.generation = ${generation}`;
  if (row === undefined) return undefined;
  const { tenant_name, default_country, timezone, currency, ...partner } = row;
  return {
    tenant: { id: tenantId, name: tenant_name, default_country, timezone, currency },
    partner: partner as Partner,
  };
}
