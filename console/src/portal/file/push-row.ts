/** Submits one row. Returns its outcome, or the reason why the request must be retried. */

import { ConnectionFailed, LeadportError, type PartnerPushRequest } from "@leadport/client";
import { api, earlierPushOf, isForbidden, isSignedOut, sentenceOf } from "../../api/index.ts";
import { asPartner } from "../partner/index.ts";
import type { FileRow } from "./rows.ts";
import type { Attempt } from "./run.ts";

/** These retries cover short interruptions of the connection or the service. */
const RETRY = { attempts: 4, total_ms: 10_000, base_ms: 500, max_ms: 4000 } as const;
const TOO_MANY = 429;
const AWAY = 500;

/** Submits a row as this partner. Never throws. Retrying with the same key never submits the row twice. */
export async function pushRow(partnerId: string, { body }: FileRow, key: string): Promise<Attempt> {
  try {
    const message = {
      body: body as PartnerPushRequest,
      idempotencyKey: key,
      retry: RETRY,
      ...asPartner(partnerId),
    } as const;
    const { id, status } = await api.post("/crm/partner/push", message);
    return { kind: "pushed", id, status };
  } catch (error) {
    return attemptOf(error);
  }
}

function attemptOf(error: unknown): Attempt {
  if (isSignedOut(error)) return { kind: "again", hold: { kind: "signed_out" } };
  if (isForbidden(error)) {
    return { kind: "again", hold: { kind: "forbidden", why: error.detail } };
  }
  if (error instanceof ConnectionFailed) return { kind: "again", hold: { kind: "offline" } };
  if (!(error instanceof LeadportError)) return { kind: "refused", reason: sentenceOf(error) };
  const earlier = earlierPushOf(error);
  if (earlier !== undefined) return { kind: "known", ...earlier };
  const { status, retryAfter_s = status === TOO_MANY ? 1 : undefined } = error;
  if (retryAfter_s !== undefined) {
    const until_ms = Date.now() + retryAfter_s * 1000;
    return { kind: "again", hold: { kind: "waiting", until_ms } };
  }
  if (status >= AWAY) return { kind: "again", hold: { kind: "offline" } };
  return { kind: "refused", reason: sentenceOf(error) };
}
