/** The first tenant and its owner's token, made at the first start (D11.1). */

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createAccessToken, createTenant, findOrAddPerson, findTenant } from "../access/index.ts";
import { type Permission, PERMISSIONS } from "../access/index.ts";
import { SERVICE, type TenantId } from "../audit/index.ts";
import { writeSecret } from "../platform/data-folder.ts";
import { AppError } from "../platform/errors.ts";
import { idSource } from "../platform/ids.ts";
import type { Installation } from "./installation.ts";

const TENANT = "default";

export const ownerTokenFile = (dataDir: string): string => join(dataDir, "owner-token");

/**
 * Makes the tenant `default` where there is none and keeps its owner's token in DATA_DIR/owner-token
 * (0600). A mark says that a token is owed, so that a start that was killed half-way is made good by
 * the next one.
 */
export async function ensureOwnerToken(installation: Installation): Promise<void> {
  const { db, config } = installation;
  const deps = accessDeps(installation);
  const file = ownerTokenFile(config.dataDir);
  const owed = `${file}.owed`;
  if ((await findTenant(db.sql, TENANT)) === undefined) {
    writeSecret(owed, "");
    await createTenant(db.sql, deps, SERVICE, TENANT).catch(ignoreConflict);
  }
  if (!existsSync(owed)) return;
  const tenant = await findTenant(db.sql, TENANT);
  if (tenant === undefined) throw new Error("The tenant that was made is not there");
  writeSecret(file, await createOwnerToken(installation, tenant.id));
  rmSync(owed, { force: true });
}

/** A token of the tenant's first person that may do everything. */
export async function createOwnerToken(
  installation: Installation,
  tenantId: TenantId,
): Promise<string> {
  const deps = accessDeps(installation);
  const { sql: db } = installation.db;
  const person = await findOrAddPerson(db, deps, tenantId, undefined);
  const { token } = await createAccessToken({ db, tenantId, actor: SERVICE }, deps, {
    name: "Owner",
    person,
    permissions: Object.keys(PERMISSIONS) as Permission[],
    expires_ts: null,
    ip_allow_list: [],
  });
  return token;
}

export const accessDeps = ({ clock }: Installation) => ({ clock, makeId: idSource(clock) });

/** Another first start on the same database made the tenant a moment ago. */
function ignoreConflict(error: unknown): void {
  if (!(error instanceof AppError && error.code === "conflict")) throw error;
}
