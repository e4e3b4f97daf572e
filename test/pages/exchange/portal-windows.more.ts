/** Two windows of a browser in which different partners sign in to the portal. */

import assert from "node:assert/strict";
import test from "node:test";
import { ok } from "../../api/samples.ts";
import { partnerOf } from "../../exchange/exchange-kit.ts";
import { startConsole } from "../../kit/console.ts";

const ROWS = 40;
/** The number of rows that are sent before the other partner signs in. */
const BEFORE = 10;

test("a file is never submitted as another partner who signs in in another window", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const one = await partnerOf(pages.client);
  const other = await partnerOf(pages.client);
  const page = await pages.openPartner(one.token, "/partner/push-file");
  /** Replaces the cookie that all windows share, as the sign-in page in another window does. */
  const signIn = async ({ token: value }: typeof one) =>
    page.context().addCookies([{ name: "leadport_partner", value, url: pages.api.url }]);
  const rows = Array.from({ length: ROWS }, (_, at) => `Person ${at},w${at}@example.com`);
  await page.locator("input[type=file]").setInputFiles({
    name: "leads.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(`name,email\n${rows.join("\n")}`),
  });
  let sent = 0;
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route("**/crm/partner/push", async (route) => {
    sent += 1;
    if (sent > BEFORE) {
      held.resolve();
      await released.promise;
    }
    await route.continue();
  });
  await page.getByRole("button", { name: `Submit ${ROWS} leads` }).click();
  await held.promise;
  await signIn(other);
  released.resolve();
  await page.getByText("Paused.").waitFor();
  await page.getByText("Your session has ended. Sign in again").waitFor();
  const pushedBy = async (partner: typeof one): Promise<number> =>
    ok(await partner.get("/crm/partner/pushed", { page_size: 100 })).body.length;
  assert.equal(await pushedBy(other), 0);

  await signIn(one);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("Done.").waitFor();
  assert.deepEqual([await pushedBy(one), await pushedBy(other)], [ROWS, 0]);
});
