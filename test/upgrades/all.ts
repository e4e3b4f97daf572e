/** Runs the tests of this folder in one process. */

import { runFolder } from "../kit/folder.ts";

await runFolder(import.meta.dirname);
