/** `POST /crm/partner/token`. */

import { type Operation, operation } from "../../platform/operations/index.ts";
import type { PartnerShapes } from "./partner-bodies.ts";
import type { PartnerTokens } from "./partner-token.ts";
import { exchangeCode, type EnterCodeDeps } from "./token-exchange.ts";

export interface TokenRouteDeps extends EnterCodeDeps {
  readonly tokens: PartnerTokens;
  readonly shapes: PartnerShapes;
}

export const tokenOperation = ({ tokens, shapes, ...deps }: TokenRouteDeps): Operation<undefined> =>
  operation({
    method: "POST",
    url: "/crm/partner/token",
    id: "create_partner_token",
    summary: "Create a partner token",
    description:
      "Returns a partner token, valid for one hour, in exchange for a partner id and an access code.",
    tag: "partner exchange",
    permission: "own",
    security: null,
    body: shapes.token,
    keyless: true,
    secretResponse: true,
    answer: { $ref: "PartnerToken#" },
    failures: {
      401: "Wrong partner id or access code, or the partner is suspended.",
      403: "Your address is not on the partner's list.",
      429: "Too many wrong access codes within 15 minutes. Retry after `Retry-After` seconds.",
    },
    run: async ({ body, request }) => exchangeCode(deps, tokens, body, request),
  });
