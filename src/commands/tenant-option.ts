/** The option `--tenant`: a handle or id. Names are not accepted because they are not unique. */

import { type Tenant, findFirstTenant, findTenant } from "../tenants/index.ts";
import type { Db } from "../platform/database/index.ts";
import { StartError } from "../platform/errors/index.ts";
import type { Option } from "./command.ts";

const option = (note: string): Option => ({
  type: "string",
  value: "<handle>",
  doc: `Handle or id of the tenant. ${note}`,
});

export const REQUIRED_TENANT = option("Required.");
export const OPTIONAL_TENANT = option("Default: the first tenant.");

const ADVICE = "Run `leadport tenant list` to see all tenants.";

/** Finds a tenant by handle or id. Default: the installation's first tenant. */
export async function chosenTenant(db: Db, given: string | undefined): Promise<Tenant> {
  const tenant = given === undefined ? await findFirstTenant(db) : await findTenant(db, given);
  if (tenant !== undefined) return tenant;
  throw new StartError(
    given === undefined
      ? `This installation has no first tenant. Run \`leadport start\` to create it, or choose a tenant with --tenant. ${ADVICE}`
      : `There is no tenant with the handle or id "${given}". ${ADVICE}`,
  );
}
