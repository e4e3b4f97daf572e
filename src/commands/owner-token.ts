/** The first tenant, the file with its owner's token, and the link by which its owner signs in. */

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  createAccessToken,
  createFirstTenant,
  findFirstTenant,
  findOrAddPerson,
  findTokenTenant,
  ownerToken,
  type Tenant,
} from "../access/index.ts";
import { SERVICE } from "../audit/index.ts";
import { epochSeconds } from "../platform/clock/index.ts";
import { readOrNothing, writeSecret } from "../platform/storage/index.ts";
import { firstOwnerLink, type MadeLink } from "../people/index.ts";
import type { Installation } from "./installation.ts";

export interface FirstTenant {
  /** Opens the console once; undefined if an owner can sign in. */
  readonly link: MadeLink | undefined;
  /** What DATA_DIR/owner-token is: a token that opens the first tenant, some other text, or no file. */
  readonly tokenFile: "valid" | "foreign" | "missing";
}

export const ownerTokenFile = (dataDir: string): string => join(dataDir, "owner-token");

/** Creates the first tenant if there is none, and prepares how its owner gets in. */
export async function openFirstTenant(installation: Installation): Promise<FirstTenant> {
  const tenant = await ensureFirstTenant(installation);
  return {
    link: await firstOwnerLink(installation.db.sql, installation, tenant.id),
    tokenFile: await tokenFileOf(installation, tenant),
  };
}

/**
 * The first tenant, created if the installation has none, with its owner's token in
 * DATA_DIR/owner-token (0600). The mark `owner-token.owed` stays until that file is written, so that
 * the next start completes one that was killed. An existing file is never overwritten, and one that
 * the operator deleted is not written again.
 */
export async function ensureFirstTenant(installation: Installation): Promise<Tenant> {
  const { sql } = installation.db;
  const file = ownerTokenFile(installation.config.dataDir);
  const owed = `${file}.owed`;
  let tenant = await findFirstTenant(sql);
  let isOwed = existsSync(owed);
  if (tenant === undefined) {
    writeSecret(owed, "");
    tenant = await createFirstTenant(sql, installation);
    // Undefined: another first start on the same database created it, and stores its token.
    isOwed = tenant !== undefined;
    tenant ??= await findFirstTenant(sql);
  }
  if (tenant === undefined) throw new Error("The first tenant is gone");
  if (isOwed && !existsSync(file)) writeSecret(file, await issueToken(installation, tenant));
  rmSync(owed, { force: true });
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
  // The service starts without a file that cannot be read.
  const token = readOrNothing(file).trim();
  const opened = await findTokenTenant(db.sql, token, epochSeconds(clock));
  return opened === id ? "valid" : "foreign";
}
