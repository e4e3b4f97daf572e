/** The samples on the portal's "Use the API" page work as shown, both in a shell and in a program. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import test from "node:test";
import type { Page } from "playwright-core";
import { ok } from "../../api/samples.ts";
import { partnerOf, type TestPartner } from "../../exchange/exchange-kit.ts";
import { assertAccessible, startConsole } from "../../kit/console.ts";
import { casesOf } from "../../kit/long.ts";
import { COMPILERS, installed, writeIn } from "../../sdk/installed.ts";

/** Returns the samples on the page, in order. */
async function samplesOf(page: Page, language: "curl" | "TypeScript"): Promise<readonly string[]> {
  await page.getByText(language, { exact: true }).click();
  const marker = language === "curl" ? /read -rs/ : /createPartnerClient/;
  await page.locator("main pre", { hasText: marker }).first().waitFor();
  return page.locator("main pre").allInnerTexts();
}

/** Runs a script that reads the access code from standard input. Returns its output. */
function runInShell(script: string, accessCode: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile("bash", ["-euo", "pipefail", "-c", script], (error, stdout, stderr) =>
      error === null ? resolve(stdout) : reject(new Error(`${stderr}${stdout}`, { cause: error })),
    );
    child.stdin?.end(`${accessCode}\n`);
  });
}

const pushedBy = async (partner: TestPartner): Promise<readonly unknown[]> =>
  ok(await partner.get("/crm/partner/pushed")).body.map(({ name }: { name: string }) => name);

test("the samples of the portal work as shown", async (t) => {
  const pages = await startConsole(t);
  if (pages === undefined) return;
  const open = async () => {
    const partner = await partnerOf(await pages.api.tenant(), { name: "Harbour Referrals" });
    return { partner, page: await pages.openPartner(partner.token, "/partner/api") };
  };

  await t.test("with curl", async () => {
    const { partner, page } = await open();
    const samples = await samplesOf(page, "curl");
    assert.equal(samples.length, 5);
    await assertAccessible(page);
    const printed = await runInShell(samples.join("\necho\n"), partner.access_code);
    assert.deepEqual(await pushedBy(partner), ["Ines Falk"]);
    const [lookedUp, pushed, listed, webhook] = printed
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    assert.equal(lookedUp.exists, false);
    assert.equal(pushed.status, "pending");
    assert.equal(listed[0].id, pushed.id);
    assert.deepEqual(webhook.events, ["pushed_lead.*"]);
  });

  await t.test("with the client, installed by the command on the page", async (inner) => {
    const { partner, page } = await open();
    const [command = "", ...samples] = await samplesOf(page, "TypeScript");
    assert.ok(command.startsWith(`npm install ${pages.api.url}/sdk/leadport-client-`), command);
    assert.equal(samples.length, 5);
    await assertAccessible(page);
    const project = await installed(inner, command);
    writeIn(project, "partner.ts", samples.join("\n"));
    for (const compiler of casesOf(COMPILERS, 1)) await project.compile(compiler, "partner.ts");
    const printed = await project.print("partner.ts", {
      LEADPORT_ACCESS_CODE: partner.access_code,
    });
    assert.match(
      printed,
      /^false false\n[0-9a-f]{24} pending\nInes Falk 20.*Z\nSigning secret, shown only once: whsec_\S+\n$/,
    );
    assert.deepEqual(await pushedBy(partner), ["Ines Falk"]);
    const { body: webhooks } = ok(await partner.get("/crm/partner/webhooks"));
    assert.equal(webhooks.length, 1);
  });
});
