/** `npm run package`: builds the npm package of this checkout. `--help` explains it. */

import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "../sources.ts";
import { pack } from "./pack.ts";

const HELP = `Usage: npm run package [-- --to <folder>]

Builds leadport-<version>.tgz, which \`npm install\` installs without development tools. It contains the service as
JavaScript, the pages, the migrations and the docs.

  --to <folder>    Write the file into this folder. Default: dist.
  --help           Print this text.
`;

const { values } = parseArgs({
  options: { to: { type: "string", default: join(ROOT, "dist") }, help: { type: "boolean" } },
});

async function main(): Promise<void> {
  if (values.help === true) {
    process.stdout.write(HELP);
    return;
  }
  console.log(await pack(resolve(values.to)));
}

await main();
