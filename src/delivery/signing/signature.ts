/** Signs deliveries with HMAC-SHA256 (Standard Webhooks). */

import { createHmac } from "node:crypto";

/** Maximum number of signatures. There are two while a secret is being replaced. */
const SECRETS_MAX = 2;
const PREFIX = "whsec_";

export interface Signed {
  readonly id: string;
  readonly now_s: number;
  readonly body: string;
  /** The secrets, each with the prefix `whsec_` followed by base64. The newest comes first. */
  readonly secrets: readonly string[];
}

/** Returns the Standard Webhooks headers. Without a secret, there is no signature header. */
export function webhookHeaders({
  id,
  now_s,
  body,
  secrets,
}: Signed): Readonly<Record<string, string>> {
  const timestamp = String(now_s);
  const signatures = secrets.slice(0, SECRETS_MAX).map((secret) => {
    const key = Buffer.from(secret.replace(PREFIX, ""), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    ...(signatures.length > 0 && { "webhook-signature": signatures.join(" ") }),
  };
}
