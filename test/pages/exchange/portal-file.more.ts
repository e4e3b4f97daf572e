/** Submitting a file of leads in the portal. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import type { Page, Request } from "playwright-core";
import { readCsv } from "../../../console/src/portal/file/csv.ts";
import { ok } from "../../api/samples.ts";
import { partnerOf } from "../../exchange/exchange-kit.ts";
import { PARTNERS, tokenOf } from "../../exchange/partner-kit.ts";
import { assertAccessible, startConsole } from "../../kit/console.ts";
import { eventually } from "../../kit/eventually.ts";
import { isLong } from "../../kit/long.ts";

const PATH = "/partner/push-file";

const choose = (page: Page, text: string) =>
  page.locator("input[type=file]").setInputFiles({
    name: "leads.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(text),
  });

/** Opens the page and chooses a file with this text. */
async function openFile(page: Page, text: string): Promise<void> {
  await page.getByRole("heading", { name: "Submit a file" }).waitFor();
  await choose(page, text);
  await page.getByRole("heading", { name: "Map columns" }).waitFor();
}

const count = (page: Page, label: string) =>
  page.locator("dl", { hasText: "Duplicates" }).locator("div", { hasText: label }).locator("dd");

async function downloaded(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: button }).click(),
  ]);
  return readFile(await download.path(), "utf8");
}

const keyOf = (request: Request) => request.headers()["idempotency-key"];

/** Asserts that closing the window asks for confirmation, and dismisses the dialog. */
async function assertAsks(page: Page): Promise<void> {
  const asked = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  assert.equal(dialog.type(), "beforeunload");
  await dialog.dismiss();
}

test("a file of many leads", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;

  await t.test("each row shows whether it was submitted, a duplicate or rejected", async () => {
    const client = await pages.api.tenant();
    const partner = await partnerOf(client);
    await partner.push({ name: "Known Already", email: "known@example.com" });
    const page = await pages.openPartner(partner.token, PATH);
    await page.getByRole("heading", { name: "Submit a file" }).waitFor();
    await assertAccessible(page);
    await choose(page, "name,email\n");
    await page.getByText("The file has column headers but no rows.").waitFor();
    const good = Array.from(
      { length: 30 },
      (_, at) => `Person ${at};p${at}@example.com;;google;;${at + 1}`,
    );
    const rows = [
      ...good,
      "Known Already;known@example.com;;;;",
      "Yelp Person;yelp@example.com;;Yelp;;",
      "No Way;;;;;",
      '"Past; Person";past@example.com;;;2001-01-01;',
    ];
    await openFile(
      page,
      `Full Name;Email;Phone;Lead Source;Expires;Berths\r\n${rows.join("\r\n")}`,
    );
    await page
      .getByText("32 rows can be submitted. The other 2 have problems and will be skipped.")
      .waitFor();
    // Correct the guess: an unrecognized column becomes a match preference.
    await page.getByRole("combobox", { name: "Field for “Berths”" }).click();
    await page.getByRole("option", { name: "Match preference" }).click();
    await page.getByRole("combobox", { name: "Field for “Phone”" }).click();
    await page.getByRole("option", { name: "Email" }).click();
    await page.getByText("Two columns are mapped to Email. Choose one.").waitFor();
    await page.getByRole("combobox", { name: "Field for “Phone”" }).click();
    await page.getByRole("option", { name: "Phone" }).click();
    await page.getByLabel("Only rows with problems").check();
    await page.getByText("“Yelp” is not one of your sources.").waitFor();
    await assertAccessible(page);
    await page.getByRole("button", { name: "Submit 32 leads" }).click();
    await page.getByText("Done.").waitFor();
    assert.equal(await count(page, "Submitted").innerText(), "30");
    assert.equal(await count(page, "Duplicates").innerText(), "1");
    assert.equal(await count(page, "Rejected").innerText(), "3");
    await page.getByRole("radiogroup", { name: "Show" }).getByText("Rejected").click();
    await page.getByText("this must be in the future").waitFor();
    await assertAccessible(page);

    const pushed = ok(await partner.get("/crm/partner/pushed", { page_size: 100 })).body;
    assert.equal(pushed.length, 31);
    const seventh = pushed.find((lead: { name: string }) => lead.name === "Person 6");
    assert.deepEqual(seventh.match_preferences, { Berths: 7 });
    assert.equal(seventh.source, "Google");

    const refused = await downloaded(page, "Download rejected rows");
    assert.match(refused, /^\uFEFFFull Name,Email,Phone,Lead Source,Expires,Berths,Reason\r\n/);
    assert.match(refused, /\r\nYelp Person,yelp@example\.com,,Yelp,,,“Yelp” is not/);
    assert.equal(refused.trim().split("\r\n").length, 4);
    const results = await downloaded(page, "Download results");
    assert.equal(results.trim().split("\r\n").length, 35);
    assert.ok(results.includes(`,Submitted,Pending,,${seventh.id}`));

    await page.getByRole("button", { name: "Submit another file" }).click();
    await page.getByRole("button", { name: "Choose a file" }).waitFor();
  });

  await t.test("a suspension pauses the run, and nothing is submitted twice", async () => {
    const client = await pages.api.tenant();
    const partner = await partnerOf(client);
    const page = await pages.openPartner(partner.token, PATH);
    const rows = Array.from({ length: 60 }, (_, at) => `Person ${at},s${at}@example.com`);
    await openFile(page, `name,email\n${rows.join("\n")}`);
    let answered = 0;
    let dropped: string | undefined;
    let retried: number | undefined;
    page.on("response", (response) => {
      if (dropped !== undefined && keyOf(response.request()) === dropped) {
        retried ??= response.status();
      }
    });
    await page.route("**/crm/partner/push", async (route) => {
      // Let request 20 succeed, drop its response, and suspend the partner. The row is sent again later, with the same
      // key.
      if (++answered === 20) {
        dropped = keyOf(route.request());
        await route.fetch();
        ok(await client.patch(`${PARTNERS}/${partner.partner_id}`, { status: "suspended" }));
        return route.abort();
      }
      return route.continue();
    });
    await page.getByRole("button", { name: "Submit 60 leads" }).click();
    await page.getByText("Your session has ended. Sign in again").waitFor();
    await page.getByText("Paused.").waitFor();
    await assertAccessible(page);
    // Other requests pause the run. If the retry were rejected after the run has continued, it would pause it again.
    assert.equal(await eventually(() => retried), 401);
    ok(await client.patch(`${PARTNERS}/${partner.partner_id}`, { status: "active" }));
    const authorization = `Partner ${await tokenOf(client, partner)}`;
    await page.context().setExtraHTTPHeaders({ authorization });
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Done.").waitFor();
    assert.equal(await count(page, "Submitted").innerText(), "60");
    assert.equal(await count(page, "Duplicates").innerText(), "0");
  });

  await t.test("a rate limit pauses the run, while the partner can visit other pages", async () => {
    const client = await pages.api.tenant();
    const partner = await partnerOf(client);
    const page = await pages.openPartner(partner.token, PATH);
    const rows = Array.from({ length: 12 }, (_, at) => `Person ${at},r${at}@example.com`);
    await openFile(page, `name,email\n${rows.join("\n")}`);
    let calls = 0;
    await page.route("**/crm/partner/push", (route) =>
      ++calls >= 5
        ? route.fulfill({
            status: 429,
            headers: { "retry-after": "300" },
            json: { detail: "Wait" },
          })
        : route.continue(),
    );
    await page.getByRole("button", { name: "Submit 12 leads" }).click();
    await page.getByText(/Rate limit reached/).waitFor();
    await assertAsks(page);
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByText(/Rate limit reached/).waitFor();
    await assertAsks(page);
    await page.getByRole("link", { name: "View", exact: true }).click();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("Paused.").waitFor();
    // Continuing retries immediately instead of waiting for the rest of the 300 s.
    const retried = page.waitForResponse("**/crm/partner/push");
    await page.getByRole("button", { name: "Continue" }).click();
    assert.equal((await retried).status(), 429);
    await page.getByText(/Rate limit reached/).waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Stop" }).click();
    await page.getByText("Stopped. The remaining rows were not submitted.").waitFor();
    const left = Number(await count(page, "Remaining").innerText());
    const pushed = ok(await partner.get("/crm/partner/pushed")).body;
    assert.equal(left + pushed.length, 12);
    assert.ok(left > 0);
    // Nothing can be lost at this point, so reloading needs no confirmation and discards the file.
    await page.reload();
    await page.getByRole("button", { name: "Choose a file" }).waitFor();
  });

  await t.test("the progress stays in view, also on long pages and other pages", async () => {
    const client = await pages.api.tenant();
    const partner = await partnerOf(client);
    const page = await pages.openPartner(partner.token, PATH);
    const rows = Array.from({ length: 120 }, (_, at) => `Person ${at},v${at}@example.com`);
    await openFile(page, `name,email\n${rows.join("\n")}`);
    // The page gives up on a request after 30 s, which would end the run while slow checks hold the requests.
    await page.evaluate(`{
      const later = globalThis.setTimeout;
      globalThis.setTimeout = (run, ms) => (ms === 30_000 ? 0 : later(run, ms));
    }`);
    let calls = 0;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route("**/crm/partner/push", async (route) => {
      if (++calls > 100) await released;
      return route.continue();
    });
    await page.getByRole("button", { name: "Submit 120 leads" }).click();
    const status = page.getByRole("region", { name: "Progress" });
    await status.getByText("100 of 120 rows").waitFor();
    for (const [width, link] of [
      [1440, "My leads"],
      [390, undefined],
    ] as const) {
      await page.setViewportSize({ width, height: 700 });
      if (link !== undefined) {
        await page.getByRole("link", { name: link }).click();
        await page.getByRole("table", { name: "Submitted leads" }).waitFor();
      }
      await page.evaluate("scrollTo(0, document.body.scrollHeight)");
      await eventually(() => page.evaluate("scrollY > 200"));
      const box = await status.boundingBox();
      assert.ok(box !== null && box.y >= 56 && box.y < 100, `at ${box?.y}`);
      assert.ok(await status.getByText("100 of 120 rows").isVisible());
      await assertAccessible(page);
    }
    release();
    await status.getByText("Done.").waitFor();
    await status.getByRole("link", { name: "View" }).click();
    assert.equal(await count(page, "Submitted").innerText(), "120");
    assert.equal(await status.getByRole("link").count(), 0);
  });

  await t.test("results open safely in a spreadsheet and can be submitted again", async () => {
    const client = await pages.api.tenant();
    const partner = await partnerOf(client);
    const page = await pages.openPartner(partner.token, PATH);
    const evil = '=HYPERLINK(""http://x.example"")';
    await openFile(
      page,
      `name,phone,comments,email\n"${evil}",+1 212 555 0143,@cmd,ok@example.com\n-Minus,,=1+1,\nOdd,,,odd@example\n`,
    );
    await page.getByText("1 email address looks invalid.").waitFor();
    await page.getByLabel("Only rows with problems").check();
    await page.getByRole("cell", { name: "The email address looks invalid." }).waitFor();
    await assertAccessible(page);
    await page.getByRole("button", { name: "Submit 2 leads" }).click();
    await page.getByText("Done.").waitFor();
    const [odd, first] = ok(await partner.get("/crm/partner/pushed")).body;
    const leads = [odd, first].toSorted((one, other) => (one.name < other.name ? -1 : 1));
    assert.deepEqual(
      leads.map(({ name, phone, comments, email }) => [name, phone, comments, email]),
      [
        [evil.replaceAll('""', '"'), "+1 212 555 0143", "@cmd", "ok@example.com"],
        ["Odd", null, null, "odd@example"],
      ],
    );
    const table = await readCsv(
      Uint8Array.from(Buffer.from(await downloaded(page, "Download results"))).buffer,
    );
    assert.deepEqual(table.headings, [
      "Row",
      "name",
      "phone",
      "comments",
      "email",
      "Result",
      "Lead status",
      "Reason",
      "Lead ID",
    ]);
    assert.deepEqual(
      table.rows.map(({ values }) => values.slice(5, 8)),
      [
        ["Submitted", "Pending", ""],
        ["Rejected", "", "Email address and phone number are missing."],
        ["Submitted", "Pending", "The email address looks invalid."],
      ],
    );
    const text = await downloaded(page, "Download results");
    for (const cell of text.trim().split(/\r\n|,/)) assert.doesNotMatch(cell, /^"?[=+@\t-]/);
    const rejected = await downloaded(page, "Download rejected rows");
    assert.match(rejected, /\r\n'-Minus,,'=1\+1,,Email address and phone number are missing\./);
    await page.getByRole("button", { name: "Submit another file" }).click();
    await openFile(page, rejected.replace("'=1+1,,", "'=1+1,minus@example.com,"));
    await page.getByRole("button", { name: "Submit 1 lead" }).click();
    await page.getByText("Done.").waitFor();
    const [again] = ok(await partner.get("/crm/partner/pushed")).body;
    assert.deepEqual([again.name, again.comments], ["-Minus", "=1+1"]);
  });

  await t.test("a thousand rows do not freeze the page", async () => {
    const client = await pages.api.tenant();
    const partner = await partnerOf(client);
    const page = await pages.openPartner(partner.token, PATH);
    const every = isLong ? 4 : 10;
    const sent = 1000 / every;
    const rows = Array.from({ length: 1000 }, (_, at) => {
      // All rows are shown, but only some are sent, to keep the test short.
      return `Person ${at},t${at}@example.com,${at % every === 0 ? "" : "Yelp"}`;
    });
    await openFile(page, `name,email,source\n${rows.join("\n")}`);
    await page.getByRole("button", { name: `Submit ${sent} leads` }).click();
    // A page that is frozen responds only after the last request.
    const shown = new Set<string>();
    await eventually(
      async () => {
        shown.add(await count(page, "Submitted").innerText());
        return page.getByText("Done.").isVisible();
      },
      Boolean,
      300_000,
    );
    assert.ok(shown.size >= 5, [...shown].join());
    assert.equal(await count(page, "Submitted").innerText(), String(sent));
    assert.equal(await page.locator("tbody tr").count(), 25);
    await page.getByRole("button", { name: "Page 40" }).click();
    await page.getByText("Person 999").waitFor();
  });
});
