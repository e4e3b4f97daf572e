/** Limits on requests and attempts by credential and address, and the logging of rejected credentials. */

import type { BasicServices, Module } from "../platform/modules/index.ts";
import { forgetAttempts } from "./attempts.ts";
import { forgetRequestCounts } from "./request-counts.ts";

export { ADDRESS_LIST_SCHEMA, addressRange } from "./address-list.ts";
export { addAnonymousLimit } from "./anonymous-limit.ts";
export {
  type Attempt,
  attempt,
  type AttemptDeps,
  type AttemptLimit,
  countAttempt,
} from "./attempts.ts";
export { CONCURRENCY_LIMIT_SCHEMA, RATE_LIMIT_SCHEMA } from "./limit-schemas.ts";
export { createRateLimiter, type RateLimiter } from "./rate-limit.ts";
export { createRefusals, type Refusal, type Refusals, type RefusedSubject } from "./refusals.ts";

export const limitsModule = {
  name: "limits",
  imports: ["audit"],
  works: ({ sql }: BasicServices) => ({
    purge_wrong_attempts: async () => (await forgetAttempts(sql)) > 0,
    purge_request_counts: async () => (await forgetRequestCounts(sql)) > 0,
  }),
  personal: {
    wrong_attempts: { user: "address", derived: "target", no: "at" },
    attempts_of_address: { user: "address", derived: "targets", no: "ats last_at" },
    request_counts: { no: "tenant_id credential_id window_s requests" },
    counting_processes: { no: "id seen_at" },
  },
  excludedFromExport: {
    request_counts: "counts of the last minutes",
  },
} satisfies Module;
