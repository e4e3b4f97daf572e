/** Authenticates partners: resolves a partner token to the partner with its current settings. */

import type { FastifyRequest } from "fastify";
import sql, { type Sql } from "sql-template-tag";
import { type Tenant, tenantSuspended } from "../../tenants/index.ts";
import type { OwnLimits, Quotas } from "../../quotas/index.ts";
import type { Refusals } from "../../limits/index.ts";
import type { Scope, TenantId } from "../../audit/index.ts";
import { createAddressList } from "../../platform/addresses/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { createMemory } from "../../platform/cache/index.ts";
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

/** The portal's cookie, which contains a partner token. */
export const PORTAL_COOKIE = "leadport_partner" satisfies CookieName;

/** A request header with the id of the partner that the request is meant for. */
const MEANT_FOR = "X-Partner-Id";

/** Describes the header for openapi.json. It is checked for every operation of partners. */
export const PARTNER_HEADERS = {
  [MEANT_FOR]:
    "The id of the partner that you expect to be signed in as. If the credential belongs to another partner, the request fails with 401.",
} as const;

export interface PartnerCaller {
  readonly tenant: Tenant;
  readonly partner: Partner;
  readonly requestId: string;
  /** The row versions (PostgreSQL's `xmin`) of the partner and tenant when they were read. */
  readonly versions: Readonly<Record<"partner" | "tenant", string>>;
  /** Whether the partner comes from the cache. If so, one of the operation's own statements must confirm it. */
  readonly isCached: boolean;
}

/**
 * Throws NotConfirmed for a cached caller. Call this in operations that run no statement that could confirm the caller.
 */
export function refuseCached({ isCached }: PartnerCaller): void {
  if (isCached) throw new NotConfirmed();
}

/**
 * Returns a subquery that checks that the caller has not changed. Include it in one of the operation's statements. By
 * default, it checks only cached callers.
 */
export const confirmation = (
  { tenant, partner, versions, isCached }: PartnerCaller,
  mayHaveChanged = isCached,
): Sql =>
  mayHaveChanged
    ? sql`
        select exists (
          select from partners p join tenants n on n.id = p.tenant_id
           where p.tenant_id = ${tenant.id}::uuid and p.id = ${partner.id}
             and p.xmin = ${versions.partner}::xid and n.xmin = ${versions.tenant}::xid) as is_confirmed`
    : sql`select true as is_confirmed`;

/** Returns the scope of the partner's tenant on a connection, with the partner as the actor. */
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
 * Returns the credential that idempotency keys and rate limits apply to. This is the partner and not the token, because
 * a client may retry an hour later with another token.
 */
export const partnerCredential = ({ tenant, partner }: PartnerCaller): LimitedCredential => ({
  tenantId: tenant.id,
  id: `partner ${partner.id}`,
  rate_limit: partner.rate_limit,
  concurrency_limit: partner.concurrency_limit,
});

/** Returns the identity to log. */
export const partnerIdentity = ({ tenant, partner }: PartnerCaller): Identity => ({
  tenant: tenant.id,
  credential: `partner ${partner.id}`,
});

/** The right that a partner operation requires: a permission, the right to push, or only a valid token. */
export type PartnerRight = PartnerPermission | "can_push" | "own";

/** The functions that authenticate partners. */
export type PartnerAuthentication = Pick<
  OperationGroup<PartnerCaller>,
  "authenticate" | "hasChanged" | "permit"
>;

/** How long partners are cached, and the maximum number in the cache. Cached partners are confirmed on each call. */
const CACHED = { for_ms: 60_000, most: 1000 } as const;

interface PartnerAuthenticationDeps extends AddressDeps {
  readonly tokens: PartnerTokens;
  readonly clock: Clock;
  readonly quotas: Quotas;
}

/**
 * Authenticates partners. Each call reads the partner or confirms it in one of the operation's statements, so that
 * suspensions and changes to the access code, address list or limits take effect immediately in all processes.
 */
export function createPartnerAuthentication(
  db: Db,
  deps: PartnerAuthenticationDeps,
): PartnerAuthentication {
  const { tokens, clock, quotas } = deps;
  const holders = createMemory<Holder | undefined>(clock, CACHED);
  const find = async (claims: TokenClaims, refresh: boolean): Promise<Holder | undefined> => {
    const { tenantId, partnerId, generation } = claims;
    const key = `${tenantId} ${partnerId} ${generation}`;
    if (refresh) holders.forget(key);
    return holders.get(key, () => findHolder(db, quotas, claims));
  };
  return {
    authenticate: async (request, refresh) => {
      // If a cached partner is rejected, it is authenticated again with fresh data. Only a second failure is logged.
      const noting = refresh ? deps : SILENT;
      const claims = await tokens.verify(tokenIn(request));
      const found = claims === undefined ? undefined : await find(claims, refresh);
      if (found === undefined) {
        noteRefusal(noting, claims, request);
        throw unauthenticatedPartner();
      }
      refuseOtherPartner(request, found.partner);
      if (isFromPortal(request)) refuseCrossSite(request);
      if (found.tenant.is_suspended === true) throw tenantSuspendedForPartners();
      refuseAddress(noting, found.tenant.id, found.partner, request);
      return { ...found, requestId: request.id, isCached: !refresh };
    },
    hasChanged: ({ versions }, { versions: now }) =>
      versions.partner !== now.partner || versions.tenant !== now.tenant,
    permit: ({ partner }, permission) =>
      refuseWithoutPermission(partner, permission as PartnerRight),
  };
}

/** The suspension error for partners, who do not know the operator and must contact the business instead. */
export const tenantSuspendedForPartners = (): AppError =>
  tenantSuspended("This business is suspended. Contact the business.");

export const unauthenticatedPartner = (): AppError =>
  new AppError("unauthenticated", { headers: { "www-authenticate": 'Partner realm="leadport"' } });

/**
 * Throws 401 if the request is meant for another partner. All windows of a browser share the portal's cookie, so another
 * partner can sign in while a window still submits leads.
 */
function refuseOtherPartner({ headers }: FastifyRequest, { id }: Partner): void {
  const wanted = headers[MEANT_FOR.toLowerCase()];
  if (wanted !== undefined && wanted !== id) throw unauthenticatedPartner();
}

/** Only portal pages omit the Authorization header, because their token is in the cookie. */
const isFromPortal = ({ headers }: FastifyRequest): boolean => headers.authorization === undefined;

/** Reads `Partner <token>`, with "partner" in any letter case, or the portal's cookie. */
function tokenIn(request: FastifyRequest): string {
  const token = isFromPortal(request)
    ? cookieIn(request, PORTAL_COOKIE)
    : /^partner +(\S+) *$/i.exec(request.headers.authorization ?? "")?.[1];
  if (token === undefined) throw unauthenticatedPartner();
  return token;
}

export interface AddressDeps {
  readonly refusals: Pick<Refusals, "note">;
}

const SILENT: AddressDeps = { refusals: { note: () => undefined } };

/**
 * Logs a rejected partner token. A token that Leadport issued is rejected if the partner has since been suspended or
 * received another access code. In that case, the rejection is also recorded in the audit log.
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

/** Throws 403 if the partner may not call from the request's address. */
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

function refuseWithoutPermission(partner: Partner, right: PartnerRight): void {
  if (right === "own") return;
  const isHeld = right === "can_push" ? partner.can_push : partner.permissions.includes(right);
  if (isHeld) return;
  const detail =
    right === "can_push"
      ? "This partner may not push leads; enable can_push for it"
      : `This partner lacks the ${right} permission`;
  throw new AppError("not_permitted", { detail });
}

type Holder = Omit<PartnerCaller, "requestId" | "isCached">;

interface HolderRow extends Partner, Omit<Tenant, "id" | "name" | "quota">, OwnLimits {
  readonly tenant_name: string;
  readonly seen_partner: string;
  readonly seen_tenant: string;
}

/** Returns the active partner of a valid token, with its tenant. */
async function findHolder(
  db: Db,
  quotas: Quotas,
  { tenantId, partnerId, generation }: TokenClaims,
): Promise<Holder | undefined> {
  const [row] = await run<HolderRow[]>(db)`
    select ${PARTNER_COLUMNS}, n.name as tenant_name,
           n.default_country, n.timezone, n.currency, n.on_duplicate,
           n.max_records, n.max_bytes, n.is_suspended,
           p.xmin::text as seen_partner, n.xmin::text as seen_tenant
      from partners p join tenants n on n.id = p.tenant_id
     where p.tenant_id = ${tenantId} and p.id = ${partnerId} and p.status = 'active'
       and p.generation = ${generation}`;
  if (row === undefined) return undefined;
  const { tenant_name: name, default_country, timezone, currency, on_duplicate, ...rest } = row;
  const { max_records, max_bytes, is_suspended, seen_partner, seen_tenant, ...partner } = rest;
  const quota = quotas.of(tenantId, { max_records, max_bytes });
  return {
    tenant: {
      id: tenantId,
      name,
      default_country,
      timezone,
      currency,
      on_duplicate,
      quota,
      is_suspended,
    },
    partner,
    versions: { partner: seen_partner, tenant: seen_tenant },
  };
}
