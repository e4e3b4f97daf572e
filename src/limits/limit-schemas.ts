/** Schemas of a credential's limits. */

import { CONCURRENCY_LIMIT_MAX, RATE_LIMIT_MAX } from "../platform/operations/index.ts";
import type { Schema } from "../platform/validation/index.ts";
import { integer, nullable } from "../platform/schemas/index.ts";

export const RATE_LIMIT_SCHEMA = nullable(
  integer(
    "Requests per minute; 0 is unlimited, null uses the installation's default (RATE_LIMIT).",
    { minimum: 0, maximum: RATE_LIMIT_MAX },
  ),
) satisfies Schema;

export const CONCURRENCY_LIMIT_SCHEMA = nullable(
  integer(
    "Concurrent requests per process; 0 is unlimited, null uses the installation's default " +
      "(CONCURRENCY_LIMIT).",
    { minimum: 0, maximum: CONCURRENCY_LIMIT_MAX },
  ),
) satisfies Schema;
