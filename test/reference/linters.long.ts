/**
 * openapi.json and its partner part pass the recommended rules of Redocly and Spectral without
 * exceptions. Both linters are installed into a temporary folder.
 */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { promisify } from "node:util";
import { sharedApi } from "../kit/file-api.ts";
import { install, temporaryProject } from "../kit/npm-install.ts";
import { file } from "../kit/started.ts";

const run = promisify(execFile);
const PACKAGES = ["@redocly/cli@2.77.0", "@stoplight/spectral-cli@6.16.3"];
const LINT_TIMEOUT_ms = 540_000;

const api = await sharedApi();
const folder = temporaryProject(file);

const DESCRIPTIONS = { everything: "/openapi.json", partners: "/docs/partner/openapi.json" };

before(async () => {
  for (const [name, path] of Object.entries(DESCRIPTIONS)) {
    writeFileSync(join(folder, `${name}.json`), await (await fetch(api.url + path)).text());
  }
  writeFileSync(join(folder, "redocly.yaml"), "extends: [recommended]\ntelemetry: off\n");
  writeFileSync(join(folder, ".spectral.yaml"), 'extends: ["spectral:oas"]\n');
  await install(folder, PACKAGES);
});

/** Runs a linter, which exits with an error if it finds a problem. Returns its output. */
async function lint(script: string, ...args: readonly string[]): Promise<string> {
  const options = { cwd: folder, timeout: LINT_TIMEOUT_ms, maxBuffer: 1e8 };
  const command = [join(folder, "node_modules/.bin", script), "lint", ...args];
  const { stdout } = await run(process.execPath, command, options).catch(
    (error: { readonly stdout: string }) => error,
  );
  return stdout;
}

for (const name of Object.keys(DESCRIPTIONS)) {
  test(`the description of ${name} passes Redocly's recommended rules, warnings included`, async () => {
    const { problems } = JSON.parse(await lint("redocly", `${name}.json`, "--format", "json")) as {
      readonly problems: readonly { readonly ruleId: string; readonly message: string }[];
    };
    assert.deepEqual(
      problems.map(({ ruleId, message }) => `${ruleId}: ${message}`),
      [],
    );
  });

  test(`the description of ${name} passes Spectral's rules, hints included`, async () => {
    const problems = JSON.parse(
      await lint("spectral", `${name}.json`, "--format", "json", "--quiet"),
    ) as readonly {
      readonly code: string;
      readonly message: string;
    }[];
    assert.deepEqual(
      problems.map(({ code, message }) => `${code}: ${message}`),
      [],
    );
  });
}
