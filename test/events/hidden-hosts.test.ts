/** Tenants and partners cannot find out anything about host names inside the installation's network. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { file, fileApi } from "../kit/file-api.ts";
import { ok, type Body } from "../api/samples.ts";
import { CHECK, WEBHOOK } from "../exchange/callouts/callout-kit.ts";
import { partnerOf } from "../exchange/exchange-kit.ts";
import { eventually } from "../kit/eventually.ts";
import { startNameServer } from "../platform/name-server.ts";
import { makeWebhook, PARTNER_WEBHOOKS, WEBHOOKS } from "./event-kit.ts";

/** Hosts that exist inside the network, and a host that does not exist. */
const INSIDE: Readonly<Record<string, readonly string[]>> = {
  "db.corp.example": ["10.1.2.3"],
  "metadata.corp.example": ["169.254.169.254"],
  "six.corp.example": ["fd12::1"],
  "both.corp.example": ["93.184.215.14", "10.9.9.9"],
};
const HOSTS = [...Object.keys(INSIDE), "nothing.corp.example"];

const names = await startNameServer(file, (name) => INSIDE[name] ?? []);
const api = await fileApi({ nameServers: [names.address], works: true });
const EVENTS = ["pushed_lead.*"];
const urlOf = (host: string): string => `https://${host}/in`;

/**
 * Returns the result of a webhook test, without the data that the caller sent. The host is
 * replaced, so that results for all hosts can be compared.
 */
const shownOf = ({ ok: isOk, status, fault, problem }: Body, host: string) => ({
  ok: isOk,
  status,
  fault,
  problem: String(problem).replaceAll(host, "<host>"),
});

const SAME = {
  ok: false,
  status: null,
  fault: "unresolved",
  problem: "No allowed address was found for <host>.",
};

/** Returns the reasons in the operator's log lines that contain this message. */
const reasons = (message: string): readonly string[] =>
  api
    .log()
    .split("\n")
    .filter((line) => line.includes(message))
    .map((line) => (JSON.parse(line) as { reason: string }).reason);

test("a test looks the same for every host without a public address", async () => {
  const tenant = await api.tenant();
  const partner = await partnerOf(tenant);
  for (const host of HOSTS) {
    const url = urlOf(host);
    const shown: Body[] = [];
    for (const path of [WEBHOOK, CHECK]) {
      ok(await tenant.put(path, { enabled: false, url }));
      shown.push(ok(await tenant.post(`${path}/test`)).body);
    }
    for (const [client, path] of [
      [tenant, WEBHOOKS],
      [partner, PARTNER_WEBHOOKS],
    ] as const) {
      const { id } = await makeWebhook(client, { url, events: EVENTS }, path);
      shown.push(ok(await client.post(`${path}/${id}/test`)).body);
    }
    for (const body of shown) assert.deepEqual(shownOf(body, host), SAME, host);
  }
  const logged = reasons("A test request failed");
  const about = (text: string) => logged.filter((reason) => reason.includes(text)).length;
  assert.deepEqual(
    [about("db.corp.example resolves to a private"), about("for nothing.corp")],
    [4, 4],
  );
});

test("a delivery looks the same, and the log has the reason", async () => {
  const tenant = await api.tenant();
  const partner = await partnerOf(tenant);
  const ids = await Promise.all(
    ["db.corp.example", "nothing.corp.example"].map(async (host) => {
      const { id } = await makeWebhook(
        partner,
        { url: urlOf(host), events: EVENTS },
        PARTNER_WEBHOOKS,
      );
      return id as string;
    }),
  );
  await partner.push();
  for (const id of ids) {
    const [first] = await eventually(
      async () => ok(await partner.get(`${PARTNER_WEBHOOKS}/${id}/deliveries`)).body as Body[],
      ([delivery]) => delivery !== undefined && delivery["last_attempt"] !== null,
    );
    const attempt = first?.["last_attempt"] as Body | undefined;
    assert.equal(attempt?.["fault"], "unresolved");
  }
  assert.deepEqual(
    [...new Set(reasons("A delivery was not sent"))],
    ["db.corp.example resolves to a private address, which is blocked."],
  );
});

test("every refused address in a saved URL has one message", async () => {
  const tenant = await api.tenant();
  const { id } = await makeWebhook(tenant, { url: urlOf("a.example"), events: EVENTS });
  for (const host of ["10.0.0.1", "169.254.169.254", "db.localhost", "[::1]"]) {
    // Simulate a webhook that was saved while the installation allowed its URL.
    const strict = `https://${host}/in`;
    await api.sql`update event_webhooks set url = ${strict} where id = ${id}`;
    const body = ok(await tenant.post(`${WEBHOOKS}/${id}/test`)).body;
    assert.deepEqual(shownOf(body, host), { ...SAME, fault: "refused_address" }, host);
  }
});
