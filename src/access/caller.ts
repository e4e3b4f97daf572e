/** Who asks: the tenant, the token, and the person behind it. */

import type { Scope, TenantId } from "../audit/index.ts";
import type { Db, Tx } from "../platform/db.ts";
import type { Credential } from "../platform/idempotency.ts";
import type { CountryCode } from "libphonenumber-js";
import type { Permission } from "./permissions.ts";

/** A tenant as requests need it. */
export interface Tenant {
  readonly id: TenantId;
  readonly name: string;
  /** The country in which phone numbers without a country code are read (D3.1). */
  readonly default_country: CountryCode;
  readonly timezone: string;
  readonly currency: string;
}

export interface Person {
  readonly id: string;
  readonly name: string;
}

export interface Caller {
  readonly tenant: Tenant;
  readonly tokenId: string;
  readonly person: Person;
  readonly permissions: readonly Permission[];
  readonly requestId: string;
}

/** The caller's tenant on a connection, with the caller as the one who acts. */
export const scopeOf = <D extends Db | Tx>(db: D, caller: Caller): Scope<D> => ({
  db,
  tenantId: caller.tenant.id,
  actor: {
    kind: "token",
    id: caller.tokenId,
    name: caller.person.name,
    requestId: caller.requestId,
  },
});

/** Whose an Idempotency-Key is: the token's. */
export const tokenCredential = ({ tenant, tokenId }: Caller): Credential => ({
  tenantId: tenant.id,
  id: `token ${tokenId}`,
});
