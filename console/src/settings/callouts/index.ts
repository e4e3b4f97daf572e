/** Calls to own systems: duplicate check, import webhook, and their trials. */

export { CalloutLayout } from "./callout-layout.tsx";
export { DuplicateCheckPanel } from "./duplicate-check.tsx";
export { ImportWebhookPanel } from "./import-webhook.tsx";
export { SigningSecrets } from "./signing-secrets.tsx";
export { TryCallout } from "./try-callout.tsx";
