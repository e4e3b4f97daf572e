/**
 * Runs the tests of the previous release with this checkout's schema:
 * `npm run test:upgrade -- previous [--from <commit>] [<test file> …]`. Its program then serves a database that this checkout has
 * migrated, as it does during an upgrade. The tests find the migrated database because it has the name of the template
 * that they would otherwise create. Without `--from`, the previous release is the last one in releases.json.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkOut, commitOf, removeCheckout } from "../../bench/guard/checkout.ts";
import { migrate } from "../../src/platform/migrations/index.ts";
import { databaseUrl, templateName } from "../../test/kit/database.ts";
import { NOT_DURABLE, startTestServer } from "../../test/kit/server.ts";
import { openSql } from "../../test/kit/sql.ts";
import { releases } from "./releases.ts";

/** The files of `npm test`. */
const SUITE = ["test/**/all.ts", "test/separate/*.test.ts"];

/**
 * Tests that do not apply, which are removed from the checkout: they add steps to the schema of their release, read only
 * its sources, compare its declarations with all columns, or restore files of the later schema, which is refused.
 */
const NOT_APPLICABLE = [
  "test/upgrades",
  "test/structure",
  "test/reliability",
  "test/privacy/registry.test.ts",
  "test/backup/logical.test.ts",
  "test/tenants/move.test.ts",
];

const { values, positionals } = parseArgs({
  options: { from: { type: "string" } },
  allowPositionals: true,
});
const from = values.from ?? releases().at(-1)?.commit;
if (from === undefined) {
  console.error(
    "There is no release yet. Usage: npm run test:upgrade -- previous --from <commit> [<file> …]",
  );
  process.exit(2);
}

/** Runs the tests of a checkout on a server. Returns their exit code. */
async function runSuite(root: string, url: string): Promise<number> {
  const files = positionals.length > 0 ? positionals : globSync(SUITE, { cwd: root });
  const options = ["--test-global-setup=test/kit/global-setup.ts", "--test-concurrency=3"];
  const args = ["--test", "--test-timeout=300000", "--test-reporter=spec", ...options, ...files];
  const env = { ...process.env, TEST_DATABASE_URL: url };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: "inherit" });
  const [code] = await once(child, "exit");
  return code === 0 ? 0 : 1;
}

const folder = mkdtempSync(join(tmpdir(), "leadport-previous-"));
const root = join(folder, "checkout");
const server = await startTestServer(NOT_DURABLE);
const sql = openSql({ url: server.url });
try {
  await checkOut(await commitOf(from), root);
  for (const path of NOT_APPLICABLE) rmSync(join(root, path), { recursive: true, force: true });
  const template = templateName(join(root, "migrations"));
  await sql.unsafe(`create database ${template} template template0`);
  const { to } = await migrate(databaseUrl(server.url, template));
  console.log(`The tests of ${from} run on schema version ${to}.`);
  process.exitCode = await runSuite(root, server.url);
  const templates = await sql`
    select datname from pg_database where datname like 'leadport_template_%'`;
  if (templates.length > 1) throw new Error("The tests have created a template of their own.");
} finally {
  await sql.end({ timeout: 1 });
  await server.stop();
  await removeCheckout(root);
  rmSync(folder, { recursive: true, force: true });
}
