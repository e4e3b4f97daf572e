/**
 * Runs the test files of a folder in this process, one after another. Starting a process and loading the service takes
 * longer than most test files.
 */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { after, suite } from "node:test";
import { pathToFileURL } from "node:url";
import { isLong } from "./long.ts";
import { endAllFiles, endFile, startFolder } from "./started.ts";

/** `npm run test:more` sets this variable to run the slower tests instead of the usual ones, and `.ci/run` to run both. */
const ENDINGS = isLong
  ? [".test.ts", ".more.ts", ".long.ts"]
  : (process.env["TEST_ENDING"] ?? ".test.ts").split(",");

/** Runs each test file of a folder as a suite. A file is loaded when the previous one has ended. */
export async function runFolder(folder: string): Promise<void> {
  startFolder();
  const names = readdirSync(folder).filter((name) =>
    ENDINGS.some((ending) => name.endsWith(ending)),
  );
  for (const name of names.toSorted()) {
    await suite(name, async () => {
      after(endFile);
      await import(pathToFileURL(join(folder, name)).href);
    });
  }
  await endAllFiles();
}
