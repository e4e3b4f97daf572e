/** Creates event webhooks for tests, and checks the requests that they receive. */

import { ok, type Body } from "../api/samples.ts";
import type { Received } from "../delivery/receiver.ts";
import type { Answer } from "../kit/api.ts";
import { assertDescribed } from "./event-payloads.ts";

export const WEBHOOKS = "/crm/webhooks";
export const PARTNER_WEBHOOKS = "/crm/partner/webhooks";

/** The client of a tenant or a partner, which creates webhooks. */
interface Poster {
  readonly post: (path: string, body?: unknown) => Promise<Answer>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests read any part of it
export const makeWebhook = async (client: Poster, body: Body, path = WEBHOOKS): Promise<any> =>
  ok(await client.post(path, body)).body;

const checked = new WeakSet<Received>();

/**
 * Returns the parsed requests received at a path, in the order of arrival. Each request is checked
 * against openapi.json.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read any part of it
export const toldAt = (received: readonly Received[], path: string): any[] =>
  received
    .filter((one) => one.path === path)
    .map((one) => {
      const event: unknown = JSON.parse(one.body);
      if (!checked.has(one)) assertDescribed(event);
      checked.add(one);
      return event;
    });

export const typesOf = (told: readonly { readonly type: string }[]): readonly string[] =>
  told.map(({ type }) => type).toSorted();

/** Returns the ids of the reported records, sorted. */
export const recordsOf = (
  told: readonly { readonly data: { readonly record_id: string } }[],
): readonly string[] => told.map(({ data }) => data.record_id).toSorted();
