/** The error for a tenant's URL on the service's own machine names the setting that allows it. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileApi } from "../kit/file-api.ts";
import { CHECK, WEBHOOK } from "../exchange/callouts/callout-kit.ts";
import { partnerOf } from "../exchange/exchange-kit.ts";
import { PARTNER_WEBHOOKS, WEBHOOKS } from "./event-kit.ts";

const api = await fileApi({ outgoingAllow: ["10.1.0.0/16"], partnerAllow: [] });
const tenant = await api.tenant();
const partner = await partnerOf(tenant);

const PARTNERS_WEBHOOK = "a webhook of a partner";

const SENDERS: Readonly<Record<string, (url: string) => Promise<{ body: unknown }>>> = {
  "an event webhook": (url) => tenant.post(WEBHOOKS, { url, events: ["lead.*"] }),
  "the import webhook": (url) => tenant.put(WEBHOOK, { enabled: true, url }),
  "the duplicate check": (url) => tenant.put(CHECK, { enabled: false, url }),
  [PARTNERS_WEBHOOK]: (url) => partner.post(PARTNER_WEBHOOKS, { url, events: ["pushed_lead.*"] }),
};

const SENTENCES = {
  "http://localhost:3000/hook": ["the URL must start with https://", "localhost"],
  "https://127.0.0.1/hook": ["127.0.0.1 is a loopback address, which is blocked", "127.0.0.1"],
} as const;

for (const [what, send] of Object.entries(SENDERS)) {
  const isPartners = what === PARTNERS_WEBHOOK;
  test(`the message for ${what} on this machine names ${isPartners ? "no" : "the"} setting`, async () => {
    for (const [url, [fault, host]] of Object.entries(SENTENCES)) {
      const { detail } = (await send(url)).body as { detail: { loc: string[]; msg: string }[] };
      const hint = `; to allow ${host}, add it to the environment variable OUTGOING_ALLOW and restart the service`;
      assert.deepEqual(
        detail.map(({ loc, msg }) => [loc, msg]),
        [[["body", "url"], `Value error, ${fault}${isPartners ? "" : hint}`]],
      );
    }
  });
}
