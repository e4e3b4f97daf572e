/**
 * Upgrades a data folder from earlier releases: `npm run test:upgrade -- [--only] [<commit> …]`. The service of each
 * release fills a folder with one request for every operation, then the service of this checkout starts on it.
 * Everything that could be read before must read the same, and everything that was issued before (tokens, cursors,
 * idempotency keys) must still work. Releases that can run side by side with this checkout also do so, on one database.
 * With `--only`, upgrades only from the given commits.
 */

import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { keyedWorld } from "../../test/api/keys/keyed-samples.ts";
import { readDocument } from "../../test/api/operations.ts";
import { ok, type Body } from "../../test/api/samples.ts";
import { withToken } from "../../test/exchange/partner-kit.ts";
import { eventually } from "../../test/kit/eventually.ts";
import { settings } from "../../test/running/leadport.ts";
import { fill, repeat } from "./fill.ts";
import { mustLackNothing, readAll } from "./reads.ts";
import { releasesBefore, runsSideBySide } from "./releases.ts";
import { checkoutOf, openSettings, settled, start, stop } from "./running.ts";
import { serveSideBySide } from "./side-by-side.ts";

async function upgradeFrom(t: TestContext, root: string): Promise<void> {
  const env = openSettings(settings(t));
  const before = await start(t, { env, root });
  const world = await keyedWorld(before.client);
  const kept = await fill(world);
  await settled(before.client);
  const document = await readDocument(before.client);
  const readers = { APIKeyHeader: before.client, PartnerToken: world.partner };
  const earlier = await readAll(document, readers);
  const { next } = ok(await before.client.get("/crm/changes", { since: "now" })).body;
  const page = ok(await before.client.get("/crm/leads", { page_size: 1 }));
  await stop(before);

  const after = await start(t, { env });
  const partner = withToken(after.client, world.partner.token);
  const later = await readAll(document, { APIKeyHeader: after.client, PartnerToken: partner });
  await t.test(`${earlier.size} responses lack nothing`, () => mustLackNothing(earlier, later));
  await t.test(`${kept.length} idempotency keys return their first response`, () =>
    repeat(kept, ({ as }) => (as === world.partner ? partner : after.client)),
  );
  await t.test("a cursor of the change feed continues after its last change", async () => {
    const lead = ok(await after.client.post("/crm/leads", { name: "After the upgrade" })).body;
    const { changes } = await eventually(
      async () => ok(await after.client.get("/crm/changes", { since: next })).body,
      (read) => read.changes.length > 0,
    );
    assert.deepEqual(
      changes.map(({ id, action }: Body) => [id, action]),
      [[lead._id, "created"]],
    );
  });
  await t.test("a cursor of a list continues with the next record", async () => {
    const [, link = ""] = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "") ?? [];
    const [second] = ok(await after.client.get(link)).body.leads;
    const { leads } = earlier.get("APIKeyHeader /crm/leads?page_size=500");
    assert.equal(second._id, leads[1]._id);
  });
  await stop(after);
}

const given = process.argv.slice(2).filter((word) => word !== "--only");
const isOnly = process.argv.includes("--only");
const tested = releasesBefore(given).slice(isOnly ? -given.length : 0);

for (const { version, commit } of tested) {
  void test(`a data folder of ${version} starts here and reads the same`, async (t) => {
    const root = await checkoutOf(t, commit);
    await upgradeFrom(t, root);
    if (!runsSideBySide(root)) return;
    await t.test(
      `what ${version} or this checkout issues works at the other, on one database`,
      () => serveSideBySide(t, root),
    );
  });
}
