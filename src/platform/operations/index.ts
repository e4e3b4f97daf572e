/** API operations: descriptions, limits, idempotency and handlers. */

export {
  type Admit,
  type OperationGroup,
  NotConfirmed,
  type Authenticate,
} from "./operation-group.ts";
export { deletionOf, deletionSchema } from "./deletion.ts";
export {
  type Conditions,
  type EntityTags,
  entityTagsIn,
  matchesStrongly,
  matchesWeakly,
} from "./entity-tags.ts";
export { createResponseStore, deleteOldResponses } from "./idempotency.ts";
export { createInProgress } from "./in-progress.ts";
export {
  CONCURRENCY_LIMIT_MAX,
  type CountedCall,
  type LimitedCredential,
  type Limiter,
  RATE_LIMIT_MAX,
  type RateLimited,
} from "./limiter.ts";
export { type BodyShape, bodyShape, type Call, type Operation, operation } from "./operation.ts";
export { OPTIONAL_BODY } from "./operation-document.ts";
export { addOperation } from "./add-operation.ts";
export { callerStateOf } from "./caller-state.ts";
