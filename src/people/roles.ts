/** The permissions of each role. docs/people.md contains the same list, and a test compares them. */

import { grants, PERMISSION_NAMES, type Permission } from "../access/index.ts";
import { namesOf } from "../platform/json/index.ts";

export const ROLES = {
  owner: ["admin", "ssn:read"],
  admin: ["admin"],
  reviewer: ["exchange:review", "records:read"],
  agent: ["records:write"],
  viewer: ["records:read"],
} as const satisfies Readonly<Record<string, readonly Permission[]>>;

export type Role = keyof typeof ROLES;

export const ROLE_NAMES = namesOf(ROLES);

/** Returns all permissions of a role, including those implied by others. */
export const permissionsOf = (role: Role): readonly Permission[] =>
  PERMISSION_NAMES.filter((name) => grants(ROLES[role], name));

/**
 * Whether a caller has all of an owner's permissions. Only such callers may create, change or reset owners, because
 * callers cannot grant permissions that they do not have.
 */
export const isAsOwner = ({ permissions }: { readonly permissions: readonly Permission[] }) =>
  ROLES.owner.every((permission) => permissions.includes(permission));
