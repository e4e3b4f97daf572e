/**
 * The remaining work of an erasure as stored: its records, and the encrypted terms to search for. It is checked when it
 * is read, because a tenant file can contain any work.
 */

import type { TenantId } from "../audit/index.ts";
import { ID_PATTERN } from "../platform/ids/index.ts";
import { pick } from "../platform/json/index.ts";
import type { Sealer } from "../platform/secrets/index.ts";
import { checker } from "../platform/validation/index.ts";
import { RECORD_NAMES } from "../records/types/index.ts";
import { PUSHED_LEAD, REJECTED_ROW } from "./person/index.ts";
import type { Plan } from "./plan.ts";

/** The columns of an erasure that contain its remaining work. */
export interface StoredPlan {
  readonly id: string;
  readonly records: Plan["records"];
  readonly sealed: string;
}

const placeOf = (id: string): string => `person erasure ${id}`;

/** Encrypts the terms of an erasure's plan. */
export const sealTerms = (sealer: Sealer, tenantId: TenantId, id: string, plan: Plan): string =>
  sealer.seal(tenantId, placeOf(id), JSON.stringify(pick(plan, ["searched", "known"])));

/** Returns the plan of an erasure. Throws if the terms cannot be decrypted or the worker cannot carry out the plan. */
export function openPlan(
  sealer: Sealer,
  tenantId: TenantId,
  { id, records, sealed }: StoredPlan,
): Plan {
  const terms = JSON.parse(sealer.open(tenantId, placeOf(id), sealed)) as object;
  const plan = { ...terms, records } as Plan;
  const [issue] = check(plan);
  if (issue !== undefined) {
    throw new Error(`The erasure ${id} is invalid: ${issue.loc.join(".")}: ${issue.msg}`);
  }
  return plan;
}

const recordOf = (types: readonly string[], effects: readonly string[], id: string) => ({
  type: "object",
  properties: {
    type: { enum: types },
    id: { type: "string", pattern: `^${id}$` },
    effect: { enum: effects },
  },
  required: ["type", "id", "effect"],
});

/** A few times the length of the longest name. Longer terms could exceed the limits of regular expressions. */
const TERM_MAX = 2000;

const list = { type: "array", items: { type: "string", maxLength: TERM_MAX } };
const terms = {
  type: "object",
  properties: { emails: list, phones: list, names: list },
  required: ["emails", "phones", "names"],
};

const check = checker({})({
  type: "object",
  properties: {
    records: {
      type: "array",
      items: {
        anyOf: [
          recordOf(RECORD_NAMES, ["erase", "clear", "review"], ID_PATTERN),
          recordOf([PUSHED_LEAD], ["erase"], ID_PATTERN),
          recordOf([REJECTED_ROW], ["erase"], String.raw`${ID_PATTERN}\.\d{1,15}`),
        ],
      },
    },
    searched: terms,
    known: terms,
  },
  required: ["records", "searched", "known"],
});
