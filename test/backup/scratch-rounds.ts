/**
 * Creates `rounds` temporary folders in `parent`, one after another, and checks that each one exists while it is in
 * use.
 */

import { existsSync } from "node:fs";
import { inScratch } from "../../src/backup/index.ts";

const [parent = "", rounds = ""] = process.argv.slice(2);
for (let round = 0; round < Number(rounds); round += 1) {
  await inScratch({ parent, name: "verify" }, async (path) => {
    await new Promise(setImmediate);
    if (!existsSync(path)) throw new Error(`${path} was removed while it was in use`);
  });
}
console.log("done");
