/** Where imports store what they have to read twice, and exports what a slow reader has not taken. */

import { join } from "node:path";
import { Spool } from "../files/index.ts";
import type { Installation } from "./installation.ts";

const spoolIn = ({ config, disk, log }: Installation, name: string, max_bytes: number): Spool =>
  new Spool({ folder: join(config.dataDir, name), max_bytes, hasSpace: disk.hasSpace, log });

export const importSpool = (installation: Installation): Spool =>
  spoolIn(installation, "imports", installation.config.importSpoolMax_bytes);

export const exportSpool = (installation: Installation): Spool =>
  spoolIn(installation, "exports", installation.config.exportSpoolMax_bytes);
