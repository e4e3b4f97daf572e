/**
 * The import webhook (spec 6.2, D9.4): where a tenant has imported leads sent instead of its CRM here,
 * and the secrets by which its endpoint knows that they come from us.
 */

import { changedFields, type Scope } from "../../audit/index.ts";
import {
  shownSecret,
  toldSecrets,
  withNewSecret,
  type SigningSecret,
} from "../../delivery/index.ts";
import { isoSeconds } from "../../platform/clock/index.ts";
import { transaction } from "../../platform/database/index.ts";
import type { JsonObject } from "../../platform/json/index.ts";
import { maskedHeaders, TIMEOUT_s, type Callout } from "./callout.ts";
import { keepCallout, storedCallout } from "./callout-setting.ts";
import type { PushedLead } from "../pushed-leads/index.ts";
import { readSetting, writeSetting, type SettingDeps } from "./setting.ts";
import type { TemplateValues } from "./template.ts";

/** The placeholders of spec 6.2. */
export const WEBHOOK_NAMES = [
  "id",
  "name",
  "email",
  "phone",
  "partner_id",
  "lead_source",
  "description",
] as const;

export const WEBHOOK_DEFAULTS: Callout = {
  enabled: false,
  url: null,
  method: "POST",
  headers: {},
  body_template: `{${WEBHOOK_NAMES.map((name) => `"${name}": {{${name}}}`).join(", ")}}`,
  raw_template: false,
  timeout_s: TIMEOUT_s,
};

export interface ImportWebhook extends Callout {
  /** Newest first. */
  readonly secrets: readonly SigningSecret[];
  readonly updated_ts: number | null;
}

/** The webhook as it is set up; switched off where it never was. */
export async function readWebhook(
  scope: Scope,
  deps: Pick<SettingDeps, "sealer">,
  options?: { readonly lock: boolean },
): Promise<ImportWebhook> {
  const { value, secret, updated_ts } = await readSetting(scope, deps, "import_webhook", options);
  const { headers = {}, secrets = [] } = secret as unknown as Partial<ImportWebhook>;
  return { ...WEBHOOK_DEFAULTS, ...storedCallout(value), headers, secrets, updated_ts };
}

/** As it is told: header values masked, of the secrets only when each was issued. */
export const toldWebhook = ({ secrets, updated_ts, headers, ...callout }: ImportWebhook) =>
  ({
    ...callout,
    headers: maskedHeaders(headers),
    secrets: toldSecrets(secrets),
    updated_ts,
    updated_date: updated_ts === null ? null : isoSeconds(updated_ts),
  }) as unknown as JsonObject;

/** Sets the webhook up anew; what is not sent takes its default. Its secrets stay. */
export const putWebhook = (
  scope: Scope,
  deps: SettingDeps,
  sent: JsonObject,
): Promise<ImportWebhook> =>
  transaction(scope.db, async (tx) => {
    const within = { ...scope, db: tx };
    const before = await readWebhook(within, deps, { lock: true });
    const { secrets } = before;
    await keepCallout(within, deps, "import_webhook", {
      before,
      sent,
      defaults: WEBHOOK_DEFAULTS,
      alsoSecret: { secrets: secrets as unknown as readonly JsonObject[] },
    });
    return readWebhook(within, deps);
  });

/** Issues another signing secret, shown this once; the newest two sign. */
export const issueSecret = (scope: Scope, deps: SettingDeps): Promise<JsonObject> =>
  transaction(scope.db, async (tx) => {
    const within = { ...scope, db: tx };
    const { value, secret: kept } = await readSetting(within, deps, "import_webhook", {
      lock: true,
    });
    const webhook = await readWebhook(within, deps);
    const secrets = withNewSecret(webhook.secrets, deps.clock);
    const stored = { value, secret: { ...kept, secrets: secrets as unknown as JsonObject[] } };
    const fields = changedFields(
      {},
      {
        secret_issued: secrets[0].created_ts,
        active: secrets.length,
      },
    );
    await writeSetting(within, deps, "import_webhook", { ...stored, fields });
    return shownSecret(secrets);
  });

/** What the placeholders of a template stand for. */
export const webhookValues = (lead: PushedLead): TemplateValues => ({
  id: lead.id,
  name: lead.name,
  email: lead.email,
  phone: lead.phone,
  partner_id: lead.partner_id,
  lead_source: lead.source,
  description: lead.description,
});

/** What a test call sends: marked, so that nobody takes it for a lead. */
export const SAMPLE_VALUES: TemplateValues = {
  id: "000000000000000000000000",
  name: "Leadport test",
  email: "leadport-test@example.com",
  phone: "+1 202 555 0100",
  partner_id: "000000000000000000000000",
  lead_source: "Unknown",
  description: "This is a test of the import webhook; there is no such lead.",
};
