/** Webhook deliveries: queued in transactions and retried on a schedule until they arrive. */

import type { BasicServices, Module } from "../platform/modules/index.ts";
import { deliveryOperations, type DeliveryRoutesDeps, deliverySchemas } from "./routes.ts";
import { deleteOldDeliveries } from "./upkeep.ts";

export { attempt } from "./attempt.ts";
export { clearContents } from "./clear-contents.ts";
export {
  countOpen,
  deliveriesOf,
  LIST_PARAMETERS as DELIVERY_PARAMETERS,
  listDeliveries,
  readDelivery,
  STATUSES as DELIVERY_STATUSES,
} from "./deliveries.ts";
export {
  type ContributedTopic,
  described,
  type DescribedTopic,
  type Description,
} from "./description.ts";
export {
  enqueue,
  enqueueAll,
  firstOutcome,
  refuseOpen,
  type EnqueueDeps,
  type Subject,
} from "./enqueue.ts";
export { healthOf } from "./health.ts";
export { startDeliveries, type Loop, type LoopOptions } from "./loop.ts";
export { createQueue, deleteJobs, type Lanes, type NewJob, type Queue } from "./queue.ts";
export type { AttemptDeps } from "./record-attempt.ts";
export { AGENT } from "./sent-request.ts";
export { isAccepted, trySending } from "./try-sending.ts";
export type { SignedRequest, SentDelivery, Topic } from "./topics.ts";

interface WorkServices extends BasicServices {
  readonly deliveryRetention_days: number;
}

export const deliveryModule = {
  name: "delivery",
  imports: ["audit", "tenants", "access"],
  operations: (services: DeliveryRoutesDeps) => ({ tenants: deliveryOperations(services) }),
  works: ({ sql, clock, deliveryRetention_days: days }: WorkServices) => ({
    purge_deliveries: () => deleteOldDeliveries(sql, { clock, days }),
  }),
  schemas: () => deliverySchemas,
  tags: { deliveries: "Webhook requests that were sent or are pending. You can resend them." },
  personal: {
    deliveries: {
      no:
        "tenant_id id topic subject_id status url attempts tries next_at delivered_ts created_ts updated_ts event " +
        "record_id cleared_until_ms",
    },
    delivery_attempts: {
      yes: "request request_body answer answer_headers",
      no: "tenant_id delivery_id id at status duration_ms fault request_bytes answer_bytes",
    },
  },
} satisfies Module;
