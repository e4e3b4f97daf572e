/** A partner's id and access code against a token, and what stops those who guess. */

import { timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { attempt, hashOf, type AttemptDeps, type RefusedSubject } from "../../access/index.ts";
import type { TenantId } from "../../audit/index.ts";
import { type Db, run } from "../../platform/database/index.ts";
import { noPartner, refuseAddress, type AddressDeps } from "./partner-caller.ts";
import { LIFETIME_s, type PartnerTokens } from "./partner-token.ts";
import type { Credentials, Partner } from "./partner-bodies.ts";
import { PARTNER_COLUMNS } from "./partners.ts";

/** Wrong codes for one id from one address, and for all ids. */
const WRONG_MAX = 5;
const WRONG_OF_ADDRESS_MAX = 50;
const WITHIN_s = 15 * 60;

export interface EnterCodeDeps extends AttemptDeps, AddressDeps {}

/** Issues a token for an id and its code; throws as `enterCode` does. */
export async function exchangeCode(
  deps: EnterCodeDeps,
  tokens: PartnerTokens,
  credentials: Credentials,
  request: Request,
) {
  const { tenant_id, ...partner } = await enterCode(deps, credentials, request);
  return {
    access_token: await tokens.issue(tenant_id, partner),
    token_type: "Partner",
    expires_in: LIFETIME_s,
  };
}

/**
 * The partner of an id and an access code. Throws 401 for a wrong id, a wrong code and a suspended partner
 * alike; 403 from an address off the list; 429 after five wrong codes for this id from this address, or 50 for
 * all ids, whether or not there is such a partner.
 */
export async function enterCode(
  deps: EnterCodeDeps,
  { partner_id, access_code }: Credentials,
  request: Request,
): Promise<Holder> {
  const limits = [
    { target: `partner ${partner_id}`, most: WRONG_MAX, within_s: WITHIN_s },
    { target: "partner", most: WRONG_OF_ADDRESS_MAX, within_s: WITHIN_s },
  ];
  const { holder, known } = await attempt(deps, limits, request.ip, {
    make: () => findByCode(deps.sql, partner_id, access_code),
    isWrong: (found) => found.holder === undefined,
    isUnknown: (found) => found.known === undefined,
  });
  if (holder === undefined) {
    const reason = known === undefined ? "unknown_account" : "wrong_access_code";
    const { ip: from, id: requestId } = request;
    deps.refusals.note({ action: "sign_in_failed", reason, from, requestId }, known);
    throw noPartner();
  }
  refuseAddress(deps, holder.tenant_id, holder, request);
  return holder;
}

/** Where a request came from, and its id. */
type Request = Pick<FastifyRequest, "ip" | "id">;

type Holder = Partner & { readonly tenant_id: TenantId };

/** What the code of a partner who does not exist is compared with. */
const NOBODY = Buffer.alloc(32);

/** The active partner with this id and code. The same is done and compared where there is none. */
async function findByCode(
  db: Db,
  partner_id: string,
  access_code: string,
): Promise<{ readonly holder: Holder | undefined; readonly known: RefusedSubject | undefined }> {
  const [row] = await run<(Holder & { readonly access_code_hash: Buffer })[]>(db)`
    select p.tenant_id, p.access_code_hash, ${PARTNER_COLUMNS} from partners p where p.id = ${partner_id}`;
  const isRight = timingSafeEqual(hashOf(access_code), row?.access_code_hash ?? NOBODY);
  const holder = isRight && row?.status === "active" ? row : undefined;
  const known =
    row && ({ tenantId: row.tenant_id, subjectType: "partner", subjectId: row.id } as const);
  return { holder, known };
}
