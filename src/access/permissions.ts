/** Permissions of credentials. docs/tokens.md contains the same list, and a test compares the two. */

import { namesOf } from "../platform/json/index.ts";

export const PERMISSIONS = {
  "records:read": "Read records, their history and exports.",
  "records:write": "Create, change and import records. Includes reading.",
  "exchange:review": "Review partner leads: accept, reject, import.",
  admin: "Everything except reading social security numbers: tokens, audit, tenant, settings.",
  "ssn:read": "Read full social security numbers. Each read is recorded in the audit log.",
} as const;

export type Permission = keyof typeof PERMISSIONS;

export const PERMISSION_NAMES = namesOf(PERMISSIONS);

const INCLUDES: Readonly<Partial<Record<Permission, readonly Permission[]>>> = {
  "records:write": ["records:read"],
  admin: ["records:read", "records:write", "exchange:review"],
};

export const isPermission = (text: string): text is Permission => Object.hasOwn(PERMISSIONS, text);

/** Whether one of the granted permissions equals or includes the required one. */
export const grants = (granted: readonly Permission[], required: Permission): boolean =>
  granted.some((permission) => permission === required || INCLUDES[permission]?.includes(required));
