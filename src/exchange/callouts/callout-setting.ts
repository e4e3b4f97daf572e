/** Storing how a tenant's endpoint is called, with its audit entry. */

import { changedFields, type Scope } from "../../audit/index.ts";
import type { SigningSecret } from "../../delivery/index.ts";
import { transaction } from "../../platform/database/index.ts";
import { ValidationError } from "../../platform/errors/index.ts";
import { givenIn, namesOf, pick, sameJson } from "../../platform/json/index.ts";
import { withDates } from "../../platform/validation/index.ts";
import { keptHeaders, maskedHeaders, type Callout, type SentCallout } from "./callout.ts";
import type { TemplateValues } from "./template.ts";
import { readSetting, writeSetting, type SettingDeps, type SettingName } from "./setting.ts";

/** One of the settings that say how an endpoint is called. */
export interface CalloutSetting<C extends Callout = Callout> {
  readonly name: SettingName;
  /** What it is where it never was set up, and what a body leaves out. */
  readonly defaults: C;
  /** What a trial sends: a value for each placeholder. */
  readonly sample: TemplateValues;
}

/** A callout as it is stored. */
export type Kept<C extends Callout = Callout> = C & {
  /** Newest first; only the import webhook has any. */
  readonly secrets: readonly SigningSecret[];
  readonly updated_ts: number | null;
};

/** The callout as it is set up; switched off where it never was. */
export async function readCallout<C extends Callout>(
  scope: Scope,
  deps: Pick<SettingDeps, "sealer">,
  { name, defaults }: CalloutSetting<C>,
  options?: { readonly lock: boolean },
): Promise<Kept<C>> {
  const { value, secret, updated_ts } = await readSetting(scope, deps, name, options);
  const { headers = {}, secrets = [] } = secret;
  // Null where it was stored before there was the choice.
  const raw = "body_template" in value ? { raw_template: null } : {};
  return { ...defaults, ...raw, ...value, headers, secrets, updated_ts };
}

/** The members of a callout, with masks for the values of headers. */
const masked = (callout: Callout, { defaults }: CalloutSetting) => ({
  ...pick(callout, namesOf<keyof Callout>(defaults)),
  headers: maskedHeaders(callout.headers),
});

/** As it is shown: header values masked, and nothing of secrets. */
export const shownCallout = (callout: Kept, setting: CalloutSetting) =>
  withDates({ ...masked(callout, setting), updated_ts: callout.updated_ts });

/**
 * The setting that a body asks for: what it leaves out takes its default, a mask what is stored. Throws
 * 422 for masks of nothing, and for masks sent along with a URL of another origin: a stored value goes
 * only where it was entered for.
 */
export function askedCallout(
  before: Callout,
  sent: SentCallout,
  { defaults }: CalloutSetting,
): Callout {
  const asked = { ...defaults, ...givenIn(sent) };
  const { headers, masks } = keptHeaders(asked.headers, before.headers);
  const isMoved = asked.url !== null && originOf(asked.url) !== originOf(before.url);
  const issues = masks
    .filter(({ isStored }) => isMoved || !isStored)
    .map(({ name, isStored }) => maskIssue(name, isStored ? ENTER_AGAIN : NOT_STORED));
  if (issues.length > 0) throw new ValidationError(issues);
  return { ...asked, headers };
}

/** Scheme, host and port in one spelling; null where there is no URL. */
const originOf = (url: string | null): string | null =>
  url === null ? null : (URL.parse(url)?.origin ?? null);

/** Stores what a body asks for; nothing is written where nothing differs. Throws as `askedCallout` does. */
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
    const asked = askedCallout(before, sent, setting);
    const [old, now] = [masked(before, setting), masked(asked, setting)];
    const fields = changedFields(old, now);
    const { headers, ...value } = asked;
    // Another value behind the same mask is a change that the masks do not show.
    const isOtherSecret = !sameJson(headers, before.headers);
    if (Object.keys(fields).length === 0 && !isOtherSecret) return before;
    const shown = isOtherSecret
      ? { ...fields, headers: [old.headers, now.headers] as const }
      : fields;
    const secret = { headers, secrets };
    await writeSetting(within, deps, setting.name, { value, secret, fields: shown });
    return readCallout(within, deps, setting);
  });

const NOT_STORED = "this mask stands for a stored value, and none is stored under this name";
const ENTER_AGAIN =
  "enter this value again: stored header values are not sent to another scheme, host or port";

const maskIssue = (name: string, sentence: string) => ({
  type: "value_error",
  loc: ["body", "headers", name],
  msg: `Value error, ${sentence}`,
  input: null,
});
