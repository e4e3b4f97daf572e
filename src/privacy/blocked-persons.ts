/** People that partners cannot push again, stored as keyed digests of their addresses and numbers. */

import sql, { type Sql } from "sql-template-tag";
import type { Scope, TenantId } from "../audit/index.ts";
import { run } from "../platform/database/index.ts";
import type { Sealer } from "../platform/secrets/index.ts";
import { keyTexts, type PersonKeys } from "../records/contact-details/index.ts";
import { readPrivacy } from "./privacy-settings.ts";
import { type Terms } from "./person/index.ts";

const textsOf = ({ emails, phones }: Pick<Terms, "emails" | "phones">): readonly string[] => [
  ...emails.flatMap((email) => keyTexts({ email, phone: null })),
  ...phones.flatMap((phone) => keyTexts({ email: null, phone })),
];

/** Returns digests of addresses and numbers, using the tenant's newest key. */
export const digestsOf = (
  sealer: Sealer,
  tenantId: string,
  terms: Pick<Terms, "emails" | "phones">,
): readonly Buffer[] =>
  textsOf(terms).flatMap((text) => sealer.digests(tenantId, Buffer.from(text)).slice(0, 1));

/** Blocks a person if the tenant's settings require this. */
export async function blockPersons(
  scope: Scope,
  sealer: Sealer,
  terms: Terms,
  now_s: number,
): Promise<void> {
  if (!(await readPrivacy(scope)).block_erased) return;
  await storeBlocked(scope, digestsOf(sealer, scope.tenantId, terms), now_s);
}

export async function storeBlocked(
  { db, tenantId }: Scope,
  digests: readonly Buffer[],
  now_s: number,
): Promise<void> {
  const hex = digests.map((digest) => digest.toString("hex"));
  await run(db)`
    insert into blocked_persons (tenant_id, digest, created_ts)
    select distinct ${tenantId}::uuid, decode(d, 'hex'), ${now_s}::bigint from unnest(${hex}::text[]) d
        on conflict do nothing`;
}

/**
 * Returns a query with one row. Its column `is_blocked` shows whether the tenant has erased and blocked the person.
 * Without `keys`, it shows whether the tenant has blocked anyone.
 */
export const createBlockedSql =
  (sealer: Sealer) =>
  (tenantId: TenantId, keys?: PersonKeys): Sql => {
    if (keys === undefined) {
      return sql`
        select exists (select from blocked_persons where tenant_id = ${tenantId}) as is_blocked`;
    }
    const hex = keyTexts(keys)
      .flatMap((text) => sealer.digests(tenantId, Buffer.from(text)))
      .map((digest) => digest.toString("hex"));
    return sql`
      select exists (
        select from blocked_persons
         where tenant_id = ${tenantId}
           and digest = any(array(select decode(d, 'hex') from unnest(${hex}::text[]) d))
      ) as is_blocked`;
  };
