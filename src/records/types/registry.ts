/**
 * The only place that knows which record types a tenant has. Whatever handles a tenant's data asks here for each
 * request or task, and looks up referenced types here too. The caches of what is computed from a type (`once`) use its
 * identity as the key, so a tenant's types must remain the same objects until they change.
 */

import { BUILT_IN_TYPES, type RecordName, type RecordTypes } from "./record-types.ts";

/** Determines the tenant, like a scope. */
interface OfTenant {
  readonly tenantId: string;
}

/** Returns a tenant's record types. All tenants have the built-in ones. */
export const typesOf: (of: OfTenant) => RecordTypes = () => BUILT_IN_TYPES;

export const typeOf = <Name extends RecordName>(of: OfTenant, name: Name): RecordTypes[Name] =>
  typesOf(of)[name];
