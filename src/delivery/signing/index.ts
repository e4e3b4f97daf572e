/** The secrets of webhooks, and the signatures of their requests. */

export {
  SECRETS_SCHEMA,
  SHOWN_SECRET_SCHEMA,
  shownSecret,
  shownSecrets,
  type SigningSecret,
  withNewSecret,
} from "./secrets.ts";
export { webhookHeaders } from "./signature.ts";
