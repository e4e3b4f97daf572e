/** `GET /crm/<type>/summary`: how many records there are, and what they add up to. */

import { scopeOf } from "../../access/index.ts";
import { becomeBulk } from "../../platform/admission/index.ts";
import { operation } from "../../platform/operations/index.ts";
import type { Places } from "../../platform/http/index.ts";
import { type RecordType } from "../types/index.ts";
import { reading, wordOf, type RecordOperation, type RecordsDeps } from "./operation-parts.ts";
import { planSummary, readSummary, summaryParameters } from "../list/index.ts";
import { sumColumns } from "../shape/index.ts";

/** None for a type that is not listed. */
export function summariesOf(
  { db }: RecordsDeps,
  type: RecordType,
  places: Places,
): readonly RecordOperation[] {
  const path = type.lists["all"]?.path;
  if (path === undefined) return [];
  const adding = sumColumns(type).size === 0 ? "" : ", and add up an amount";
  return [
    operation({
      ...reading(type),
      method: "GET",
      url: `${path}/summary`,
      isIdToOthers: true,
      id: `summarize_${wordOf(path)}`,
      summary: `Count ${wordOf(path)} by a field and by periods of time${adding}`,
      query: summaryParameters(type),
      answer: { $ref: "RecordSummary#" },
      run: ({ caller, query, reply }) => {
        const plan = planSummary(type, query, caller.tenant);
        places.takeFor(caller, reply);
        becomeBulk();
        return readSummary(scopeOf(db.lists, caller), plan, caller.tenant);
      },
    }),
  ];
}
