/** Tenants, which are the businesses in an installation: their creation, settings, state and users. */

import type { Module } from "../platform/modules/index.ts";

export { FIRST_HANDLE, isHandle, isTenantId } from "./handles.ts";
export {
  isTimezone,
  ON_DUPLICATE,
  type OnDuplicate,
  SETTING_NAMES,
  settingFaults,
  SETTINGS,
  TENANT,
  TIMEZONE,
} from "./settings.ts";
export {
  deleteTenant,
  GRACE_days,
  GRACE_s,
  isSuspended,
  refuseSuspended,
  restoreTenant,
  resumeTenant,
  suspendTenant,
  tenantSuspended,
} from "./state.ts";
export {
  createDemoTenant,
  createFirstTenant,
  findDemoTenant,
  findFirstTenant,
  findTenant,
  listTenants,
  patchTenant,
  readTenant,
  updateTenant,
  type NewTenant,
  type Tenant,
  addTenant,
} from "./tenants.ts";
export { type TenantDeps, findOrAddPerson, lockPeople, type Person } from "./users.ts";

export const tenantsModule = {
  name: "tenants",
  imports: ["audit"],
  personal: {
    tenants: {
      user: "name",
      no:
        "id handle default_country timezone currency created_ts updated_ts on_duplicate max_records max_bytes " +
        "is_demo suspended_ts delete_after_ts deletion_started_ts is_suspended import_started_ts imported_ts",
    },
    first_tenant: { no: "is_only tenant_id" },
  },
  excludedFromExport: {
    first_tenant: "belongs to the installation",
  },
} satisfies Module;
