/** Calls to a tenant's own systems: the duplicate check, the import webhook, and their templates. */

export { CALLOUT_SCHEMAS } from "./callout-bodies.ts";
export { calloutOperations } from "./callout-routes.ts";
export { requestOf } from "./callout.ts";
export { createUsesOwnSystem, createFindPerson, type DuplicateCheck } from "./duplicate-check.ts";
export { readWebhook, WEBHOOK, webhookValues } from "./import-webhook.ts";
export type { SettingDeps } from "./setting.ts";
export { listRefusedTemplates } from "./stored-templates.ts";
