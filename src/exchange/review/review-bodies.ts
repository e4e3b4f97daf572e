/** What reviewers send: why a lead is rejected, and decisions on many leads at once (D8.6, D9.3). */

import type { Clock } from "../../platform/clock/index.ts";
import { isObject, type Json } from "../../platform/json/index.ts";
import { checker, type Fault, type Schema, valueError } from "../../platform/validation/index.ts";
import { recordRules } from "../../records/index.ts";
import { bodyShape, isBlank } from "../partners/index.ts";
import { ACTIONS } from "./review.ts";

const REASON_MAX = 5000;
const BATCH_MAX = 500;

const REASON: Schema = { type: "string", minLength: 1, maxLength: REASON_MAX };

const REJECT_SCHEMA: Schema = {
  title: "RejectRequest",
  type: "object",
  properties: { reason: { ...REASON, "x-rule": ["not_blank", null] } },
  required: ["reason"],
  additionalProperties: false,
};

const BATCH_SCHEMA: Schema = {
  title: "PushedLeadBatchRequest",
  type: "object",
  properties: {
    ids: {
      type: "array",
      minItems: 1,
      maxItems: BATCH_MAX,
      items: { type: "string", minLength: 1, maxLength: 100 },
    },
    action: { type: "string", enum: [...ACTIONS] },
    reason: { ...REASON, type: ["string", "null"], description: "Why they are rejected." },
  },
  required: ["ids", "action"],
  additionalProperties: false,
  "x-rule": ["reason_for_reject", null],
};

function reasonFaults(body: Json): readonly Fault[] {
  if (!isObject(body)) return [];
  const { action, reason } = body;
  if (action === "reject") {
    return isBlank(reason) ? [{ type: "missing", msg: "Field required", at: "reason" }] : [];
  }
  return isBlank(reason) ? [] : [valueError("a reason is given for reject alone", "reason")];
}

export const reviewShapes = (clock: Clock) => {
  const compile = checker({
    ...recordRules(clock),
    not_blank: (value) =>
      typeof value === "string" && value !== "" && isBlank(value)
        ? [valueError("this says nothing")]
        : [],
    reason_for_reject: reasonFaults,
  });
  return {
    reject: bodyShape(REJECT_SCHEMA, compile(REJECT_SCHEMA)),
    batch: bodyShape(BATCH_SCHEMA, compile(BATCH_SCHEMA)),
  };
};

export type ReviewShapes = ReturnType<typeof reviewShapes>;

/** Schemas that openapi.json prints by name. */
export const REVIEW_SCHEMAS: Readonly<Record<string, Schema>> = {
  RejectRequest: REJECT_SCHEMA,
  PushedLeadBatchRequest: BATCH_SCHEMA,
};
