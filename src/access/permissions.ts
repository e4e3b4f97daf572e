/** What a token may do. docs/tokens.md lists the same; a test holds the two together. */

import { namesOf } from "../platform/json/index.ts";

export const PERMISSIONS = {
  "records:read": "Read records, their history and exports.",
  "records:write": "Create, change and import records. Includes reading.",
  "exchange:review": "Review what partners push: accept, reject, import.",
  admin: "Everything but reading social security numbers: tokens, audit, tenant, settings.",
  "ssn:read": "Read a social security number whole, with an audit entry each time.",
} as const;

export type Permission = keyof typeof PERMISSIONS;

export const PERMISSION_NAMES = namesOf(PERMISSIONS);

const INCLUDES: Readonly<Partial<Record<Permission, readonly Permission[]>>> = {
  "records:write": ["records:read"],
  admin: ["records:read", "records:write", "exchange:review"],
};

export const isPermission = (text: string): text is Permission => Object.hasOwn(PERMISSIONS, text);

/** Whether one of the held permissions is, or includes, the wanted one. */
export const grants = (held: readonly Permission[], wanted: Permission): boolean =>
  held.some((permission) => permission === wanted || INCLUDES[permission]?.includes(wanted));
