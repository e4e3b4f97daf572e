/** Splits the scripts in migrations/ into statements. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Migrations, Step } from "./steps.ts";

/** Reads the statements of a step. */
export const readStatements = (
  { folder }: Pick<Migrations, "folder">,
  { file }: Pick<Step, "file">,
): readonly string[] => statementsOf(readFileSync(join(folder, file), "utf8"));

/** Matches one piece of a script. Semicolons within comments, quotes and `$$` bodies do not separate statements. */
const PIECE =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|;|[^;'"$/-]+|[\s\S]/g;

/** Splits a script into statements. Function bodies must be dollar-quoted. */
export function statementsOf(script: string): string[] {
  const statements = [""];
  for (const [piece] of script.matchAll(PIECE)) {
    if (piece.startsWith("--") || piece.startsWith("/*")) continue;
    if (piece === ";") statements.push("");
    else statements[statements.length - 1] += piece;
  }
  return statements.map((text) => text.trim()).filter((text) => text !== "");
}
