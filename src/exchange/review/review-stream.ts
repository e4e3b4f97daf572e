/** `GET /crm/admin/pushed_leads/stream`: new pushed leads and decisions, as they happen. */

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
    description: "The cursor to read after, of this stream or of the change feed. Default: `now`.",
  },
} as const satisfies Parameters;

export const reviewStreamOf = ({ db, clock, follow }: ReviewStreamDeps): Operation<Caller> =>
  operation({
    method: "GET",
    url: "/crm/admin/pushed_leads/stream",
    isIdToOthers: true,
    id: "stream_pushed_leads",
    summary: "Stream pushed leads",
    description:
      `Sends pushed leads as Server-Sent Events when they arrive (\`${RECEIVED}\`) and when they are decided ` +
      `(\`${STATUS_CHANGED}\`).`,
    tag: "review",
    permission: PERMISSION,
    query: PARAMETERS,
    ...FOLLOWING,
    run: async ({ caller, query, request, reply }) => {
      const { since = "now" } = query;
      const toEvents = streamEventsOf(scopeOf(db.sql, caller), clock);
      return follow({
        caller,
        permission: PERMISSION,
        types: PUSHED_LEAD,
        since,
        toEvents,
        request,
        reply,
      });
    },
  });

/**
 * Creates the function that turns changes into stream events. Each event contains the lead in its current state, as GET
 * returns it.
 */
const streamEventsOf =
  (scope: Scope, clock: Clock): ToStreamEvents =>
  async (changes) => {
    const ids = [...new Set(changes.map(({ id }) => id))];
    const where = [sql`p.id = any(${ids}::text[])`];
    const leads = await readPushed(scope, epochSeconds(clock), { where, limit: ids.length });
    const shown = new Map((await withDeliveries(scope, leads)).map((lead) => [lead.id, lead]));
    return changes.flatMap(({ id, cursor, action, changed_fields }) => {
      const data = shown.get(id);
      // Leave out changes that do not affect the status, such as a merge of the imported CRM lead.
      if (data === undefined || !("status" in changed_fields)) return [];
      return [{ event: action === "created" ? RECEIVED : STATUS_CHANGED, id: cursor, data }];
    });
  };
