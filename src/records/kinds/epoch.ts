/** A time in epoch seconds. */

import type { Json } from "../../platform/json/index.ts";
import type { Fault } from "../../platform/validation/index.ts";
import { fieldKind, orUnreadable } from "./kind.ts";

/** Epoch numbers at or above this value are in milliseconds. */
const EPOCH_END = 1e11;

export interface EpochField {
  readonly kind: "epoch";
}

function epochFaults(value: Json): readonly Fault[] {
  if (typeof value !== "number" || Math.abs(value) < EPOCH_END) return [];
  const msg =
    `Input should be less than ${EPOCH_END}: ` +
    "epoch times are in seconds; this looks like milliseconds";
  return [{ type: "less_than", msg, ctx: { lt: EPOCH_END } }];
}

export const epoch = fieldKind<EpochField>({
  names: ["datetime"],
  request: () => ({
    type: ["number", "null"],
    "x-rule": ["epoch", null],
    "x-print": { exclusiveMinimum: -EPOCH_END, exclusiveMaximum: EPOCH_END },
  }),
  rules: () => ({ epoch: epochFaults }),
  docs: () =>
    "a time in epoch seconds; fractions are stored, and times in milliseconds are rejected",
  example: (_, { time_s }) => time_s,
  column: "number",
  summary: "period",
  formats: () => ["dates"],
  readsNothing: true,
  parse: (_, text, reader) => orUnreadable(reader.moment(text)),
});
