/** The first tenant, the file with its owner's token, and the owner's sign-in link. */

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createAccessToken, findTokenTenant, ownerToken } from "../access/index.ts";
import {
  type Tenant,
  createFirstTenant,
  findFirstTenant,
  findOrAddPerson,
} from "../tenants/index.ts";
import { SERVICE } from "../audit/index.ts";
import { epochSeconds } from "../platform/clock/index.ts";
import { readOrNothing, writeSecret } from "../platform/storage/index.ts";
import { firstOwnerLink, type CreatedLink } from "../people/index.ts";
import type { Installation } from "./installation.ts";

export interface FirstTenant {
  /** A one-time link to the console; undefined if an owner can already sign in. */
  readonly link: CreatedLink | undefined;
  /**
   * The state of DATA_DIR/owner-token: it contains a valid token of the first tenant (`valid`), contains something else
   * (`foreign`), or does not exist (`missing`).
   */
  readonly tokenFile: "valid" | "foreign" | "missing";
}

export const ownerTokenFile = (dataDir: string): string => join(dataDir, "owner-token");

/** Creates the first tenant if there is none, and returns how its owner can sign in. */
export async function openFirstTenant(installation: Installation): Promise<FirstTenant> {
  const tenant = await ensureFirstTenant(installation);
  return {
    link: await firstOwnerLink(installation.db.sql, installation, tenant.id),
    tokenFile: await tokenFileOf(installation, tenant),
  };
}

/**
 * Creates the first tenant if the installation has none, and writes its owner's token to DATA_DIR/owner-token (0600).
 * The marker `owner-token.owed` exists until that file is written. If a start is interrupted, the next one writes the
 * file. An existing file is never overwritten, and a file that the operator deleted is not written again.
 */
export async function ensureFirstTenant(installation: Installation): Promise<Tenant> {
  const { sql } = installation.db;
  const file = ownerTokenFile(installation.config.dataDir);
  const marker = `${file}.owed`;
  let tenant = await findFirstTenant(sql);
  let isTokenPending = existsSync(marker);
  if (tenant === undefined) {
    writeSecret(marker, "");
    tenant = await createFirstTenant(sql, installation);
    // The tenant is undefined if a concurrent first start on the same database created it. In that case, the other
    // process stores the token.
    isTokenPending = tenant !== undefined;
    tenant ??= await findFirstTenant(sql);
  }
  if (tenant === undefined) throw new Error("The first tenant does not exist");
  if (isTokenPending && !existsSync(file))
    writeSecret(file, await issueToken(installation, tenant));
  rmSync(marker, { force: true });
  return tenant;
}

async function issueToken(installation: Installation, { id }: Tenant): Promise<string> {
  const { sql: db } = installation.db;
  const scope = { db, tenantId: id, actor: SERVICE };
  const owner = await findOrAddPerson(db, installation, id, undefined);
  return (await createAccessToken(scope, installation, ownerToken(owner))).token;
}

async function tokenFileOf({ config, db, clock }: Installation, { id }: Tenant) {
  const file = ownerTokenFile(config.dataDir);
  if (!existsSync(file)) return "missing";
  // If the file cannot be read, startup must not fail.
  const token = readOrNothing(file).trim();
  const opened = await findTokenTenant(db.sql, token, epochSeconds(clock));
  return opened === id ? "valid" : "foreign";
}
