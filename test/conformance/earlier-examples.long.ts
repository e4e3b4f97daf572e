/**
 * Runs the commands from an earlier version of the docs (earlier-examples.sh, verbatim) in a shell against a running
 * service. Each must return the same status as it did then. Ids and secrets in the examples are replaced by real ids
 * and secrets. Examples that start the service or the tests are omitted. To run the service from another checkout, set
 * CHECKOUT to its path.
 */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Client } from "../kit/api.ts";
import { startService } from "../reliability/service.ts";
import { GROUNDS } from "./example-grounds.ts";

const ROOT = process.env["CHECKOUT"] ?? join(import.meta.dirname, "../..");
const EXAMPLES = readFileSync(join(import.meta.dirname, "earlier-examples.sh"), "utf8");

/**
 * Prints the status of each request and command. A stream never ends, so it is closed after a time in which even a busy
 * service has responded.
 */
const PRELUDE = `
curl() {
  local most_s=30
  case " $* " in *" -N "*) most_s=15;; esac
  command curl --max-time $most_s -w '%{stderr}\\n@@ %{http_code} %{method} %{url}\\n' "$@"
}
npm() { command npm "$@"; local code=$?; echo "@@ $code $5 $6" >&2; return $code; }
crm() { curl -sS -H 'Content-Type: application/json' -H "Authorization: Bearer $TOKEN" "$@"; echo; }
pick() { sed -E "s/.*\\"$1\\":\\"([^\\"]*)\\".*/\\1/"; }
`;

/** The results of each page's requests and commands, in order. */
const RETURNED: Readonly<Record<string, string>> = {
  "docs/batch-and-upsert.md": "200 200 409 200 207 422",
  "docs/changes.md": "200",
  "docs/duplicates.md": "200 200 200 200 200",
  "docs/event-webhooks.md": "200 200 200",
  "docs/filters.md": "200 200 200",
  "docs/own-systems.md": "200 200",
  "docs/partner-exchange.md":
    "200 200 200 200 409 422 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200",
  "docs/people.md": "0 200",
  "docs/rate-limits.md": "200 200",
  "docs/safe-writes.md": "200 200 422 200 304 200 412",
  "docs/summaries.md": "200 200 200",
  "docs/tokens.md": "200 200 200",
  "docs/tour.md": "200 0 0 0 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 422",
};

const run = (script: string, env: Readonly<Record<string, string>>): Promise<string> =>
  new Promise((resolve) => {
    const { PATH = "" } = process.env;
    const options = { cwd: ROOT, env: { PATH, HOME: "/tmp", ...env }, maxBuffer: 64 << 20 };
    execFile("bash", ["-c", script], options, (_error, _out, err) => resolve(err));
  });

test("the examples of earlier docs return what they returned", async (t) => {
  const service = await startService(t);
  for (const [, page = "", commands = ""] of EXAMPLES.matchAll(
    /^#### (\S+)\n([^]*?)(?=^####|$(?![^]))/gm,
  )) {
    await t.test(page, async () => {
      // The examples in the tour and in docs/people.md run commands, which act on the installation's first tenant.
      const isFirst = /npm run/.test(commands);
      const token = isFirst ? service.token : await service.addTenant(page);
      const client = new Client(service.url, token, "", "", async () => client);
      const { env = {}, replaced = {} } = (await GROUNDS[page]?.(client)) ?? {};
      let script = commands;
      for (const [shown, real] of Object.entries(replaced)) script = script.replaceAll(shown, real);
      const err = await run(PRELUDE + script, {
        LEADPORT: service.url,
        BASE: service.url,
        TOKEN: token,
        DATA_DIR: service.dataDir,
        ...env,
      });
      const returned = [...err.matchAll(/^@@ (\d+) (.*)$/gm)].map(
        ([, code, what]) => `${code} ${what}`,
      );
      assert.equal(returned.map((text) => text.split(" ")[0]).join(" "), RETURNED[page], err);
    });
  }
});
