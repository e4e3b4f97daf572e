/** Request bodies for reviewing: the reason for a rejection, and decisions about many leads. */

import type { Clock } from "../../platform/clock/index.ts";
import { isObject, type Json } from "../../platform/json/index.ts";
import { bodyShape } from "../../platform/operations/index.ts";
import { checker, type Fault, valueError } from "../../platform/validation/index.ts";
import { bodySchema, nullable, type Schemas, string } from "../../platform/schemas/index.ts";
import { recordRules } from "../../records/schemas/index.ts";
import { isBlank } from "../partners/index.ts";
import { ACTIONS } from "./review.ts";

const REASON_MAX = 5000;
const BATCH_MAX = 500;

const REASON = { type: "string", minLength: 1, maxLength: REASON_MAX } as const;

const REJECT_SCHEMA = bodySchema("RejectRequest", {
  reason: {
    ...REASON,
    description: "Why the lead is rejected. The partner sees it.",
    "x-rule": ["not_blank", null],
  },
});

const BATCH = {
  ids: {
    type: "array",
    minItems: 1,
    maxItems: BATCH_MAX,
    items: { type: "string", minLength: 1, maxLength: 100 },
    description: "The ids of the leads.",
  },
  action: string("The decision.", { enum: ACTIONS }),
  reason: { ...nullable(REASON), description: "The reason for rejecting the leads." },
} as const satisfies Schemas;

const BATCH_SCHEMA = {
  ...bodySchema("PushedLeadBatchRequest", BATCH, ["ids", "action"]),
  "x-rule": ["reason_for_reject", null],
} as const;

function reasonFaults(body: Json): readonly Fault[] {
  if (!isObject(body)) return [];
  const { action, reason } = body;
  if (action === "reject") {
    return isBlank(reason) ? [{ type: "missing", msg: "Field required", at: "reason" }] : [];
  }
  return isBlank(reason)
    ? []
    : [valueError("a reason is allowed only with the action reject", "reason")];
}

export const reviewShapes = (clock: Clock) => {
  const compile = checker({
    ...recordRules(clock),
    not_blank: (value) =>
      typeof value === "string" && value !== "" && isBlank(value)
        ? [valueError("this must not be blank")]
        : [],
    reason_for_reject: reasonFaults,
  });
  return {
    reject: bodyShape(REJECT_SCHEMA, compile),
    batch: bodyShape(BATCH_SCHEMA, compile),
  };
};

export type ReviewShapes = ReturnType<typeof reviewShapes>;

/** The named schemas in openapi.json. */
export const REVIEW_SCHEMAS: Schemas = {
  RejectRequest: REJECT_SCHEMA,
  PushedLeadBatchRequest: BATCH_SCHEMA,
};
