/** Calls to the own systems of a tenant: duplicate check and import webhook, with their templates. */

export { CALLOUT_SCHEMAS } from "./callout-bodies.ts";
export { calloutOperations } from "./callout-routes.ts";
export { requestOf } from "./callout.ts";
export { createAsksElsewhere, createFindPerson, type DuplicateCheck } from "./duplicate-check.ts";
export { readWebhook, WEBHOOK, webhookValues } from "./import-webhook.ts";
export type { SettingDeps } from "./setting.ts";
export { listRefusedTemplates } from "./stored-templates.ts";
