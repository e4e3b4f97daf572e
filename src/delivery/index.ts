/** Promises to tell someone, kept (D9.4, D9.6): enqueued in a transaction, sent until they arrive. */

export { deliveriesOf, deliverySchemas, readDelivery } from "./deliveries.ts";
export { enqueue, firstOutcome, refuseOpen, type EnqueueDeps } from "./enqueue.ts";
export { startDeliveries, type Loop, type LoopOptions } from "./loop.ts";
export { webhookHeaders } from "./signature.ts";
export { createQueue, type Queue } from "./queue.ts";
export { deliveryOperations } from "./routes.ts";
export type { SignedRequest, Told, Topic, Topics } from "./topics.ts";
export { forgetDeliveries } from "./upkeep.ts";
