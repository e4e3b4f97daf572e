/** Schemas of a credential's limits. */

import { CONCURRENCY_LIMIT_MAX, RATE_LIMIT_MAX } from "../../platform/operations/index.ts";
import type { Schema } from "../../platform/validation/index.ts";

export const RATE_LIMIT_SCHEMA = {
  type: ["integer", "null"],
  minimum: 0,
  maximum: RATE_LIMIT_MAX,
  description:
    "Requests per minute; 0 is unlimited, null uses the installation's default (RATE_LIMIT).",
} as const satisfies Schema;

export const CONCURRENCY_LIMIT_SCHEMA = {
  type: ["integer", "null"],
  minimum: 0,
  maximum: CONCURRENCY_LIMIT_MAX,
  description:
    "Concurrent requests per process; 0 is unlimited, null uses the installation's default " +
    "(CONCURRENCY_LIMIT).",
} as const satisfies Schema;
