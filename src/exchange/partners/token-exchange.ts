/** Exchanges a partner's id and access code for a token, and limits guessing. */

import { timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { hashOf } from "../../access/index.ts";
import { isSuspended } from "../../tenants/index.ts";
import { attempt, type AttemptDeps, type RefusedSubject } from "../../limits/index.ts";
import type { TenantId } from "../../audit/index.ts";
import { type Db, run } from "../../platform/database/index.ts";
import {
  type AddressDeps,
  refuseAddress,
  tenantSuspendedForPartners,
  unauthenticatedPartner,
} from "./partner-caller.ts";
import { LIFETIME_s, type PartnerTokens } from "./partner-token.ts";
import type { Credentials, Partner } from "./partner-bodies.ts";
import { PARTNER_COLUMNS } from "./partners.ts";

/** Limits on wrong codes from one address: for a single id, and for all ids. */
const WRONG_MAX = 5;
const WRONG_OF_ADDRESS_MAX = 50;
const WITHIN_s = 15 * 60;

export interface EnterCodeDeps extends AttemptDeps, AddressDeps {}

/** Issues a token for a partner's id and access code. Throws the same errors as `enterCode`. */
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
 * Returns the partner with an id and access code. Throws:
 * - 401 for a wrong id, a wrong code or a suspended partner, without distinguishing them
 * - 403 for a suspended tenant, or an address that is not on the partner's list
 * - 429 after five wrong codes from this address for this id, or 50 for all ids, whether or not the partner exists
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
    throw unauthenticatedPartner();
  }
  if (await isSuspended(deps.sql, holder.tenant_id)) throw tenantSuspendedForPartners();
  refuseAddress(deps, holder.tenant_id, holder, request);
  return holder;
}

type Request = Pick<FastifyRequest, "ip" | "id">;

type Holder = Partner & { readonly tenant_id: TenantId };

/** If the partner does not exist, the code is compared with this hash. */
const NO_CODE_HASH = Buffer.alloc(32);

/**
 * Returns the active partner with this id and code. The code is compared even if the id is unknown, so that the
 * response time does not reveal whether the partner exists.
 */
async function findByCode(
  db: Db,
  partner_id: string,
  access_code: string,
): Promise<{ readonly holder: Holder | undefined; readonly known: RefusedSubject | undefined }> {
  const [row] = await run<(Holder & { readonly access_code_hash: Buffer })[]>(db)`
    select p.tenant_id, p.access_code_hash, ${PARTNER_COLUMNS} from partners p where p.id = ${partner_id}`;
  const isRight = timingSafeEqual(hashOf(access_code), row?.access_code_hash ?? NO_CODE_HASH);
  const holder = isRight && row?.status === "active" ? row : undefined;
  const known =
    row && ({ tenantId: row.tenant_id, subjectType: "partner", subjectId: row.id } as const);
  return { holder, known };
}
