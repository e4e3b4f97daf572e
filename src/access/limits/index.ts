/** Limits by credential and address, and the logging of rejected credentials. */

export { ADDRESS_LIST_SCHEMA, addressRange } from "./address-list.ts";
export { addAnonymousLimit } from "./anonymous-limit.ts";
export {
  type Attempt,
  attempt,
  type AttemptDeps,
  type AttemptLimit,
  countAttempt,
  forgetAttempts,
} from "./attempts.ts";
export { CONCURRENCY_LIMIT_SCHEMA, RATE_LIMIT_SCHEMA } from "./limit-schemas.ts";
export { createRateLimiter, type RateLimiter } from "./rate-limit.ts";
export { createRefusals, type Refusal, type Refusals, type RefusedSubject } from "./refusals.ts";
export { forgetRequestCounts } from "./request-counts.ts";
