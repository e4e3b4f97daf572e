/** `POST /crm/partner/token` (D8.1). */

import type { Db } from "../platform/db.ts";
import type { Operation } from "../platform/operation.ts";
import type { ExchangeShapes } from "./bodies.ts";
import type { PartnerTokens } from "./partner-token.ts";
import { exchangeCode, type Credentials } from "./token-exchange.ts";

export interface TokenRouteDeps {
  readonly sql: Db;
  readonly tokens: PartnerTokens;
  readonly shapes: ExchangeShapes;
}

export const tokenOperation = ({ sql, tokens, shapes }: TokenRouteDeps): Operation<undefined> => ({
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
    429: "Five wrong access codes within 15 minutes; Retry-After says how long to wait",
  },
  run: async ({ body, request }) =>
    exchangeCode(sql, tokens, body as unknown as Credentials, request.ip),
});
