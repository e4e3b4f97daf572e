/** The facts on which the decision on a push depends. A single statement reads all of them. */

import sql, { type Sql } from "sql-template-tag";
import { isInTx, type Scope, type TenantId } from "../../audit/index.ts";
import { forReads, run } from "../../platform/database/index.ts";
import type { PersonKeys } from "../../records/contact-details/index.ts";
import { confirmation, type PartnerCaller } from "../partners/index.ts";
import { isPersonSql } from "../lookup/index.ts";
import type { OPEN } from "../pushed-leads/index.ts";
import { lockSql } from "./lock.ts";

export interface Facts {
  /** Whether the caller is still up to date. */
  readonly is_confirmed: boolean;
  /** Whether the tenant has erased and blocked the person. */
  readonly is_blocked: boolean;
  /** Whether the tenant knows the person: from its records, or from its own system. */
  readonly is_known: boolean;
  /** The person's pending and accepted pushed leads, by any partner, newest first. */
  readonly open: readonly OpenPush[];
}

export interface OpenPush {
  readonly id: string;
  readonly partner_id: string;
  readonly status: (typeof OPEN)[number];
  readonly expiration_ts: number | null;
}

/**
 * Returns a query with one row. Its column `is_blocked` shows whether the tenant has erased and blocked the person.
 * Without `keys`, it shows whether the tenant has blocked anyone, which is a cheaper query.
 */
export type IsBlockedSql = (tenantId: TenantId, keys?: PersonKeys) => Sql;

/** A pushed person. */
export interface PushedPerson {
  readonly keys: PersonKeys;
  /** Whether the tenant knows the person. Undefined if its records show this. */
  readonly isKnown: boolean | undefined;
}

/**
 * Returns the condition for the pushed leads of a person that are pending or accepted. It is about no other column,
 * because PostgreSQL would then consider indexes with which it would read all of a tenant's leads.
 */
export const isOpenSql = (tenantId: TenantId, { email, phone }: PersonKeys): Sql => sql`
  (open_by_email = ${email && `${tenantId} ${email}`}::text
   or open_by_phone = ${phone && `${tenantId} ${phone}`}::text)`;

/** Conditions under which the facts still hold. */
export interface FactsHold {
  /** The caller is confirmed, and the person not blocked. */
  readonly isAllowed: Sql;
  /** The tenant knows the person. */
  readonly isKnownSql: Sql;
}

/**
 * Reads the facts. All parts of the query always run, so that the response time does not reveal whether the person is
 * known. Few tenants block people, so only their pushes need digests, which take a second query. In a transaction, the
 * person is locked first. Also returns the conditions to check again when the decision is stored.
 */
export async function readFacts(
  scope: Scope,
  isBlockedSql: IsBlockedSql,
  caller: PartnerCaller,
  { keys, isKnown }: PushedPerson,
): Promise<FactsHold & { readonly facts: Facts }> {
  const { db, tenantId } = scope;
  // The external duplicate check takes time in which even a caller that was not cached can change.
  const confirmed = confirmation(caller, caller.isCached || isKnown !== undefined);
  const known = isKnown === undefined ? isPersonSql(tenantId, keys) : sql`${isKnown}::boolean`;
  const options = isInTx(scope) ? { first: lockSql(tenantId, keys) } : {};
  const read = async (isBlocked: Sql) => {
    const [facts] = await run<[Facts]>(
      forReads(db),
      sql`
        select (${confirmed}) as is_confirmed, (${isBlocked}) as is_blocked, ${known} as is_known,
               array(select json_build_object('id', id, 'partner_id', partner_id, 'status', status,
                                              'expiration_ts', expiration_ts)
                       from pushed_leads where ${isOpenSql(tenantId, keys)} order by id desc) as open`,
      options,
    );
    const isAllowed = sql`(${confirmed}) and not (${isBlocked})`;
    return { facts, isAllowed, isKnownSql: known };
  };
  const cheap = await read(isBlockedSql(tenantId));
  return cheap.facts.is_blocked ? read(isBlockedSql(tenantId, keys)) : cheap;
}
