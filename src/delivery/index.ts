/** Webhook deliveries: queued in transactions and retried on a schedule until they arrive. */

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
export { described, type DescribedTopics, type Description } from "./description.ts";
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
export {
  SECRETS_SCHEMA,
  SHOWN_SECRET_SCHEMA,
  shownSecret,
  shownSecrets,
  withNewSecret,
  type SigningSecret,
} from "./secrets.ts";
export { webhookHeaders } from "./signature.ts";
export { createQueue, deleteJobs, type NewJob, type Queue } from "./queue.ts";
export type { AttemptDeps } from "./record-attempt.ts";
export { deliveryOperations, deliverySchemas } from "./routes.ts";
export { AGENT } from "./sent-request.ts";
export { isAccepted, trySending } from "./try-sending.ts";
export type { SignedRequest, SentDelivery, Topic, Topics } from "./topics.ts";
export { deleteOldDeliveries } from "./upkeep.ts";
