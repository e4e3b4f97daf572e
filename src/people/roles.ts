/** What a person may do, by role. docs/people.md lists the same; a test holds the two together. */

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

/** Every permission that a role comes down to, those that others include too. */
export const permissionsOf = (role: Role): readonly Permission[] =>
  PERMISSION_NAMES.filter((name) => grants(ROLES[role], name));

/**
 * Whether a caller holds all that an owner does. Only who does may make, change or reset an owner: nobody
 * hands out a right of which they have none.
 */
export const isAsOwner = ({ permissions }: { readonly permissions: readonly Permission[] }) =>
  ROLES.owner.every((permission) => permissions.includes(permission));
