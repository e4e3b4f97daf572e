/** `GET /crm/<type>/summary`: counts records and sums their amounts. */

import { scopeOf } from "../../access/index.ts";
import { becomeBulk } from "../../platform/admission/index.ts";
import { operation } from "../../platform/operations/index.ts";
import type { ConcurrencyLimit } from "../../platform/http/index.ts";
import type { RecordType } from "../types/index.ts";
import {
  partsFor,
  reading,
  typeFor,
  wordOf,
  type RecordOperation,
  type RecordsDeps,
} from "./record-operation.ts";
import { planSummary, readSummary, summaryParameters } from "../list/index.ts";
import { sumColumns } from "../columns/index.ts";

/** Returns the type's summary operation. Types without a list have none. */
export function summariesOf(
  { db }: RecordsDeps,
  type: RecordType,
  running: ConcurrencyLimit,
): readonly RecordOperation[] {
  const path = type.lists["all"]?.path;
  if (path === undefined) return [];
  const adding = sumColumns(type).size === 0 ? "" : " and adds up an amount";
  return [
    operation({
      ...reading(type),
      method: "GET",
      url: `${path}/summary`,
      isIdToOthers: true,
      id: `summarize_${wordOf(path)}`,
      summary: `Summarize ${wordOf(path)}`,
      description: `Counts ${wordOf(path)}${adding}, grouped by a field, by time period, or both.`,
      ...partsFor(type, (type) => ({ query: summaryParameters(type) })),
      answer: { $ref: "RecordSummary#" },
      run: ({ caller, query, reply }) => {
        const plan = planSummary(typeFor(caller, type), query, caller.tenant);
        running.enter(caller, reply);
        becomeBulk();
        return readSummary(scopeOf(db.lists, caller), plan, caller.tenant);
      },
    }),
  ];
}
