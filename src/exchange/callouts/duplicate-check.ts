/**
 * The external duplicate check: a tenant's own system is asked whether it knows a
 * person, instead of the records here.
 */

import type { Scope } from "../../audit/index.ts";
import type { Memory } from "../../platform/clock/index.ts";
import { AppError } from "../../platform/errors/index.ts";
import type { Json } from "../../platform/json/index.ts";
import {
  OutgoingError,
  type Outgoing,
  type OutgoingAnswer,
} from "../../platform/outgoing/index.ts";
import type { Members, Schemas } from "../../platform/validation/index.ts";
import { requestOf, TIMEOUT_s, type Callout } from "./callout.ts";
import { type CalloutSetting, type Kept, readCallout } from "./callout-setting.ts";
import { saysYes, valueAt } from "./json-pointer.ts";
import {
  findInRecords,
  type FindPerson,
  type FoundPerson,
  refuseRemembered,
} from "../partners/index.ts";
import type { SettingDeps } from "./setting.ts";

export const CHECK_NAMES = ["name", "email", "phone"] as const;

/** How an answer is understood, and what happens where the endpoint is slow or broken. */
export const ANSWER_RULE = {
  exists_pointer: { type: "string" },
  name_pointer: { type: ["string", "null"] },
  active_pointer: { type: ["string", "null"] },
  on_error: { type: "string", enum: ["fail", "own_records"] },
} as const satisfies Schemas;

export type Check = Callout & Members<typeof ANSWER_RULE>;
export type DuplicateCheck = Kept<Check>;

/** The setting; a trial is marked, so that nobody takes it for a person. */
export const CHECK: CalloutSetting<Check> = {
  name: "duplicate_check",
  defaults: {
    enabled: false,
    url: null,
    method: "POST",
    headers: {},
    body_template: `{${CHECK_NAMES.map((name) => `"${name}": {{${name}}}`).join(", ")}}`,
    raw_template: false,
    timeout_s: TIMEOUT_s,
    exists_pointer: "/exists",
    name_pointer: "/name",
    active_pointer: "/active",
    on_error: "fail",
  },
  sample: {
    name: "Leadport test",
    email: "leadport-test@example.com",
    phone: "+1 202 555 0100",
  },
};

/** What an answer says; throws a CheckFailed where it cannot be understood. */
export function readAnswer(check: DuplicateCheck, answer: OutgoingAnswer): FoundPerson | undefined {
  const { status, body, isCut } = answer;
  if (status < 200 || status > 299) throw new CheckFailed(`it answered ${status}`);
  if (isCut) throw new CheckFailed("its answer is larger than 64 KiB");
  const document = parsed(body);
  if (document === undefined) throw new CheckFailed("its answer is no JSON");
  if (!saysYes(valueAt(document, check.exists_pointer))) return undefined;
  const at = (pointer: string | null) =>
    pointer === null ? undefined : valueAt(document, pointer);
  const name = at(check.name_pointer);
  return {
    name: typeof name === "string" && name !== "" ? name : null,
    active: saysYes(at(check.active_pointer)),
  };
}

function parsed(body: Buffer): Json | undefined {
  try {
    // It drops a byte order mark, which JSON.parse takes for no JSON.
    return JSON.parse(new TextDecoder().decode(body)) as Json;
  } catch {
    return undefined;
  }
}

/** The endpoint did not say whether it knows the person; the message says why, without secrets. */
export class CheckFailed extends Error {}

export interface CheckDeps extends Pick<SettingDeps, "sealer"> {
  readonly outgoing: Outgoing;
  /** The checks of tenants, as they were a moment ago. */
  readonly checks: Memory<DuplicateCheck>;
}

const currentCheck = (scope: Scope, deps: CheckDeps): Promise<DuplicateCheck> =>
  deps.checks.get(scope.tenantId, () => readCallout(scope, deps, CHECK));

/** Whether a tenant's own system is asked, and not the records here. */
export const createAsksElsewhere =
  (deps: CheckDeps) =>
  async (scope: Scope): Promise<boolean> =>
    (await currentCheck(scope, deps)).enabled;

/** Asks the tenant's own system where it set one up, and the records here otherwise. */
export const createFindPerson =
  (deps: CheckDeps): FindPerson =>
  async (scope, person, now_s) => {
    const check = await currentCheck(scope, deps);
    if (!check.enabled) return findInRecords(scope, person, now_s);
    // Nobody is asked twice for one call, nor for somebody who may not ask.
    refuseRemembered(person.caller);
    const { name = null, email = null, phone = null } = person.given;
    try {
      const request = requestOf(check, { name, email, phone });
      return readAnswer(check, await deps.outgoing.send(request));
    } catch (error) {
      if (!(error instanceof CheckFailed || error instanceof OutgoingError)) throw error;
      if (check.on_error === "own_records") return findInRecords(scope, person, now_s);
      throw new AppError("duplicate_check_failed", { headers: { "retry-after": "30" } });
    }
  };
