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
    summary: "Change a partner's id and access code for a token, which lasts an hour",
    tag: "partner exchange",
    permission: "own",
    security: null,
    body: shapes.token,
    keyless: true,
    secretAnswer: true,
    answer: { $ref: "PartnerToken#" },
    failures: {
      401: "A wrong id or access code, or a suspended partner; they are not told apart",
      403: "The right code, from an address that is not on the partner's list",
      429: "Too many wrong access codes within 15 minutes; Retry-After says how long to wait",
    },
    run: async ({ body, request }) => exchangeCode(deps, tokens, body, request),
  });
