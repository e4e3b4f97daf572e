/** The first owner: the link by which they sign in without a token, and whether there is an owner yet. */

import { SERVICE, type TenantId } from "../audit/index.ts";
import { type Clock, createMemory, epochSeconds } from "../platform/clock/index.ts";
import { type Db, run, transaction } from "../platform/database/index.ts";
import { endLinks, makeLink, type MadeLink } from "./links.ts";
import type { SessionDeps } from "./sessions.ts";

const OWNER_NAME = "Owner";

/**
 * A fresh link for a tenant in which no owner can sign in, in the place of an earlier one; undefined where
 * one can.
 */
export const firstOwnerLink = (
  db: Db,
  deps: SessionDeps,
  tenantId: TenantId,
): Promise<MadeLink | undefined> =>
  transaction(db, async (tx) => {
    const [owner] = await run(tx)`
      select from people
       where tenant_id = ${tenantId} and role = 'owner' and password_hash is not null
         and not is_suspended limit 1`;
    if (owner !== undefined) return undefined;
    const [unnamed] = await run<{ id: string }[]>(tx)`
      select id from people where tenant_id = ${tenantId} and email is null order by id limit 1`;
    const personId = unnamed?.id ?? deps.makeId();
    if (unnamed === undefined) {
      await run(tx)`
        insert into people (tenant_id, id, name, created_ts)
        values (${tenantId}, ${personId}, ${OWNER_NAME}, ${epochSeconds(deps.clock)})`;
    }
    const scope = { db: tx, tenantId, actor: SERVICE };
    await endLinks(scope, personId);
    return makeLink(scope, deps, personId, "first_owner");
  });

/** How long "no owner yet" is remembered, so that requests without a credential cost no query each. */
const REMEMBERED = { for_ms: 1000, most: 1 } as const;

/**
 * Whether an owner of any tenant has set a password. The database is asked at most once a second, and never
 * again once there is one.
 */
export function createOwnerCheck(db: Db, clock: Clock): () => Promise<boolean> {
  const found = createMemory<boolean>(clock, REMEMBERED);
  let isKnown = false;
  return async () => {
    if (isKnown) return true;
    const hasOwner = await found.get("", () => readHasOwner(db));
    if (hasOwner) isKnown = true;
    return hasOwner;
  };
}

async function readHasOwner(db: Db): Promise<boolean> {
  const [row] = await run<{ has_owner: boolean }[]>(db)`
    select exists (
      select from people where role = 'owner' and password_hash is not null) as has_owner`;
  return row?.has_owner === true;
}
