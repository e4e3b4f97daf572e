/** A copy of the project in which files can be changed. It uses the original's packages. */

import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { ROOT } from "../sources.ts";
import type { Mutation } from "./mutation.ts";

/**
 * Thrown if the source does not contain a mutation's string. The report lists these mutations separately from surviving
 * mutations.
 */
export class TextMissing extends Error {}

export interface Copy {
  readonly folder: string;
  /** Changes the source, runs `work`, and restores the source. */
  readonly mutated: <T>(mutation: Mutation, work: () => Promise<T>) => Promise<T>;
  readonly remove: () => void;
}

const WITH_PACKAGES = [".", "sdk", "console"];
const LEFT_OUT = new Set(["node_modules", ".git", "data"]);

export function copyProject(): Copy {
  const folder = mkdtempSync(join(tmpdir(), "leadport-mutation-"));
  cpSync(ROOT, folder, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
  for (const place of WITH_PACKAGES) {
    symlinkSync(join(ROOT, place, "node_modules"), join(folder, place, "node_modules"));
  }
  return {
    folder,
    mutated: async ({ name, file, find, replace }, work) => {
      const path = join(folder, "src", file);
      const source = readFileSync(path, "utf8");
      const parts = source.split(find);
      if (parts.length !== 2) {
        throw new TextMissing(`${name}: src/${file} contains its text ${parts.length - 1} times`);
      }
      writeFileSync(path, parts.join(replace));
      try {
        return await work();
      } finally {
        writeFileSync(path, source);
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
