/** The documentation pages show the command that installs this version of the client. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { VERSION } from "../../sdk/src/index.ts";
import { ROOT } from "../../tools/sources.ts";

for (const page of ["README.md", "sdk/README.md", "docs/partner-exchange.md"]) {
  test(`${page} installs this version of the client`, () => {
    const commands = readFileSync(join(ROOT, page), "utf8").match(/npm install http\S+/g);
    const address = "http://127.0.0.1:8080/sdk";
    assert.deepEqual(commands, [`npm install ${address}/leadport-client-${VERSION}.tgz`]);
  });
}
