/** The documentation in a real browser: the API reference, the partner API and the guides. */

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import type { Page } from "playwright-core";
import { readDocument } from "../../api/operations.ts";
import type { Api } from "../../kit/api.ts";
import { closeWindow, openWindow, startBrowser } from "../../kit/browser.ts";
import { axeFindings, sharedPages } from "../../kit/console.ts";
import { eventually } from "../../kit/eventually.ts";
import { casesOf, isLong } from "../../kit/long.ts";
import { samplesOf } from "../../reference/curl.ts";
import { atEnd } from "../../kit/started.ts";

interface DocsTest {
  readonly api: Api;
  /** Opens a page. When the test ends, it fails if the page reported an error or contacted another host. */
  readonly open: (path: string) => Promise<Page>;
  /** Shows another page in the window of an open one. */
  readonly show: (page: Page, path: string) => Promise<void>;
}

async function startDocs(t: TestContext): Promise<DocsTest | undefined> {
  const browser = await startBrowser(t);
  if (browser === undefined) return undefined;
  const api = await sharedPages();
  const show = async (page: Page, path: string): Promise<void> => {
    await page.goto(api.url + path);
    await ready(page);
  };
  const open = async (path: string): Promise<Page> => {
    const page = await openWindow(browser);
    const faults: string[] = [];
    page.on("request", (request) => {
      const url = request.url();
      if (!/^(data|blob):/.test(url) && !url.startsWith(api.url)) faults.push(`asks ${url}`);
    });
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") faults.push(message.text());
    });
    atEnd(t, async () => {
      await closeWindow(page, api.url);
      assert.deepEqual(faults, []);
    });
    await show(page, path);
    return page;
  };
  return { api, open, show };
}

/** Waits until the page shows its content. */
async function ready(page: Page): Promise<void> {
  await page.locator("#loading").waitFor({ state: "detached" });
  await page.locator("h1").first().waitFor();
}

const REFERENCES = ["/docs/", "/docs/partner"];
const GUIDES = ["/docs/guides", "/docs/guides/tour", "/docs/guides/partner-exchange"];

/** Returns the curl sample of the operation at `hash`, once it is loaded. */
async function sampleAt(page: Page, hash: string): Promise<string> {
  const code = page.locator(`section[id$="${hash.slice(1)}"] .language-curl`).first();
  await code.waitFor();
  return (await code.innerText()).trimEnd();
}

/**
 * Operations of every kind: with and without a body, by key, with a file, with a cookie, token or no credential, and
 * partner operations. The first seven differ most.
 */
const SHOWN = [
  "list_leads",
  "put_lead_by_phone",
  "send_import_data",
  "delete_task",
  "stream_changes",
  "partner_push",
  "sign_in",
  "create_lead",
  "put_contact_by_email",
  "update_opportunity",
  "summarize_deals",
  "export_leads",
  "undo_lead_merge",
  "put_import_webhook",
  "replay_event_webhook",
  "list_partner_leads",
  "create_partner_token",
  "partner_renew",
  "update_profile",
];

test("the reference shows each operation with the tested sample", async (t) => {
  const docs = await startDocs(t);
  if (docs === undefined) return;
  const document = await readDocument(await docs.api.tenant());
  const samples = samplesOf(document);
  const page = await docs.open("/docs/");
  for (const id of casesOf(SHOWN, 7)) {
    const sample = samples.find((one) => one.id === id);
    assert.ok(sample, id);
    const hash = `#tag/${sample.tag.replaceAll(" ", "-")}/${sample.method}${sample.path}`;
    await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    await eventually(
      () => sampleAt(page, hash),
      (shown) => shown === sample.curl,
    );
  }
});

test("the partner API reference shows only partner operations with their samples", async (t) => {
  const docs = await startDocs(t);
  if (docs === undefined) return;
  const samples = samplesOf(await readDocument(await docs.api.tenant()));
  const page = await docs.open("/docs/partner");
  const sample = samples.find(({ id }) => id === "partner_lookup");
  assert.ok(sample);
  const hash = `#tag/partner-exchange/POST${sample.path}`;
  await page.goto(`${docs.api.url}/docs/partner${hash}`);
  await eventually(
    () => sampleAt(page, hash),
    (shown) => shown === sample.curl,
  );
  await page.getByText("partner exchange", { exact: true }).first().waitFor();
  assert.equal(await page.getByText("administration", { exact: true }).count(), 0);
});

/**
 * Labels of controls and links that advertise the vendor of the API reference component. The pages must not show them.
 */
const VENDOR =
  /Ask AI|MCP|Share|Deploy|Developer Tools|Configure|Powered by|Open API Client|Scalar/i;

test("no controls or links of the vendor are shown", async (t) => {
  const docs = await startDocs(t);
  if (docs === undefined) return;
  const page = await docs.open("/docs/guides");
  for (const path of REFERENCES) {
    await docs.show(page, path);
    await page.locator(".language-curl").first().waitFor();
    const shown = page.locator("a:visible, button:visible");
    await eventually(
      () => shown.count(),
      (count) => count > 20,
    );
    const texts = await shown.allInnerTexts();
    assert.deepEqual(
      texts.filter((text) => VENDOR.test(text)),
      [],
    );
    const hrefs = await page
      .locator("a:visible")
      .evaluateAll((links) => links.map((link) => (link as unknown as { href: string }).href));
    assert.deepEqual(
      hrefs.filter((href) => href !== "" && !href.startsWith(docs.api.url)),
      [],
    );
  }
});

test("every page links to the others, to the console and to the headings of a guide", async (t) => {
  const docs = await startDocs(t);
  if (docs === undefined) return;
  const page = await docs.open("/docs/guides");
  for (const path of [...REFERENCES, ...GUIDES]) {
    await docs.show(page, path);
    const bar = page.getByRole("navigation", { name: "Documentation", exact: true });
    for (const [name, to] of [
      ["API reference", "/docs/"],
      ["Partner API", "/docs/partner"],
      ["Guides", "/docs/guides"],
      ["Console", "/"],
    ] as const) {
      assert.equal(await bar.getByRole("link", { name, exact: true }).getAttribute("href"), to);
    }
  }
  await docs.show(page, "/docs/guides");
  await page.getByRole("link", { name: "The partner exchange" }).click();
  await page
    .getByRole("navigation", { name: "On this page" })
    .getByRole("link", { name: "For tenants" })
    .click();
  await eventually(
    () =>
      page.evaluate<number>(
        "Math.abs(document.getElementById('for-tenants').getBoundingClientRect().top)",
      ),
    (top_px) => top_px < 150,
  );
  await docs.show(page, "/docs/");
  await page.getByRole("main").getByRole("link", { name: "guides" }).click();
  await page.getByRole("heading", { name: "Guides", level: 1 }).waitFor();
});

test("a request sent from the reference gets a response", async (t) => {
  const docs = await startDocs(t);
  if (docs === undefined) return;
  const client = await docs.api.tenant();
  const page = await docs.open("/docs/");
  await page.locator(".scalar-password-input").first().fill(`Bearer ${client.bearer}`);
  await page
    .getByRole("button", { name: /^Test Request/ })
    .first()
    .click();
  const dialog = page.getByRole("dialog");
  const answered = page.waitForResponse((response) => response.url().includes("/crm/leads"));
  await dialog.getByRole("button", { name: /^Send/ }).first().click();
  assert.equal((await answered).status(), 200);
});

const OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

const DEEP = ["/docs/#tag/leads/POST/crm/leads", "/docs/#tag/sign-in/PATCH/auth/profile"];

/** In `npm run test:long`, every width is combined with every color scheme. */
const SEEN = [
  [1440, "light"],
  [390, "dark"],
  [1440, "dark"],
  [390, "light"],
] as const;

// One test per page, because all pages together could take longer than a test may take.
for (const path of [...REFERENCES, ...(isLong ? DEEP : []), ...GUIDES]) {
  test(`axe-core finds nothing on ${path}, and it is not wider than its window`, async (t) => {
    const docs = await startDocs(t);
    if (docs === undefined) return;
    const page = await docs.open(path);
    if (!GUIDES.includes(path)) {
      await page.locator(".language-curl").first().waitFor();
    }
    for (const [width, colorScheme] of casesOf(SEEN, 2)) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.locator(`html[data-color-scheme=${colorScheme}]`).waitFor({ state: "attached" });
      const what = `${path} at ${width} px in ${colorScheme}`;
      await eventually(
        async () => ({
          what,
          found: await axeFindings(page, false),
          beyond_px: await page.evaluate<number>(OVERFLOW),
        }),
        ({ found, beyond_px }) => found.length === 0 && beyond_px === 0,
        120_000,
      );
    }
  });
}

test("the documentation uses the theme selected in the console", async (t) => {
  const docs = await startDocs(t);
  if (docs === undefined) return;
  const page = await docs.open("/docs/guides");
  await page.emulateMedia({ colorScheme: "light" });
  await page.evaluate("localStorage.setItem('mantine-color-scheme-value', 'dark')");
  for (const path of ["/docs/guides/tour", "/docs/"]) {
    await docs.show(page, path);
    await eventually(
      () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor"),
      (color) => color === "rgb(22, 25, 29)",
    );
  }
});
