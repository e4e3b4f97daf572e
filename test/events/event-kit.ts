/** Event webhooks as the tests need them: made by a client, and what arrived, by what it tells. */

import { ok, type Body } from "../api/samples.ts";
import type { Received } from "../delivery/receiver.ts";
import type { Answer } from "../kit/api.ts";

export const WEBHOOKS = "/crm/webhooks";
export const PARTNER_WEBHOOKS = "/crm/partner/webhooks";

/** Whoever makes webhooks: a tenant's client or a partner's. */
interface Poster {
  readonly post: (path: string, body?: unknown) => Promise<Answer>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into all of it
export const makeWebhook = async (client: Poster, body: Body, path = WEBHOOKS): Promise<any> =>
  ok(await client.post(path, body)).body;

/** What was received at a path, parsed, in the order in which it came. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into all of it
export const toldAt = (received: readonly Received[], path: string): any[] =>
  received.filter((one) => one.path === path).map(({ body }) => JSON.parse(body) as unknown);

export const typesOf = (told: readonly { readonly type: string }[]): readonly string[] =>
  told.map(({ type }) => type).toSorted();

/** The ids of the records that were told of, in an order of their own. */
export const recordsOf = (
  told: readonly { readonly data: { readonly record_id: string } }[],
): readonly string[] => told.map(({ data }) => data.record_id).toSorted();
