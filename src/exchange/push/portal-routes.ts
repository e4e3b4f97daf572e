/** Signs partners in to the portal. The token is stored in a cookie that scripts cannot read. */

import type { FastifyReply, FastifyRequest } from "fastify";
import { findTenant, isTenantId } from "../../tenants/index.ts";
import { epochSeconds } from "../../platform/clock/index.ts";
import { AppError } from "../../platform/errors/index.ts";
import { clearCookie, cookieIn, setCookie } from "../../platform/secrets/index.ts";
import { type Operation, operation } from "../../platform/operations/index.ts";
import {
  boolean,
  integer,
  objectSchema,
  type Schemas,
  string,
} from "../../platform/schemas/index.ts";
import {
  enterCode,
  unauthenticatedPartner,
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

const OTHER_SITE = "The request came from a page on another site.";
const SETS_COOKIE = {
  "Set-Cookie": "The cookie with the partner token: HttpOnly, SameSite=Strict.",
} as const;

export const PORTAL_SCHEMAS: Schemas = {
  PartnerSession: objectSchema({
    partner_id: string("The id of the partner."),
    name: string("The name of the partner."),
    expires_ts: integer("When the session ends unless you renew it, in epoch seconds."),
  }),
};

/** Sets the cookie, and returns when it expires. */
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

/** Operations to sign in, sign out, and read the name of the portal's business. */
export const portalOperations = (deps: TokenRouteDeps): readonly Operation<undefined>[] => [
  operation({
    ...COMMON,
    security: null,
    url: "/auth/partner/sign_in",
    id: "partner_sign_in",
    summary: "Sign in to the portal",
    description: "Sets the portal cookie in exchange for a partner id and an access code.",
    body: deps.shapes.token,
    answer: { $ref: "PartnerSession#" },
    answerHeaders: SETS_COOKIE,
    failures: {
      401: "Wrong partner id or access code, or the partner is suspended.",
      403: "The request came from a page on another site, or your address is not on the partner's list.",
      429: "Too many wrong access codes within 15 minutes. Retry after `Retry-After` seconds.",
    },
    run: async ({ body, request, reply }) => {
      const { tokens, clock } = deps;
      const found = await enterCode(deps, body, request);
      const now_s = epochSeconds(clock);
      const made = await tokens.issueForPortal(found.tenant_id, found, now_s);
      if (made === undefined) throw unauthenticatedPartner();
      return answerIn(found, made, deps, { request, reply });
    },
  }),
  {
    ...COMMON,
    security: null,
    url: "/auth/partner/sign_out",
    id: "partner_sign_out",
    summary: "Sign out of the portal",
    description: "Removes the portal cookie.",
    answer: {
      type: "object",
      properties: {
        signed_out: boolean("Whether there was a session."),
      },
    },
    answerHeaders: { "Set-Cookie": "An empty cookie." },
    failures: { 403: OTHER_SITE },
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
    summary: "Get the name of a business",
    description: "Returns the name of the business with this id, for the portal's sign-in page.",
    body: deps.shapes.business,
    answer: objectSchema({
      tenant_name: string("The name of the business."),
    }),
    failures: { 403: OTHER_SITE, 404: "No business has this id." },
    // Look up the business only by its random id, because a handle can be guessed.
    run: async ({ body: { tenant_id } }) => {
      const tenant = isTenantId(tenant_id) ? await findTenant(deps.sql, tenant_id) : undefined;
      if (tenant === undefined) throw new AppError("not_found");
      return { tenant_name: tenant.name };
    },
  }),
];

/** Renews a valid cookie, until 12 hours after the access code was entered. */
export const renewOperation = (deps: TokenRouteDeps): Operation<PartnerCaller> => ({
  ...COMMON,
  security: "PartnerCookie",
  url: "/auth/partner/renew",
  id: "partner_renew",
  summary: "Renew the portal session",
  description:
    "Sets a new cookie. You can do this until 12 hours after the access code was entered.",
  answer: { $ref: "PartnerSession#" },
  answerHeaders: SETS_COOKIE,
  failures: {
    401:
      "The cookie is missing, invalid or expired, or more than 12 hours have passed since the " +
      "access code was entered.",
  },
  run: async ({ caller: { tenant, partner }, request, reply }) => {
    const claims = await deps.tokens.verify(cookieIn(request, PORTAL_COOKIE) ?? "");
    const { signedIn_ts, partnerId } = claims ?? {};
    // Tokens issued through the API cannot be renewed. The same applies to a cookie that is sent together with another
    // partner's token in the header.
    if (signedIn_ts === undefined || partnerId !== partner.id) throw unauthenticatedPartner();
    const made = await deps.tokens.issueForPortal(tenant.id, partner, signedIn_ts);
    if (made === undefined) throw unauthenticatedPartner();
    return answerIn(partner, made, deps, { request, reply });
  },
});
