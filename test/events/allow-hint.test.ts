/** The error for a URL on the service's own machine names the setting that allows it. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileApi } from "../kit/file-api.ts";
import { CHECK, WEBHOOK } from "../exchange/callouts/callout-kit.ts";
import { partnerOf } from "../exchange/exchange-kit.ts";
import { PARTNER_WEBHOOKS, WEBHOOKS } from "./event-kit.ts";

const api = await fileApi({ outgoingAllow: ["10.1.0.0/16"], partnerOutgoingAllow: [] });
const tenant = await api.tenant();
const partner = await partnerOf(tenant);

const settingOf: Readonly<Record<string, (url: string) => Promise<{ body: unknown }>>> = {
  OUTGOING_ALLOW: (url) => tenant.post(WEBHOOKS, { url, events: ["lead.*"] }),
  "OUTGOING_ALLOW for the import webhook": (url) => tenant.put(WEBHOOK, { enabled: true, url }),
  "OUTGOING_ALLOW for the duplicate check": (url) => tenant.put(CHECK, { enabled: false, url }),
  PARTNER_OUTGOING_ALLOW: (url) =>
    partner.post(PARTNER_WEBHOOKS, { url, events: ["pushed_lead.*"] }),
};

const SENTENCES = {
  "http://localhost:3000/hook":
    "Value error, the URL must start with https://; to allow localhost, add it to ",
  "https://127.0.0.1/hook":
    "Value error, 127.0.0.1 is a loopback address, which is blocked; to allow 127.0.0.1, add it to ",
};

for (const [what, send] of Object.entries(settingOf)) {
  test(`the message for a URL of this machine names ${what}`, async () => {
    const [setting = ""] = what.split(" ");
    for (const [url, sentence] of Object.entries(SENTENCES)) {
      const { detail } = (await send(url)).body as { detail: { loc: string[]; msg: string }[] };
      assert.deepEqual(
        detail.map(({ loc, msg }) => [loc, msg]),
        [
          [
            ["body", "url"],
            `${sentence}the environment variable ${setting} and restart the service`,
          ],
        ],
      );
    }
  });
}
