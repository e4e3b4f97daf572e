/** The examples in docs/batch-and-upsert.md, run as printed: each returns the response printed below it. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { sharedApi } from "../../kit/file-api.ts";

const run = promisify(execFile);
const PAGE = join(import.meta.dirname, "../../../docs/batch-and-upsert.md");
const EXAMPLE = /```sh\n(?<commands>[^`]+)```\n```\n(?<answer>[^`]+)```/g;

const hasCurl = await run("curl", ["--version"]).then(
  () => true,
  () => false,
);

test("every example returns what the page shows", { skip: !hasCurl }, async () => {
  const api = await sharedApi();
  const acme = await api.tenant();
  const page = readFileSync(PAGE, "utf8");
  const crm = /^crm\(\) .+$/m.exec(page)?.[0] ?? "";
  const env = { ...process.env, LEADPORT: api.url, TOKEN: acme.bearer };
  const examples = [...page.matchAll(EXAMPLE)].map(({ groups }) => groups ?? {});
  assert.equal(examples.length, page.match(/^crm /gm)?.length);
  for (const { commands = "", answer = "" } of examples) {
    const { stdout } = await run("bash", ["-c", `${crm}\n${commands}`], { env });
    let rest = stdout.replaceAll("\r", "");
    // "…" stands for omitted parts of a response. Line breaks on the page are not part of the response.
    for (const piece of answer.split(/\s*…\s*|\n/).filter((text) => text.trim() !== "")) {
      const at = rest.indexOf(piece);
      assert.ok(at >= 0, `${piece} is not in ${rest}`);
      rest = rest.slice(at + piece.length);
    }
  }
});
