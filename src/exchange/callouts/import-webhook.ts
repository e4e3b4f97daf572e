/**
 * The import webhook: sends imported leads to a tenant's own system instead of adding them to the CRM. Signatures prove
 * where the requests come from.
 */

import { changedFields, type Scope } from "../../audit/index.ts";
import { shownSecret, shownSecrets, withNewSecret } from "../../delivery/signing/index.ts";
import { transaction } from "../../platform/database/index.ts";
import { type JsonObject, pick } from "../../platform/json/index.ts";
import { TIMEOUT_s } from "./callout.ts";
import { type CalloutSetting, type Kept, readCallout, shownCallout } from "./callout-setting.ts";
import type { PushedLead } from "../pushed-leads/index.ts";
import { readSetting, writeSetting, type SettingDeps } from "./setting.ts";
import type { TemplateValues } from "./template.ts";

/** The placeholders available in a template. docs/own-systems.md lists them. */
export const WEBHOOK_NAMES = [
  "id",
  "name",
  "email",
  "phone",
  "partner_id",
  "lead_source",
  "description",
] as const;

/** The setting and its default values. The sample is marked as a test, so that no one mistakes it for a real lead. */
export const WEBHOOK: CalloutSetting = {
  name: "import_webhook",
  defaults: {
    enabled: false,
    url: null,
    method: "POST",
    headers: {},
    body_template: `{${WEBHOOK_NAMES.map((name) => `"${name}": {{${name}}}`).join(", ")}}`,
    raw_template: false,
    timeout_s: TIMEOUT_s,
  },
  sample: {
    id: "000000000000000000000000",
    name: "Leadport test",
    email: "leadport-test@example.com",
    phone: "+1 202 555 0100",
    partner_id: "000000000000000000000000",
    lead_source: "Unknown",
    description: "This is a test of the import webhook; there is no such lead.",
  },
};

export const readWebhook = (scope: Scope, deps: Pick<SettingDeps, "sealer">): Promise<Kept> =>
  readCallout(scope, deps, WEBHOOK);

/** Returns the webhook as it appears in responses. Secrets are represented only by their creation times. */
export const shownWebhook = (webhook: Kept) => ({
  ...shownCallout(webhook, WEBHOOK),
  secrets: shownSecrets(webhook.secrets),
});

/** Creates a signing secret. Only this response contains it. Requests are signed with the newest two secrets. */
export const issueSecret = (scope: Scope, deps: SettingDeps): Promise<JsonObject> =>
  transaction(scope.db, async (tx) => {
    const within = { ...scope, db: tx };
    const { name } = WEBHOOK;
    const { value, secret: kept } = await readSetting(within, deps, name, { lock: true });
    const secrets = withNewSecret(kept.secrets ?? [], deps.clock);
    const issued = { secret_issued: secrets[0].created_ts, active: secrets.length };
    const fields = changedFields({}, issued);
    await writeSetting(within, deps, name, { value, secret: { ...kept, secrets }, fields });
    return shownSecret(secrets);
  });

/** Returns a lead's values for the placeholders of a template. */
export const webhookValues = (lead: PushedLead): TemplateValues =>
  pick({ ...lead, lead_source: lead.source }, WEBHOOK_NAMES);
