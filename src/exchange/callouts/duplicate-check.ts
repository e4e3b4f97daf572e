/**
 * The external duplicate check: Leadport asks a tenant's own system whether it knows a person,
 * instead of searching its own records.
 */

import type { Scope } from "../../audit/index.ts";
import type { Memory } from "../../platform/cache/index.ts";
import { AppError } from "../../platform/errors/index.ts";
import type { Json } from "../../platform/json/index.ts";
import {
  OutgoingError,
  type Outgoing,
  type OutgoingResponse,
} from "../../platform/outgoing/index.ts";
import { type Members, nullable, type Schemas, string } from "../../platform/schemas/index.ts";
import { requestOf, TIMEOUT_s, type Callout } from "./callout.ts";
import { type CalloutSetting, type Kept, readCallout } from "./callout-setting.ts";
import { meansYes, valueAt } from "./json-pointer.ts";
import { refuseCached } from "../partners/index.ts";
import { findInRecords, type FindPerson, type FoundPerson } from "../lookup/index.ts";
import type { SettingDeps } from "./setting.ts";

export const CHECK_NAMES = ["name", "email", "phone"] as const;

/** How to interpret a response, and what to do if the endpoint fails or is too slow. */
export const ANSWER_RULE = {
  exists_pointer: string(
    "A JSON Pointer (RFC 6901) to the value that shows whether the person exists.",
  ),
  name_pointer: nullable(string("A JSON Pointer (RFC 6901) to the name of the person.")),
  active_pointer: nullable(
    string(
      "A JSON Pointer (RFC 6901) to the value that shows whether the person was recently active.",
    ),
  ),
  on_error: string("What happens if the endpoint fails.", { enum: ["fail", "own_records"] }),
} as const satisfies Schemas;

export type Check = Callout & Members<typeof ANSWER_RULE>;
export type DuplicateCheck = Kept<Check>;

/** The setting and its default values. The sample is marked as a test, so that no one mistakes it for a real person. */
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

/**
 * Interprets a response. Returns undefined if the person is unknown. Throws CheckFailed if the response is unusable.
 */
export function readResponse(
  check: DuplicateCheck,
  answer: OutgoingResponse,
): FoundPerson | undefined {
  const { status, body, isCut } = answer;
  if (status < 200 || status > 299) throw new CheckFailed(`it responded with status ${status}`);
  if (isCut) throw new CheckFailed("its response is larger than 64 KiB");
  const document = parsed(body);
  if (document === undefined) throw new CheckFailed("its response is not valid JSON");
  if (!meansYes(valueAt(document, check.exists_pointer))) return undefined;
  const at = (pointer: string | null) =>
    pointer === null ? undefined : valueAt(document, pointer);
  const name = at(check.name_pointer);
  return {
    name: typeof name === "string" && name !== "" ? name : null,
    active: meansYes(at(check.active_pointer)),
  };
}

function parsed(body: Buffer): Json | undefined {
  try {
    // TextDecoder drops a byte order mark, which JSON.parse rejects.
    return JSON.parse(new TextDecoder().decode(body)) as Json;
  } catch {
    return undefined;
  }
}

/** Thrown if the endpoint's response is unusable. The message explains why and contains no secrets. */
export class CheckFailed extends Error {}

export interface CheckDeps extends Pick<SettingDeps, "sealer"> {
  readonly outgoing: Outgoing;
  /** The tenants' settings, cached for a short time. */
  readonly checks: Memory<DuplicateCheck>;
}

const currentCheck = (scope: Scope, deps: CheckDeps): Promise<DuplicateCheck> =>
  deps.checks.get(scope.tenantId, () => readCallout(scope, deps, CHECK));

/** Creates the function that returns whether a tenant uses its own system instead of the records in Leadport. */
export const createUsesOwnSystem =
  (deps: CheckDeps) =>
  async (scope: Scope): Promise<boolean> =>
    (await currentCheck(scope, deps)).enabled;

/**
 * Creates the function that finds people in the tenant's own system if one is configured, and otherwise in the records.
 */
export const createFindPerson =
  (deps: CheckDeps): FindPerson =>
  async (scope, person, now_s) => {
    const check = await currentCheck(scope, deps);
    if (!check.enabled) return findInRecords(scope, person, now_s);
    // Reject cached callers first. They are then authenticated again, so the endpoint is called only once per request
    // and only for permitted callers.
    refuseCached(person.caller);
    const { name = null, email = null, phone = null } = person.given;
    try {
      const request = requestOf(check, { name, email, phone });
      return readResponse(check, await deps.outgoing.send(request));
    } catch (error) {
      if (!(error instanceof CheckFailed || error instanceof OutgoingError)) throw error;
      if (check.on_error === "own_records") return findInRecords(scope, person, now_s);
      throw new AppError("duplicate_check_failed", { headers: { "retry-after": "30" } });
    }
  };
