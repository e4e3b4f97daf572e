/** The first tenant, its owner's token, and the link by which its owner comes in (D11.1). */

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createAccessToken, createTenant, findOrAddPerson, findTenant } from "../access/index.ts";
import { type Permission, PERMISSIONS } from "../access/index.ts";
import { SERVICE } from "../audit/index.ts";
import { writeSecret } from "../platform/data-folder.ts";
import { AppError } from "../platform/errors.ts";
import { idSource } from "../platform/ids.ts";
import { firstOwnerLink, type MadeLink } from "../people/index.ts";
import type { Installation } from "./installation.ts";

const TENANT = "default";

export const ownerTokenFile = (dataDir: string): string => join(dataDir, "owner-token");

/**
 * Makes the tenant `default` where there is none and keeps its owner's token in DATA_DIR/owner-token
 * (0600). A mark says that a token is owed, so that a start that was killed half-way is made good by
 * the next one.
 */
export async function ensureOwnerToken(installation: Installation): Promise<void> {
  const { sql } = installation.db;
  const file = ownerTokenFile(installation.config.dataDir);
  const owed = `${file}.owed`;
  if ((await findTenant(sql, TENANT)) === undefined) {
    writeSecret(owed, "");
    const made = await createTenant(sql, accessDeps(installation), { name: TENANT }).catch(
      noConflict,
    );
    if (made !== undefined) writeSecret(file, made.ownerToken);
  } else if (existsSync(owed)) {
    writeSecret(file, await createOwnerToken(installation));
  }
  rmSync(owed, { force: true });
}

async function createOwnerToken(installation: Installation): Promise<string> {
  const { sql: db } = installation.db;
  const deps = accessDeps(installation);
  const tenant = await findTenant(db, TENANT);
  if (tenant === undefined) throw new Error(`The tenant ${TENANT} is gone`);
  const { token } = await createAccessToken({ db, tenantId: tenant.id, actor: SERVICE }, deps, {
    name: "Owner",
    person: await findOrAddPerson(db, deps, tenant.id, undefined),
    permissions: Object.keys(PERMISSIONS) as Permission[],
  });
  return token;
}

/** A one-time link into the console while nobody can sign in as an owner of the first tenant. */
export async function ensureOwnerLink(installation: Installation): Promise<MadeLink | undefined> {
  const { sql } = installation.db;
  const tenant = await findTenant(sql, TENANT);
  return tenant === undefined
    ? undefined
    : firstOwnerLink(sql, accessDeps(installation), tenant.id);
}

export const accessDeps = ({ clock }: Installation) => ({ clock, makeId: idSource(clock) });

/** Another first start on the same database made the tenant a moment ago, and has its token. */
function noConflict(error: unknown): undefined {
  if (!(error instanceof AppError && error.code === "conflict")) throw error;
}
