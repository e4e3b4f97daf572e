/** `GET /crm/admin/pushed_leads/stream`: what comes into the buffer and what becomes of it, as it happens. */

import sql from "sql-template-tag";
import { scopeOf, type Caller } from "../../access/index.ts";
import type { Scope } from "../../audit/index.ts";
import { FOLLOWING, type Follow, type ToStreamEvents } from "../../events/index.ts";
import { epochSeconds, type Clock } from "../../platform/clock/index.ts";
import type { Database } from "../../platform/database/index.ts";
import { type Operation, operation } from "../../platform/operations/index.ts";
import type { Parameters } from "../../platform/validation/index.ts";
import { PUSHED_LEAD, readPushed } from "../pushed-leads/index.ts";
import { withDeliveries } from "./webhook-import.ts";

export interface ReviewStreamDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly follow: Follow;
}

const PERMISSION = "exchange:review";
const RECEIVED = `${PUSHED_LEAD}.received`;
const STATUS_CHANGED = `${PUSHED_LEAD}.status_changed`;

const PARAMETERS = {
  since: {
    kind: "text",
    max: 100,
    description:
      "The cursor behind which to read, of this stream or of the feed; `now` without it.",
  },
} as const satisfies Parameters;

export const reviewStreamOf = ({ db, clock, follow }: ReviewStreamDeps): Operation<Caller> =>
  operation({
    method: "GET",
    url: "/crm/admin/pushed_leads/stream",
    isIdToOthers: true,
    id: "stream_pushed_leads",
    summary:
      `Pushed leads as they come (${RECEIVED}) and as they are decided (${STATUS_CHANGED}), ` +
      "as Server-Sent Events",
    tag: "review",
    permission: PERMISSION,
    query: PARAMETERS,
    ...FOLLOWING,
    run: async ({ caller, query, request, reply }) => {
      const { since = "now" } = query;
      const tell = streamEventsOf(scopeOf(db.sql, caller), clock);
      return follow({
        caller,
        permission: PERMISSION,
        types: PUSHED_LEAD,
        since,
        tell,
        request,
        reply,
      });
    },
  });

/** Each lead is sent as it is at that moment: as GET returns it. */
const streamEventsOf =
  (scope: Scope, clock: Clock): ToStreamEvents =>
  async (changes) => {
    const ids = [...new Set(changes.map(({ id }) => id))];
    const where = [sql`p.id = any(${ids}::text[])`];
    const leads = await readPushed(scope, epochSeconds(clock), { where, limit: ids.length });
    const shown = new Map((await withDeliveries(scope, leads)).map((lead) => [lead.id, lead]));
    return changes.flatMap(({ id, cursor, action, changed_fields }) => {
      const data = shown.get(id);
      // What else is logged of one, such as a merge of the lead that it became, is no move of its own.
      if (data === undefined || !("status" in changed_fields)) return [];
      return [{ event: action === "created" ? RECEIVED : STATUS_CHANGED, id: cursor, data }];
    });
  };
