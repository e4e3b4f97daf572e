/** The limit of one credential, as bodies name it. */

import { RATE_LIMIT_MAX } from "../platform/limiter.ts";
import type { Schema } from "../platform/validation.ts";

export const RATE_LIMIT_SCHEMA: Schema = {
  type: ["integer", "null"],
  minimum: 0,
  maximum: RATE_LIMIT_MAX,
  description: "Requests a minute; 0 is no limit, null the installation's (RATE_LIMIT).",
};
