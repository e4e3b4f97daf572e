/** Storing how a tenant's endpoint is called, with its audit entry (D9.4, D9.5, D9.7). */

import { changedFields, type Scope } from "../../audit/index.ts";
import type { Tx } from "../../platform/database/index.ts";
import { ValidationError } from "../../platform/errors/index.ts";
import { givenIn, sameJson, type JsonObject } from "../../platform/json/index.ts";
import { keptHeaders, maskedHeaders, type Callout } from "./callout.ts";
import { writeSetting, type SettingDeps, type SettingName } from "./setting.ts";

export interface Keeping {
  readonly before: Callout;
  /** Checked input; what it leaves out takes its default. */
  readonly sent: JsonObject;
  readonly defaults: Callout;
  /** Secrets beside the headers' values. */
  readonly alsoSecret?: JsonObject;
}

/**
 * The setting that a body asks for: what it leaves out takes its default, a mask what is stored. Throws
 * 422 for masks of nothing, and for masks sent along with a URL of another origin: a stored value goes
 * only where it was entered for.
 */
export function askedCallout({
  before,
  sent,
  defaults,
}: Pick<Keeping, "before" | "sent" | "defaults">): Callout {
  const asked = { ...defaults, ...givenIn(sent) } as unknown as Callout;
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

/** A stored value with `raw_template`: null where it was stored before there was the choice. */
export const storedCallout = (value: JsonObject): JsonObject =>
  "body_template" in value ? { raw_template: null, ...value } : value;

/** Stores a setting; nothing is written where nothing differs. Throws as `askedCallout` does. */
export async function keepCallout(
  scope: Scope<Tx>,
  deps: SettingDeps,
  name: SettingName,
  { alsoSecret = {}, ...keeping }: Keeping,
): Promise<void> {
  const { before, defaults } = keeping;
  const { headers, ...next } = askedCallout(keeping);
  const told = (callout: Partial<Callout>, names: Callout["headers"]): JsonObject => ({
    ...(Object.fromEntries(
      Object.keys(defaults).map((member) => [member, callout[member as keyof Callout] ?? null]),
    ) as JsonObject),
    headers: maskedHeaders(names),
  });
  const [old, now] = [told(before, before.headers), told(next, headers)];
  const fields = changedFields(old, now);
  // Another value behind the same mask is a change that the masks do not show.
  const isOtherSecret = !sameJson(headers, before.headers);
  if (Object.keys(fields).length === 0 && !isOtherSecret) return;
  const shown = isOtherSecret
    ? { ...fields, headers: [old["headers"] ?? null, now["headers"] ?? null] as const }
    : fields;
  const secret = { ...alsoSecret, headers };
  await writeSetting(scope, deps, name, { value: next, secret, fields: shown });
}

const NOT_STORED = "this mask stands for a stored value, and none is stored under this name";
const ENTER_AGAIN =
  "enter this value again: stored header values are not sent to another scheme, host or port";

const maskIssue = (name: string, sentence: string) => ({
  type: "value_error",
  loc: ["body", "headers", name],
  msg: `Value error, ${sentence}`,
  input: null,
});
