/** Creates a tenant with the token of its owner. */

import { SERVICE } from "../audit/index.ts";
import { type Db, transaction } from "../platform/database/index.ts";
import { addTenant, type NewTenant, type Person, type Tenant } from "../tenants/index.ts";
import { PERMISSION_NAMES } from "./permissions.ts";
import { type AccessDeps, addAccessToken, type NewToken } from "./tokens.ts";

/** Returns a token for the tenant's owner, with all permissions and no expiration. */
export const ownerToken = (person: Person): NewToken => ({
  name: "Owner",
  person,
  permissions: PERMISSION_NAMES,
});

/** A new tenant, its first user and the user's token. */
interface CreatedTenant {
  readonly tenant: Tenant;
  readonly owner: Person;
  readonly ownerToken: string;
}

/**
 * Creates a tenant with its first user, and a token for that user with all permissions. Throws 409 if the handle is
 * invalid or taken, or if a setting is invalid.
 */
export const createTenant = (db: Db, deps: AccessDeps, given: NewTenant): Promise<CreatedTenant> =>
  transaction(db, async (tx) => {
    const created = await addTenant(tx, deps, given);
    const scope = { db: tx, tenantId: created.tenant.id, actor: SERVICE };
    const { token } = await addAccessToken(scope, deps, ownerToken(created.owner));
    return { ...created, ownerToken: token };
  });
