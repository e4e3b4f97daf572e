/** Stores the configuration of a tenant's endpoint, with an audit entry for each change. */

import { changedFields, type Scope } from "../../audit/index.ts";
import type { SigningSecret } from "../../delivery/signing/index.ts";
import { transaction } from "../../platform/database/index.ts";
import { type Issue, ValidationError } from "../../platform/errors/index.ts";
import { givenIn, namesOf, pick, sameJson } from "../../platform/json/index.ts";
import { withDates } from "../../platform/schemas/index.ts";
import { headersToStore, maskedHeaders, type Callout, type SentCallout } from "./callout.ts";
import type { TemplateValues } from "./template.ts";
import { readSetting, writeSetting, type SettingDeps, type SettingName } from "./setting.ts";

/** A setting that configures calls to an endpoint. */
export interface CalloutSetting<C extends Callout = Callout> {
  readonly name: SettingName;
  /** The default values, used initially and for members that are missing from a request body. */
  readonly defaults: C;
  /** The placeholder values of a test request. */
  readonly sample: TemplateValues;
}

/** A callout as stored. */
export type Kept<C extends Callout = Callout> = C & {
  /** Signing secrets, newest first. Only the import webhook has any. */
  readonly secrets: readonly SigningSecret[];
  readonly updated_ts: number | null;
};

/** Returns the configured callout, or a disabled one with the default values if none is configured. */
export async function readCallout<C extends Callout>(
  scope: Scope,
  deps: Pick<SettingDeps, "sealer">,
  { name, defaults }: CalloutSetting<C>,
  options?: { readonly lock: boolean },
): Promise<Kept<C>> {
  const { value, secret, updated_ts } = await readSetting(scope, deps, name, options);
  const { headers = {}, secrets = [] } = secret;
  // Settings stored before `raw_template` existed do not contain it.
  const raw = "body_template" in value ? { raw_template: null } : {};
  return { ...defaults, ...raw, ...value, headers, secrets, updated_ts };
}

/** Returns a callout's members, with header values masked. */
const masked = (callout: Callout, { defaults }: CalloutSetting) => ({
  ...pick(callout, namesOf<keyof Callout>(defaults)),
  headers: maskedHeaders(callout.headers),
});

/** Returns a callout for responses, with masked header values and without secrets. */
export const shownCallout = (callout: Kept, setting: CalloutSetting) =>
  withDates({ ...masked(callout, setting), updated_ts: callout.updated_ts });

/**
 * Returns the setting described by a request body. Missing members get their defaults, and masked header values are
 * replaced by the stored ones. Throws 422 if a mask has no stored value, or if the body contains masks and the origin
 * of its URL has changed: a stored value is sent only to the origin for which it was entered.
 */
export function requestedCallout(
  before: Callout,
  sent: SentCallout,
  { defaults }: CalloutSetting,
): Callout {
  const asked = { ...defaults, ...givenIn(sent) };
  const { headers, masks } = headersToStore(asked.headers, before.headers);
  const isOtherOrigin = asked.url !== null && originOf(asked.url) !== originOf(before.url);
  const issues = masks
    .filter(({ isStored }) => isOtherOrigin || !isStored)
    .map(({ name, isStored }) => maskIssue(name, isStored ? ENTER_AGAIN : NOT_STORED));
  if (issues.length > 0) throw new ValidationError(issues);
  return { ...asked, headers };
}

/** Returns the normalized scheme, host and port of a URL, or null if there is no URL. */
const originOf = (url: string | null): string | null =>
  url === null ? null : (URL.parse(url)?.origin ?? null);

/**
 * Stores the setting described by a request body if it differs from the stored one. Throws the same errors as
 * `requestedCallout`.
 */
export const putCallout = <C extends Callout>(
  scope: Scope,
  deps: SettingDeps,
  setting: CalloutSetting<C>,
  sent: SentCallout,
): Promise<Kept<C>> =>
  transaction(scope.db, async (tx) => {
    const within = { ...scope, db: tx };
    const before = await readCallout(within, deps, setting, { lock: true });
    const { secrets } = before;
    const asked = requestedCallout(before, sent, setting);
    const old = masked(before, setting);
    const now = masked(asked, setting);
    const fields = changedFields(old, now);
    const { headers, ...value } = asked;
    // Masked header values are always equal, so compare the values themselves.
    const isOtherSecret = !sameJson(headers, before.headers);
    if (Object.keys(fields).length === 0 && !isOtherSecret) return before;
    const shown = isOtherSecret
      ? { ...fields, headers: [old.headers, now.headers] as const }
      : fields;
    const secret = { headers, secrets };
    await writeSetting(within, deps, setting.name, { value, secret, fields: shown });
    return readCallout(within, deps, setting);
  });

const NOT_STORED = "no value is stored for this header; send the value instead of the mask";
const ENTER_AGAIN =
  "enter this value again; stored header values are not sent to another scheme, host or port";

const maskIssue = (name: string, sentence: string): Issue => ({
  type: "value_error",
  loc: ["body", "headers", name],
  msg: `Value error, ${sentence}`,
  input: null,
});
