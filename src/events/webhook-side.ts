/** Who has event webhooks, tenants or partners, and what their operations need. */

import type { Database, Db, Horizon, Tx } from "../platform/database/index.ts";
import type { JsonObject } from "../platform/json/index.ts";
import type { BodyShape, Operation } from "../platform/operations/index.ts";
import type { Outgoing } from "../platform/outgoing/index.ts";
import type { Schema } from "../platform/validation/index.ts";
import type { CountryCode } from "../records/index.ts";
import type { PushedLeadViews } from "./event-topic.ts";
import type { EventShapes, WebhookRequest, WebhookUpdate } from "./webhook-bodies.ts";
import type { HolderScope, WebhookDeps } from "./webhook-row.ts";

export interface EventWebhookDeps extends WebhookDeps {
  readonly db: Database;
  readonly outgoing: Outgoing;
  readonly horizon: Horizon;
  readonly shapes: EventShapes;
  readonly pushed: PushedLeadViews;
}

/** Who has webhooks: how they are reached, and as whom they come. */
export interface Side<C> {
  readonly url: string;
  /** The name of the path's parameter. */
  readonly idName: string;
  /** In the operations' ids: create_<word>. */
  readonly word: string;
  readonly whose: string;
  readonly common: Pick<Operation<C>, "tag" | "permission" | "security">;
  readonly create: BodyShape<WebhookRequest>;
  readonly update: BodyShape<WebhookUpdate>;
  /** What a trial answers: whether what came back is shown is not the same for all. */
  readonly trial: {
    readonly schema: Schema;
    readonly showsBody: boolean;
    /** A record as its events show one, with an id that no record has. */
    readonly record: (id: string, caller: C) => JsonObject;
  };
  /** Whether its webhooks have a filter. */
  readonly filters: boolean;
  readonly scope: <D extends Db | Tx>(db: D, caller: C) => HolderScope<D>;
  readonly country: (caller: C) => CountryCode;
}
