/** The first owner: creates the link for signing in without a token, and checks whether an owner exists yet. */

import { SERVICE, type TenantId } from "../audit/index.ts";
import { type Clock, epochSeconds } from "../platform/clock/index.ts";
import { createMemory } from "../platform/cache/index.ts";
import { type Db, run, transaction } from "../platform/database/index.ts";
import { endLinks, createLink, type CreatedLink } from "./links.ts";
import type { SessionDeps } from "./sessions.ts";

const OWNER_NAME = "Owner";

/**
 * Creates a link for a tenant if none of its owners can sign in, and invalidates earlier links. Returns undefined if an
 * owner can sign in.
 */
export const firstOwnerLink = (
  db: Db,
  deps: SessionDeps,
  tenantId: TenantId,
): Promise<CreatedLink | undefined> =>
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
    return createLink(scope, deps, personId, "first_owner");
  });

/**
 * How long to cache that there is no owner yet. Without this cache, each request without a credential would need a
 * query.
 */
const CACHE = { for_ms: 1000, most: 1 } as const;

/**
 * Creates a function that returns whether an owner of any tenant has set a password. It queries the database at most
 * once a second, and stops querying when there is an owner.
 */
export function createOwnerCheck(db: Db, clock: Clock): () => Promise<boolean> {
  const found = createMemory<boolean>(clock, CACHE);
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
