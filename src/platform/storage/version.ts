/** The version of this Leadport release. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

const PACKAGE = join(import.meta.dirname, "../../../package.json");

export const { version: VERSION } = JSON.parse(readFileSync(PACKAGE, "utf8")) as {
  readonly version: string;
};
