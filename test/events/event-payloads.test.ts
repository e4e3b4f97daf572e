/** Every event is described, and the samples in webhook tests are complete events of their type. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { eventNames, PARTNER_SUBSCRIPTIONS } from "../../src/events/event-types.ts";
import { startReceiver } from "../delivery/receiver.ts";
import { partnerOf } from "../exchange/exchange-kit.ts";
import { ok } from "../api/samples.ts";
import { file, sharedApi } from "../kit/file-api.ts";
import { describedWebhooks } from "./event-payloads.ts";
import { makeWebhook, PARTNER_WEBHOOKS, toldAt, typesOf, WEBHOOKS } from "./event-kit.ts";

const api = await sharedApi();
const client = await api.tenant();
const receiver = await startReceiver(file);

const partnerEvents = PARTNER_SUBSCRIPTIONS.filter((name) => !name.endsWith("*"));

test("openapi.json describes each event, those of partners, and the import webhook", () => {
  const expected = [
    ...eventNames,
    ...partnerEvents.map((name) => `partner.${name}`),
    "import_webhook",
  ];
  assert.deepEqual(describedWebhooks().toSorted(), expected.toSorted());
});

test("the sample of each event is what openapi.json describes", async () => {
  for (const event of eventNames) {
    const { id } = await makeWebhook(client, { url: `${receiver.url}/all`, events: [event] });
    ok(await client.post(`${WEBHOOKS}/${id}/test`));
    ok(await client.delete(`${WEBHOOKS}/${id}`));
  }
  assert.deepEqual(typesOf(toldAt(receiver.received, "/all")), eventNames.toSorted());
  const partner = await partnerOf(client);
  for (const event of partnerEvents) {
    const url = `${receiver.url}/partner`;
    const { id } = await makeWebhook(partner, { url, events: [event] }, PARTNER_WEBHOOKS);
    ok(await partner.post(`${PARTNER_WEBHOOKS}/${id}/test`));
  }
  assert.deepEqual(typesOf(toldAt(receiver.received, "/partner")), partnerEvents.toSorted());
});
