/** The first tenant and its owner's token, made at the first start (D11.1). */

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createAccessToken, createTenant, findTenant, PERMISSIONS } from "../access/index.ts";
import { writeSecret } from "../platform/data-folder.ts";
import type { Installation } from "./installation.ts";

const TENANT = "default";

export const ownerTokenFile = (dataDir: string): string => join(dataDir, "owner-token");

/**
 * Makes the tenant `default` where there is none and keeps its owner's token in DATA_DIR/owner-token
 * (0600). Killed between the two, the next start writes a new token: a mark says that one is owed.
 */
export async function ensureOwnerToken({ db, clock, config }: Installation): Promise<void> {
  const file = ownerTokenFile(config.dataDir);
  const owed = `${file}.owed`;
  const found = await findTenant(db.sql, TENANT);
  if (found === undefined) {
    writeSecret(owed, "");
    const { ownerToken } = await createTenant(db.sql, clock, { name: TENANT });
    writeSecret(file, ownerToken);
  } else if (existsSync(owed) && !existsSync(file)) {
    const scope = { db: db.sql, tenantId: found.tenantId };
    const { token } = await createAccessToken(scope, clock, {
      name: "Owner",
      permissions: [...PERMISSIONS],
    });
    writeSecret(file, token);
  }
  rmSync(owed, { force: true });
}
