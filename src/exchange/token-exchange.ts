/** A partner's id and access code against a token, and what stops those who guess (D8.1). */

import { timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import { hashOf, plainAddress } from "../access/index.ts";
import type { TenantId } from "../audit/index.ts";
import { transaction, type Db, type Tx } from "../platform/db.ts";
import { AppError } from "../platform/errors.ts";
import { noPartner, refuseAddress } from "./partner-caller.ts";
import { LIFETIME_s, type PartnerTokens } from "./partner-token.ts";
import { PARTNER_COLUMNS, type Partner } from "./partners.ts";

const WRONG_MAX = 5;
const WITHIN_s = 15 * 60;

export interface Credentials {
  readonly partner_id: string;
  readonly access_code: string;
}

export interface IssuedToken {
  readonly access_token: string;
  readonly token_type: "Partner";
  readonly expires_in: number;
}

/**
 * Issues a token. Throws 401 for a wrong id, a wrong code and a suspended partner, which are not told
 * apart; 403 from an address off the list; 429 after five wrong codes for this id from this address,
 * whether or not there is such a partner.
 */
export async function exchangeCode(
  sql: Db,
  tokens: PartnerTokens,
  { partner_id, access_code }: Credentials,
  from: string,
): Promise<IssuedToken> {
  const address = countedAddress(from);
  const guess = { partner_id, address };
  // Asked once without the lock: a flood from one place then waits for nobody and holds nobody up.
  await refuseGuessing(sql, guess);
  const holder = await transaction(sql, async (tx) => {
    // Guesses for one partner from one address wait for each other: no more are tried than counted.
    const place = `wrong codes ${partner_id} ${address}`;
    await tx`select pg_advisory_xact_lock(hashtextextended(${place}, 0))`;
    await refuseGuessing(tx, guess);
    const found = await findByCode(tx, partner_id, access_code);
    if (found === undefined) {
      await tx`insert into wrong_codes ${tx({ ...guess, at: tx`clock_timestamp()` as never })}`;
    }
    return found;
  });
  if (holder === undefined) throw noPartner();
  const { tenant_id, ...partner } = holder;
  refuseAddress(partner, from);
  return {
    access_token: await tokens.issue(tenant_id, partner),
    token_type: "Partner",
    expires_in: LIFETIME_s,
  };
}

/** What a proxy tells may be no address ("unknown"): all of those count as one. */
function countedAddress(from: string): string {
  const address = plainAddress(from);
  return isIP(address) === 0 ? "::" : address;
}

async function refuseGuessing(
  tx: Db | Tx,
  { partner_id, address }: { readonly partner_id: string; readonly address: string },
): Promise<void> {
  const [row] = await tx`
    select count(*)::integer as wrong,
           ceil(extract(epoch from min(at) + ${WITHIN_s} * interval '1 second'
                                   - clock_timestamp()))::integer as wait_s
      from (select at from wrong_codes
             where partner_id = ${partner_id} and address = ${address}
               and at > clock_timestamp() - ${WITHIN_s} * interval '1 second'
             order by at desc limit ${WRONG_MAX}) last`;
  if ((row?.["wrong"] as number) < WRONG_MAX) return;
  const headers = { "retry-after": String(Math.max(row?.["wait_s"] as number, 1)) };
  throw new AppError("too_many_attempts", { headers });
}

type Holder = Partner & { readonly tenant_id: TenantId };

/** What the code of a partner who does not exist is compared with. */
const NOBODY = Buffer.alloc(32);

/** The active partner with this id and code. The same is done and compared where there is none. */
async function findByCode(
  tx: Tx,
  partner_id: string,
  access_code: string,
): Promise<Holder | undefined> {
  const [row] = await tx<(Holder & { readonly access_code_hash: Buffer })[]>`
    select ${tx(["tenant_id", "access_code_hash", ...PARTNER_COLUMNS])}
      from partners where id = ${partner_id}`;
  const { access_code_hash = NOBODY, ...partner } = row ?? {};
  const isRight = timingSafeEqual(hashOf(access_code), access_code_hash);
  return isRight && row?.status === "active" ? (partner as Holder) : undefined;
}

/** Forgets wrong codes that no longer count; how many. */
export async function forgetWrongCodes(sql: Db): Promise<number> {
  const gone = await sql`
    delete from wrong_codes where at < clock_timestamp() - ${WITHIN_s} * interval '1 second'`;
  return gone.count;
}
