/**
 * Settings and tests for requests to the tenant's own systems: duplicate check and import webhook.
 */

export { CalloutLayout } from "./callout-layout.tsx";
export { DuplicateCheckPanel } from "./duplicate-check.tsx";
export { ImportWebhookPanel } from "./import-webhook.tsx";
export { SigningSecrets } from "./signing-secrets.tsx";
export { TestCallout } from "./test-callout.tsx";
