/** Reads the text of a generated page: the Markdown file in this folder that has the same name. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

export const template = (name: string): string =>
  readFileSync(join(import.meta.dirname, `${name}.md`), "utf8");
