/** Webhook health: the success rate and last failure of each webhook's newest deliveries. */

import type { Scope } from "../audit/index.ts";
import { type Clock, epochSeconds } from "../platform/clock/index.ts";
import { firstIdAt } from "../platform/ids/index.ts";
import { run } from "../platform/database/index.ts";
import {
  described,
  integer,
  type Members,
  nullable,
  number,
  objectSchema,
  type Schemas,
  string,
} from "../platform/schemas/index.ts";
import { ATTEMPT, ATTEMPT_COLUMNS } from "./attempts.ts";

/**
 * Limits that keep the cost per webhook independent of the number of deliveries. They are documented in
 * docs/webhooks.md.
 */
export const HEALTH_DAYS = 7;
export const HEALTH_DELIVERIES_MAX = 1000;
/** The number of recently updated deliveries in which to search for the last failure. */
const FAILURES_MAX = 20;
const DAY_s = 86_400;

const { at, status, fault } = ATTEMPT;
const FAILURE = {
  delivery_id: string("The id of the delivery."),
  at: described(at, "When the attempt failed."),
  status,
  fault,
} as const satisfies Schemas;

const HEALTH = {
  deliveries: integer(
    `The number of attempted deliveries among the newest ${HEALTH_DELIVERIES_MAX} of the last ` +
      `${HEALTH_DAYS} days. Skipped deliveries do not count.`,
  ),
  delivered: integer("The number of these deliveries that the endpoint accepted."),
  success_rate: nullable(
    number("`delivered` divided by `deliveries`; null without deliveries.", {
      minimum: 0,
      maximum: 1,
    }),
  ),
  last_failure: {
    anyOf: [objectSchema(FAILURE), { type: "null" }],
    description: "The most recent failed attempt among these deliveries.",
  },
} as const satisfies Schemas;

export interface Health extends Members<typeof HEALTH> {}

/** The schema of a webhook's health in openapi.json. */
export const WEBHOOK_HEALTH = objectSchema({
  webhook_id: string("The id of the webhook."),
  ...HEALTH,
});

type Counted = Pick<Health, "deliveries" | "delivered" | "last_failure">;

/** Returns the health of a topic's deliveries, grouped by the part of their subject id before the first dot. */
export async function healthOf(
  { db, tenantId }: Scope,
  clock: Clock,
  topic: string,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, Health>> {
  if (subjects.length === 0) return new Map();
  const since = firstIdAt(epochSeconds(clock) - HEALTH_DAYS * DAY_s);
  const rows = await run<(Counted & { readonly subject: string })[]>(db)`
    select given.subject, counted.*
      from unnest(${[...subjects]}::text[]) as given(subject)
     cross join lateral (
       with newest as materialized (
         select d.id, d.status, d.attempts, d.updated_ts from deliveries d
          where d.tenant_id = ${tenantId} and d.topic = ${topic}
            and split_part(d.subject_id, '.', 1) = given.subject and d.id >= ${since}
          order by d.id desc limit ${HEALTH_DELIVERIES_MAX}
       ), tried as materialized (
         select * from newest n
          where n.attempts > 0 and (n.status <> 'failed' or 'skipped' is distinct from (
            select a.fault from delivery_attempts a
             where a.tenant_id = ${tenantId} and a.delivery_id = n.id order by a.id desc limit 1))
       ), failing as (
         select id from tried where status <> 'delivered' or attempts > 1
          order by updated_ts desc, id desc limit ${FAILURES_MAX}
       )
       select (select count(*)::integer from tried) as deliveries,
              (select count(*)::integer from tried where status = 'delivered') as delivered,
              (select to_json(f) from (
                 select failed.* from failing
                  cross join lateral (
                    select delivery_id, ${ATTEMPT_COLUMNS} from delivery_attempts
                     where tenant_id = ${tenantId} and delivery_id = failing.id
                       and (fault is not null or status not between 200 and 299)
                     order by id desc limit 1) failed
                  order by failed.at desc limit 1) f) as last_failure
     ) counted`;
  return new Map(rows.map(({ subject, ...counted }) => [subject, withRate(counted)]));
}

function withRate({ deliveries, delivered, last_failure }: Counted): Health {
  const success_rate = deliveries === 0 ? null : delivered / deliveries;
  return { deliveries, delivered, success_rate, last_failure: last_failure && shown(last_failure) };
}

/** Removes the duration from an attempt, because it is not part of the response. */
const shown = ({
  delivery_id,
  at: when,
  status: code,
  fault: why,
}: NonNullable<Counted["last_failure"]>) => ({
  delivery_id,
  at: when,
  status: code,
  fault: why,
});
