/** Tenants and partners can both have event webhooks. These types describe the differences between the two sides. */

import type { Database, Db, Tx } from "../platform/database/index.ts";
import type { Horizon } from "../audit/index.ts";
import type { JsonObject } from "../platform/json/index.ts";
import type { BodyShape, Operation } from "../platform/operations/index.ts";
import type { Outgoing } from "../platform/outgoing/index.ts";
import type { Schema } from "../platform/validation/index.ts";
import type { CountryCode } from "../records/contact-details/index.ts";
import type { PushedLeadViews } from "./event-topic.ts";
import type { FeedType } from "./feed.ts";
import type { EventShapes, WebhookRequest, WebhookUpdate } from "./webhook-bodies.ts";
import type { OwnerScope, WebhookDeps } from "./webhook-row.ts";

export interface EventWebhookDeps extends WebhookDeps {
  readonly db: Database;
  readonly outgoing: Outgoing;
  readonly horizon: Horizon;
  readonly shapes: EventShapes;
  readonly pushed: PushedLeadViews;
}

/** Tenants or partners, with the paths of their operations and the scope of their callers. */
export interface Side<C> {
  readonly url: string;
  /** The name of the path parameter that contains the webhook's id. */
  readonly idName: string;
  /** The noun in operation ids, as in `create_<word>`. */
  readonly word: string;
  readonly common: Pick<Operation<C>, "tag" | "permission" | "security">;
  readonly create: BodyShape<WebhookRequest>;
  readonly update: BodyShape<WebhookUpdate>;
  /** The response to a test request. `showsBody` is false if this side may not see the receiver's response body. */
  readonly trial: {
    readonly schema: Schema;
    readonly showsBody: boolean;
    /** Returns a sample record as it appears in events. Its id does not exist. */
    readonly record: (id: string, type: FeedType, caller: C) => JsonObject;
  };
  /** Whether this side's webhooks can have a filter. */
  readonly filters: boolean;
  readonly scope: <D extends Db | Tx>(db: D, caller: C) => OwnerScope<D>;
  readonly country: (caller: C) => CountryCode;
}
