/** Which release of Leadport is running. */

import { commit, VERSION } from "../storage/index.ts";
import { ownMigrations } from "./steps.ts";

export interface Release {
  readonly version: string;
  /** The commit from which the program was built; null if it is unknown. */
  readonly commit: string | null;
  /** The number of the program's last migration. */
  readonly schema_version: number;
}

export const release = (): Release => ({
  version: VERSION,
  commit: commit() ?? null,
  schema_version: ownMigrations().version,
});
