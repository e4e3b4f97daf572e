/** Sends decisions: a single lead with its own request, several leads in batches. */

import { createSessionClient, isConflict, isNotFound } from "@leadport/client";
import type { ask } from "../../api/index.ts";
import {
  BECOMES,
  PUSHED_LEADS,
  pushedLeadPath,
  type Action,
  type Choice,
  type PushedLead,
  type Status,
} from "../pushed-leads/index.ts";

export interface Decision {
  /** The idempotency key. It is the same for every retry, so that no request is executed twice. */
  readonly key: string;
  readonly choice: Choice;
  readonly leads: readonly PushedLead[];
  /** The headers that identify the user who decided. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The result for one lead. */
export interface Result {
  readonly id: string;
  readonly ok: boolean;
  /** The lead's current status; null if unknown. */
  readonly status: Status | null;
  readonly imported_lead_id?: string | null;
  /** Why the decision failed. */
  readonly detail?: string;
  /** The whole lead, if the response contained it. */
  readonly lead?: PushedLead;
}

const BATCH_MAX = 500;

const client = createSessionClient({
  url: location.origin,
  retry: { attempts: 3, total_ms: 8000 },
  // Let requests in flight complete even if the user leaves the page.
  fetch: (input, init) => fetch(input, { ...init, keepalive: true }),
});
const request = client.request as unknown as typeof ask;

interface Step {
  readonly action: Action;
  readonly leads: readonly PushedLead[];
}

/** Returns the actions to send. Importing a pending lead requires accepting it first. */
function stepsOf({ choice: { action }, leads }: Decision): readonly Step[] {
  if (action !== "import") return [{ action, leads }];
  const pending = leads.filter(({ status }) => status === "pending");
  const last: Step = { action, leads };
  return pending.length === 0 ? [last] : [{ action: "accept", leads: pending }, last];
}

const bodyOf = (choice: Choice, action: Action): { readonly reason?: string } =>
  action === "reject" && choice.action === "reject" ? { reason: choice.reason } : {};

/**
 * Sends a decision and returns a result for each lead. Throws if it is unknown whether the request arrived, or if the
 * user has no permission to decide.
 */
export async function sendDecision(decision: Decision): Promise<readonly Result[]> {
  const results = new Map<string, Result>();
  for (const { action, leads } of stepsOf(decision)) {
    const open = leads.filter(({ id }) => results.get(id)?.ok !== false);
    const sent = open.length === 1 ? sendOne : sendMany;
    for (const result of await sent(decision, { action, leads: open })) {
      results.set(result.id, result);
    }
  }
  return [...results.values()];
}

async function sendOne(
  { key, choice, headers }: Decision,
  { action, leads }: Step,
): Promise<readonly Result[]> {
  const id = leads[0]?.id ?? "";
  try {
    const { data: lead } = await request<PushedLead>("post", `${pushedLeadPath(id)}/${action}`, {
      headers,
      body: bodyOf(choice, action),
      idempotencyKey: `${key}-${action}`,
    });
    const { status, imported_lead_id } = lead;
    return [{ id, ok: true, status, imported_lead_id, lead }];
  } catch (error) {
    if (!isConflict(error) && !isNotFound(error)) throw error;
    const { status = null } = error.body as { readonly status?: Status };
    return [{ id, ok: false, status, detail: error.detail }];
  }
}

async function sendMany(
  { key, choice, headers }: Decision,
  { action, leads }: Step,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < leads.length; at += BATCH_MAX) {
    const ids = leads.slice(at, at + BATCH_MAX).map(({ id }) => id);
    const { data } = await request<readonly Result[]>("post", `${PUSHED_LEADS}/batch`, {
      headers,
      body: { ids, action, ...bodyOf(choice, action) },
      idempotencyKey: `${key}-${action}-${at}`,
    });
    results.push(...data);
  }
  return results;
}

/**
 * Sends a decision without waiting for results, because the user is leaving the page. If the
 * acceptance arrives but the import does not, the lead stays accepted.
 */
export function sendOnLeaving(decision: Decision): void {
  const { key, choice, headers } = decision;
  const send = async ({ action, leads }: Step): Promise<void> => {
    const batches = Array.from({ length: Math.ceil(leads.length / BATCH_MAX) }, (_, at) =>
      leads.slice(at * BATCH_MAX, (at + 1) * BATCH_MAX).map(({ id }) => id),
    );
    await Promise.all(
      batches.map((ids, at) =>
        request("post", `${PUSHED_LEADS}/batch`, {
          retry: false,
          headers,
          body: { ids, action, ...bodyOf(choice, action) },
          idempotencyKey: `${key}-left-${action}-${at}`,
        }),
      ),
    );
  };
  const sendAll = async (): Promise<void> => {
    for (const step of stepsOf(decision)) await send(step);
  };
  sendAll().catch(() => undefined);
}

export const statusAfter = ({ action }: Choice): Status => BECOMES[action];
