/** The limits of one credential, as bodies name them. */

import { CONCURRENCY_LIMIT_MAX, RATE_LIMIT_MAX } from "../../platform/operations/index.ts";
import type { Schema } from "../../platform/validation/index.ts";

export const RATE_LIMIT_SCHEMA = {
  type: ["integer", "null"],
  minimum: 0,
  maximum: RATE_LIMIT_MAX,
  description: "Requests a minute; 0 is no limit, null the installation's (RATE_LIMIT).",
} as const satisfies Schema;

export const CONCURRENCY_LIMIT_SCHEMA = {
  type: ["integer", "null"],
  minimum: 0,
  maximum: CONCURRENCY_LIMIT_MAX,
  description:
    "Requests in progress at once in each process; 0 is no limit, null the installation's (CONCURRENCY_LIMIT).",
} as const satisfies Schema;
