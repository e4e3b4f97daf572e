/** A partner who calls: its token is turned into the partner as it is now. */

import type { FastifyRequest } from "fastify";
import sql, { type Sql } from "sql-template-tag";
import { type OwnLimits, type Quotas, type Refusals, type Tenant } from "../../access/index.ts";
import type { Scope, TenantId } from "../../audit/index.ts";
import { createAddressList } from "../../platform/addresses/index.ts";
import { type Clock, createMemory } from "../../platform/clock/index.ts";
import { cookieIn, type CookieName } from "../../platform/secrets/index.ts";
import { type Db, run, type Tx } from "../../platform/database/index.ts";
import { AppError } from "../../platform/errors/index.ts";
import {
  NotConfirmed,
  type OperationGroup,
  type LimitedCredential,
} from "../../platform/operations/index.ts";
import { type Identity, refuseCrossSite } from "../../platform/http/index.ts";
import type { PartnerTokens, TokenClaims } from "./partner-token.ts";
import type { Partner, PartnerPermission } from "./partner-bodies.ts";
import { PARTNER_COLUMNS } from "./partners.ts";

/** The cookie of a partner who signed in at the portal: it holds a partner token. */
export const PORTAL_COOKIE = "leadport_partner" satisfies CookieName;

export interface PartnerCaller {
  readonly tenant: Tenant;
  readonly partner: Partner;
  readonly requestId: string;
  /** The versions of the rows that partner and tenant were read from: PostgreSQL's `xmin`. */
  readonly versions: Readonly<Record<"partner" | "tenant", string>>;
  /** Whether it was not read for this call: a statement of the call confirms it. */
  readonly isRemembered: boolean;
}

/** For operations without a statement that confirms a remembered caller. */
export function refuseRemembered({ isRemembered }: PartnerCaller): void {
  if (isRemembered) throw new NotConfirmed();
}

/** Whether a caller has not changed, as a part of the statement that does what it wants. */
export const confirmation = ({ tenant, partner, versions, isRemembered }: PartnerCaller): Sql =>
  isRemembered
    ? sql`
        select exists (
          select from partners p join tenants n on n.id = p.tenant_id
           where p.tenant_id = ${tenant.id}::uuid and p.id = ${partner.id}
             and p.xmin = ${versions.partner}::xid and n.xmin = ${versions.tenant}::xid) as is_confirmed`
    : sql`select true as is_confirmed`;

/** The partner's tenant on a connection, with the partner as the one who acts. */
export const partnerScope = <D extends Db | Tx>(
  db: D,
  { tenant, partner, requestId }: PartnerCaller,
): Scope<D> => ({
  db,
  tenantId: tenant.id,
  actor: { kind: "partner", id: partner.id, name: partner.name, requestId },
  quota: tenant.quota,
});

/**
 * The credential that owns an Idempotency-Key and by whose limit a call is counted: the partner, because a
 * retry may come with the next token, an hour later.
 */
export const partnerCredential = ({ tenant, partner }: PartnerCaller): LimitedCredential => ({
  tenantId: tenant.id,
  id: `partner ${partner.id}`,
  rate_limit: partner.rate_limit,
  concurrency_limit: partner.concurrency_limit,
});

/** Whose credential the log shows. */
export const partnerIdentity = ({ tenant, partner }: PartnerCaller): Identity => ({
  tenant: tenant.id,
  credential: `partner ${partner.id}`,
});

/** What a partner operation needs: a permission, the right to push, or nothing beside the token. */
export type PartnerRight = PartnerPermission | "push" | "own";

/** How partners are recognized. */
export type PartnerAuthentication = Pick<
  OperationGroup<PartnerCaller>,
  "authenticate" | "hasChanged" | "permit"
>;

/** How long a partner is remembered, and how many; what is remembered is confirmed each time. */
const REMEMBERED = { for_ms: 60_000, most: 1000 } as const;

interface PartnerAuthenticationDeps extends AddressDeps {
  readonly tokens: PartnerTokens;
  readonly clock: Clock;
  readonly quotas: Quotas;
}

/**
 * Admits partners. The partner is read for each call, or confirmed by the call's own statement, so that a
 * suspension, another access code, another address list and another limit work at once, and everywhere.
 */
export function createPartnerAuthentication(
  db: Db,
  deps: PartnerAuthenticationDeps,
): PartnerAuthentication {
  const { tokens, clock, quotas } = deps;
  const holders = createMemory<Holder | undefined>(clock, REMEMBERED);
  const find = async (claims: TokenClaims, refresh: boolean): Promise<Holder | undefined> => {
    const { tenantId, partnerId, generation } = claims;
    const key = `${tenantId} ${partnerId} ${generation}`;
    if (refresh) holders.forget(key);
    return holders.get(key, () => findHolder(db, quotas, claims));
  };
  return {
    authenticate: async (request, refresh) => {
      // A failure for a remembered partner is tried again for the partner as it is now, and noted then.
      const noting = refresh ? deps : SILENT;
      const claims = await tokens.verify(tokenIn(request));
      const found = claims === undefined ? undefined : await find(claims, refresh);
      if (found === undefined) {
        noteRefusal(noting, claims, request);
        throw noPartner();
      }
      if (isByPage(request)) refuseCrossSite(request);
      refuseAddress(noting, found.tenant.id, found.partner, request);
      return { ...found, requestId: request.id, isRemembered: !refresh };
    },
    hasChanged: ({ versions }, { versions: now }) =>
      versions.partner !== now.partner || versions.tenant !== now.tenant,
    permit: ({ partner }, permission) => refuseWithout(partner, permission as PartnerRight),
  };
}

export const noPartner = (): AppError =>
  new AppError("unauthenticated", { headers: { "www-authenticate": 'Partner realm="leadport"' } });

/** Only the portal's pages come without the header: their token is in the cookie. */
const isByPage = ({ headers }: FastifyRequest): boolean => headers.authorization === undefined;

/** `Partner <token>`, "partner" in any letter case, or the portal's cookie. */
function tokenIn(request: FastifyRequest): string {
  const token = isByPage(request)
    ? cookieIn(request, PORTAL_COOKIE)
    : /^partner +(\S+) *$/i.exec(request.headers.authorization ?? "")?.[1];
  if (token === undefined) throw noPartner();
  return token;
}

export interface AddressDeps {
  readonly refusals: Pick<Refusals, "note">;
}

const SILENT: AddressDeps = { refusals: { note: () => undefined } };

/**
 * Logs a partner token that opens nothing. If it is one of ours, the partner is suspended or has another
 * access code by now; this also goes into the audit log.
 */
function noteRefusal(
  { refusals }: AddressDeps,
  claims: TokenClaims | undefined,
  { ip: from, id: requestId }: FastifyRequest,
): void {
  const reason = claims === undefined ? "unknown_partner_token" : "revoked";
  const subject = claims && {
    tenantId: claims.tenantId,
    subjectType: "partner" as const,
    subjectId: claims.partnerId,
  };
  refusals.note({ action: "credential_refused", reason, from, requestId }, subject);
}

/** Throws 403 if the partner may not call from the address of a request. */
export function refuseAddress(
  { refusals }: AddressDeps,
  tenantId: TenantId,
  { id: subjectId, ip_allow_list }: Partner,
  { ip: from, id: requestId }: Pick<FastifyRequest, "ip" | "id">,
): void {
  if (createAddressList(ip_allow_list)?.(from) !== false) return;
  const reason = "address_not_allowed";
  const subject = { tenantId, subjectType: "partner", subjectId } as const;
  refusals.note({ action: "credential_refused", reason, from, requestId }, subject);
  throw new AppError("address_refused");
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

type Holder = Omit<PartnerCaller, "requestId" | "isRemembered">;

interface HolderRow extends Partner, Omit<Tenant, "id" | "name" | "quota">, OwnLimits {
  readonly tenant_name: string;
  readonly seen_partner: string;
  readonly seen_tenant: string;
}

/** The active partner of a token that is still worth something, with its tenant. */
async function findHolder(
  db: Db,
  quotas: Quotas,
  { tenantId, partnerId, generation }: TokenClaims,
): Promise<Holder | undefined> {
  const [row] = await run<HolderRow[]>(db)`
    select ${PARTNER_COLUMNS}, n.name as tenant_name,
           n.default_country, n.timezone, n.currency, n.on_duplicate,
           n.max_records, n.max_bytes,
           p.xmin::text as seen_partner, n.xmin::text as seen_tenant
      from partners p join tenants n on n.id = p.tenant_id
     where p.tenant_id = ${tenantId} and p.id = ${partnerId} and p.status = 'active'
       and p.generation = ${generation}`;
  if (row === undefined) return undefined;
  const { tenant_name: name, default_country, timezone, currency, on_duplicate, ...rest } = row;
  const { max_records, max_bytes, seen_partner, seen_tenant, ...partner } = rest;
  const quota = quotas.of(tenantId, { max_records, max_bytes });
  return {
    tenant: { id: tenantId, name, default_country, timezone, currency, on_duplicate, quota },
    partner,
    versions: { partner: seen_partner, tenant: seen_tenant },
  };
}
