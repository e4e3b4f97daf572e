/**
 * The external duplicate check (spec 6.3, D9.5): a tenant's own system is asked whether it knows a
 * person, instead of the records here.
 */

import type { Scope } from "../../audit/index.ts";
import { isoSeconds, type Memory } from "../../platform/clock/index.ts";
import { transaction } from "../../platform/database/index.ts";
import { AppError } from "../../platform/errors/index.ts";
import type { Json, JsonObject } from "../../platform/json/index.ts";
import {
  OutgoingError,
  type Outgoing,
  type OutgoingAnswer,
} from "../../platform/outgoing/index.ts";
import { maskedHeaders, requestOf, TIMEOUT_s, type Callout } from "./callout.ts";
import { keepCallout, storedCallout } from "./callout-setting.ts";
import { saysYes, valueAt } from "./json-pointer.ts";
import {
  findInRecords,
  type FindPerson,
  type FoundPerson,
  refuseRemembered,
} from "../partners/index.ts";
import { readSetting, type SettingDeps } from "./setting.ts";
import type { TemplateValues } from "./template.ts";

export const CHECK_NAMES = ["name", "email", "phone"] as const;

/** What happens where the endpoint is slow or broken (D9.5). */
export const ON_ERROR = ["fail", "own_records"] as const;

export interface DuplicateCheck extends Callout {
  readonly exists_pointer: string;
  readonly name_pointer: string | null;
  readonly active_pointer: string | null;
  readonly on_error: (typeof ON_ERROR)[number];
  readonly updated_ts: number | null;
}

export const CHECK_DEFAULTS: Omit<DuplicateCheck, "updated_ts"> = {
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
};

/** The check as it is set up; switched off where it never was. */
export async function readCheck(
  scope: Scope,
  deps: Pick<SettingDeps, "sealer">,
  options?: { readonly lock: boolean },
): Promise<DuplicateCheck> {
  const { value, secret, updated_ts } = await readSetting(scope, deps, "duplicate_check", options);
  const { headers = {} } = secret as unknown as Partial<Callout>;
  return { ...CHECK_DEFAULTS, ...storedCallout(value), headers, updated_ts };
}

export const toldCheck = ({ updated_ts, headers, ...check }: DuplicateCheck) =>
  ({
    ...check,
    headers: maskedHeaders(headers),
    updated_ts,
    updated_date: updated_ts === null ? null : isoSeconds(updated_ts),
  }) as unknown as JsonObject;

/** Sets the check up anew; what is not sent takes its default. */
export const putCheck = (
  scope: Scope,
  deps: SettingDeps,
  sent: JsonObject,
): Promise<DuplicateCheck> =>
  transaction(scope.db, async (tx) => {
    const within = { ...scope, db: tx };
    const before = await readCheck(within, deps, { lock: true });
    await keepCallout(within, deps, "duplicate_check", { before, sent, defaults: CHECK_DEFAULTS });
    return readCheck(within, deps);
  });

/** What a test call asks after: marked, so that nobody takes it for a person. */
export const SAMPLE_PERSON: TemplateValues = {
  name: "Leadport test",
  email: "leadport-test@example.com",
  phone: "+1 202 555 0100",
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
  deps.checks.get(scope.tenantId, () => readCheck(scope, deps));

/** Whether a tenant's own system is asked, and not the records here. */
export const createAsksElsewhere =
  (deps: CheckDeps) =>
  async (scope: Scope): Promise<boolean> =>
    (await currentCheck(scope, deps)).enabled;

/** Asks the tenant's own system where it set one up, and the records here otherwise (D9.5). */
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
