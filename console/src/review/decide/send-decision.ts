/** Sends what was decided: of one lead by its own operation, of several in batches. */

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
  /** The same on every try, so that one that arrived is not carried out twice. */
  readonly key: string;
  readonly choice: Choice;
  readonly leads: readonly PushedLead[];
}

/** What became of one lead. */
export interface Result {
  readonly id: string;
  readonly ok: boolean;
  /** Its state now; null where it is unknown. */
  readonly status: Status | null;
  readonly imported_lead_id?: string | null;
  /** Why it was not done. */
  readonly detail?: string;
  /** The whole lead, where it was answered. */
  readonly lead?: PushedLead;
}

const BATCH_MAX = 500;

const client = createSessionClient({
  url: location.origin,
  retry: { attempts: 3, total_ms: 8000 },
  // A decision that is on its way arrives although the page is left.
  fetch: (input, init) => fetch(input, { ...init, keepalive: true }),
});
const request = client.request as unknown as typeof ask;

interface Step {
  readonly action: Action;
  readonly leads: readonly PushedLead[];
}

/** Importing a pending lead accepts it first. */
function stepsOf({ choice: { action }, leads }: Decision): readonly Step[] {
  if (action !== "import") return [{ action, leads }];
  const pending = leads.filter(({ status }) => status === "pending");
  const last: Step = { action, leads };
  return pending.length === 0 ? [last] : [{ action: "accept", leads: pending }, last];
}

const bodyOf = (choice: Choice, action: Action): { readonly reason?: string } =>
  action === "reject" && choice.action === "reject" ? { reason: choice.reason } : {};

/** A result for each lead. Throws where nobody knows whether it arrived, or nothing may be decided. */
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
  { key, choice }: Decision,
  { action, leads }: Step,
): Promise<readonly Result[]> {
  const id = leads[0]?.id ?? "";
  try {
    const { data: lead } = await request<PushedLead>("post", `${pushedLeadPath(id)}/${action}`, {
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
  { key, choice }: Decision,
  { action, leads }: Step,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let at = 0; at < leads.length; at += BATCH_MAX) {
    const ids = leads.slice(at, at + BATCH_MAX).map(({ id }) => id);
    const { data } = await request<readonly Result[]>("post", `${PUSHED_LEADS}/batch`, {
      body: { ids, action, ...bodyOf(choice, action) },
      idempotencyKey: `${key}-${action}-${at}`,
    });
    results.push(...data);
  }
  return results;
}

/**
 * Sends while the page is left: whoever decided is no longer there to be told. What is left before it
 * was accepted waits among the accepted ones where it was to be imported, too.
 */
export function sendOnLeaving(decision: Decision): void {
  const { key, choice } = decision;
  const send = async ({ action, leads }: Step): Promise<void> => {
    const batches = Array.from({ length: Math.ceil(leads.length / BATCH_MAX) }, (_, at) =>
      leads.slice(at * BATCH_MAX, (at + 1) * BATCH_MAX).map(({ id }) => id),
    );
    await Promise.all(
      batches.map((ids, at) =>
        request("post", `${PUSHED_LEADS}/batch`, {
          retry: false,
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
