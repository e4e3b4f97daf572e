/** Where imports store what they have to read twice. */

import { join } from "node:path";
import { Spool } from "../files/index.ts";
import type { Installation } from "./installation.ts";

export const importSpool = ({ config, log }: Installation): Spool =>
  new Spool({
    folder: join(config.dataDir, "imports"),
    max_bytes: config.importSpoolMax_bytes,
    log,
  });
