/** Helpers that configure and observe a tenant's endpoints. */

import assert from "node:assert/strict";
import { ok, type Body } from "../../api/samples.ts";
import type { Answer, Client } from "../../kit/api.ts";
import type { Received, Respond } from "../../delivery/receiver.ts";
import { decide, REVIEW, type TestPartner } from "../exchange-kit.ts";
import { eventually } from "../../kit/eventually.ts";

export const WEBHOOK = "/crm/admin/import_webhook";
export const CHECK = "/crm/admin/duplicate_check";
export const DELIVERIES = "/crm/admin/deliveries";
export const LOOKUP = "/crm/partner/lookup";

/** Configures the tenant's import webhook, enabled by default. Returns the response body. */
export const setWebhook = async (client: Client, fields: Body): Promise<Body> =>
  ok(await client.put(WEBHOOK, { enabled: true, timeout_s: 20, ...fields })).body;

export const setCheck = async (client: Client, fields: Body): Promise<Body> =>
  ok(await client.put(CHECK, { enabled: true, timeout_s: 20, ...fields })).body;

/** Issues a signing secret and returns it. */
export const newSecret = async (client: Client): Promise<string> =>
  ok(await client.post(`${WEBHOOK}/secret`)).body.secret;

/** Pushes a lead and accepts it. Returns its id. */
export async function accepted(client: Client, partner: TestPartner, fields?: Body) {
  const { id } = await partner.push(fields);
  ok(await decide(client, id, "accept"));
  return id;
}

/** Imports a lead through the webhook. Returns the response body. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read any part of it
export const sentOff = async (client: Client, id: string): Promise<any> =>
  ok(await decide(client, id, "import")).body;

/** Waits until a pushed lead, as shown in the review, meets a condition. Returns it. */
export const leadWhen = (
  client: Client,
  id: string,
  // oxlint-disable-next-line typescript/no-explicit-any -- a pushed lead
  isWanted: (lead: any) => boolean,
  // oxlint-disable-next-line typescript/no-explicit-any -- a pushed lead
): Promise<any> => eventually(async () => ok(await client.get(`${REVIEW}/${id}`)).body, isWanted);

/** Asserts that a response has status 422. Returns its errors in order, each as `headers.x-a: this is …`. */
export function sentencesOf(answer: Answer): readonly string[] {
  assert.equal(answer.status, 422, answer.text);
  const faults = answer.body.detail as { loc: readonly unknown[]; msg: string }[];
  return faults.map(({ loc, msg }) => {
    assert.equal(loc[0], "body");
    return `${loc.slice(1).join(".")}: ${msg.replace("Value error, ", "")}`;
  });
}

/** Responds with JSON and the given status. */
export const json =
  (body: unknown, code = 200): Respond =>
  (response) =>
    void response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(body));

/** Accepts the request and never responds. */
export const silent: Respond = () => {};

/** Resets the connection: `reset` immediately, and `half` after half of the body. */
export const reset: Respond = (response) => void response.socket?.resetAndDestroy();
export const half: Respond = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
  response.write('{"exists": true', () => response.socket?.destroy());
};

export const idsOf = (received: readonly Received[]): readonly string[] =>
  received.map(({ headers }) => String(headers["webhook-id"]));
