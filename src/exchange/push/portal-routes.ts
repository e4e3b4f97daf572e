/** How partners come in by the portal: their token is in a cookie that no page can read. */

import type { FastifyReply, FastifyRequest } from "fastify";
import { findTenant, isTenantId } from "../../access/index.ts";
import { epochSeconds } from "../../platform/clock/index.ts";
import { AppError } from "../../platform/errors/index.ts";
import { clearCookie, cookieIn, setCookie } from "../../platform/secrets/index.ts";
import { type Operation, operation } from "../../platform/operations/index.ts";
import { objectSchema, type Schemas } from "../../platform/validation/index.ts";
import {
  enterCode,
  noPartner,
  type PartnerCaller,
  PORTAL_COOKIE,
  type PortalToken,
  type TokenRouteDeps,
} from "../partners/index.ts";

const COMMON = {
  method: "POST",
  tag: "sign-in",
  permission: "own",
  keyless: true,
  noStore: true,
} as const;

const OTHER_SITE = "A page of another site asked";
const SETS_COOKIE = {
  "Set-Cookie": "The cookie with a partner token: HttpOnly, SameSite=Strict.",
} as const;

export const PORTAL_SCHEMAS: Schemas = {
  PartnerSession: objectSchema({
    partner_id: { type: "string" },
    name: { type: "string" },
    expires_ts: { type: "integer", description: "Renew before, or sign in anew." },
  }),
};

/** Sets the cookie, and tells until when it is good. */
function answerIn(
  { id, name }: { readonly id: string; readonly name: string },
  { token, expires_ts }: PortalToken,
  { clock }: TokenRouteDeps,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
) {
  const maxAge_s = expires_ts - epochSeconds(clock);
  setCookie(request, reply, { name: PORTAL_COOKIE, value: token, maxAge_s });
  return { partner_id: id, name, expires_ts };
}

/** Signing in and out, and whose portal it is. */
export const portalOperations = (deps: TokenRouteDeps): readonly Operation<undefined>[] => [
  operation({
    ...COMMON,
    security: null,
    url: "/auth/partner/sign_in",
    id: "partner_sign_in",
    summary: "Change a partner's id and access code for the portal's cookie",
    body: deps.shapes.token,
    answer: { $ref: "PartnerSession#" },
    answerHeaders: SETS_COOKIE,
    failures: {
      401: "A wrong id or access code, or a suspended partner; they are not told apart",
      403: `The right code, from an address that is not on the partner's list; or: ${OTHER_SITE}`,
      429: "Too many wrong access codes within 15 minutes; Retry-After says how long to wait",
    },
    run: async ({ body, request, reply }) => {
      const { tokens, clock } = deps;
      const found = await enterCode(deps, body, request);
      const now_s = epochSeconds(clock);
      const made = await tokens.issueForPortal(found.tenant_id, found, now_s);
      if (made === undefined) throw noPartner();
      return answerIn(found, made, deps, { request, reply });
    },
  }),
  {
    ...COMMON,
    security: null,
    url: "/auth/partner/sign_out",
    id: "partner_sign_out",
    summary: "Forget the portal's cookie",
    answer: { type: "object", properties: { signed_out: { type: "boolean" } } },
    answerHeaders: { "Set-Cookie": "An empty one." },
    failures: { 401: "Never: without a cookie there is nothing to forget", 403: OTHER_SITE },
    run: async ({ request, reply }) => {
      const hadOne = cookieIn(request, PORTAL_COOKIE) !== undefined;
      clearCookie(request, reply, PORTAL_COOKIE);
      return { signed_out: hadOne };
    },
  },
  operation({
    ...COMMON,
    security: null,
    url: "/auth/partner/business",
    id: "get_portal_business",
    summary: "Show the name of a business by its ID",
    body: deps.shapes.business,
    answer: objectSchema({ tenant_name: { type: "string" } }),
    failures: { 403: OTHER_SITE, 404: "No business has this ID" },
    // By its random id alone: a handle can be guessed.
    run: async ({ body: { tenant_id } }) => {
      const tenant = isTenantId(tenant_id) ? await findTenant(deps.sql, tenant_id) : undefined;
      if (tenant === undefined) throw new AppError("not_found");
      return { tenant_name: tenant.name };
    },
  }),
];

/** A fresh cookie for one that is still good, up to 12 hours after the access code was entered. */
export const renewOperation = (deps: TokenRouteDeps): Operation<PartnerCaller> => ({
  ...COMMON,
  security: "PartnerCookie",
  url: "/auth/partner/renew",
  id: "partner_renew",
  summary: "A fresh cookie for the portal, until 12 hours after the access code was entered",
  answer: { $ref: "PartnerSession#" },
  answerHeaders: SETS_COOKIE,
  failures: { 401: "No cookie that is still good, or the access code was entered too long ago" },
  run: async ({ caller: { tenant, partner }, request, reply }) => {
    const claims = await deps.tokens.verify(cookieIn(request, PORTAL_COOKIE) ?? "");
    const { signedIn_ts, partnerId } = claims ?? {};
    // A token that was asked for by API is not renewed, nor is one cookie by another's header.
    if (signedIn_ts === undefined || partnerId !== partner.id) throw noPartner();
    const made = await deps.tokens.issueForPortal(tenant.id, partner, signedIn_ts);
    if (made === undefined) throw noPartner();
    return answerIn(partner, made, deps, { request, reply });
  },
});
