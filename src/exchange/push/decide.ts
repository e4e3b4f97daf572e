/** Decides what happens to a push. The decision depends only on the given facts, the partner's settings and the time. */

import type { Partner } from "../partners/index.ts";
import type { PushedLead } from "../pushed-leads/index.ts";
import type { Facts, OpenPush } from "./facts.ts";

/** A fact that led to a decision. Pushed leads are given by their ids. */
export type Reason =
  | { readonly fact: "caller_changed" | "person_erased" | "person_known" | "auto_accept" }
  | { readonly fact: "own_push" | "own_overdue_push" | "other_push"; readonly id: string };

/** A decision, with the facts that led to it. */
export type Decision = { readonly explanation: readonly Reason[] } & (
  | { readonly kind: "notConfirmed" | "erased" }
  | { readonly kind: "conflict"; readonly existing: OpenPush }
  | ({ readonly kind: "buffer" } & Buffering)
);

/** How to add the lead to the buffer. */
export interface Buffering {
  /**
   * Whether the tenant knows the person or another partner's push of the person is pending or accepted. The decision
   * holds only while this does not change and the partner itself has no such push.
   */
  readonly possible_duplicate: boolean;
  /** Whether the lead is accepted at once. */
  readonly accept: boolean;
  /**
   * The partner's overdue pushes of the person, which must be stored as expired first. The oldest comes first, because
   * batches of decisions lock leads in this order, too.
   */
  readonly expire: readonly string[];
}

/** Whether a push is still pending after its expiration date. */
export const isOverdue = (
  { status, expiration_ts }: Pick<PushedLead, "status" | "expiration_ts">,
  now_s: number,
): boolean => status === "pending" && expiration_ts !== null && expiration_ts <= now_s;

/** Decides on a push of the partner at `now_s`. */
export function decide(
  { is_confirmed, is_blocked, is_known, open }: Facts,
  partner: Pick<Partner, "id" | "auto_accept">,
  now_s: number,
): Decision {
  if (!is_confirmed) return { kind: "notConfirmed", explanation: [{ fact: "caller_changed" }] };
  if (is_blocked) return { kind: "erased", explanation: [{ fact: "person_erased" }] };
  const own = open.filter(({ partner_id }) => partner_id === partner.id);
  const existing = own.find((push) => !isOverdue(push, now_s));
  if (existing !== undefined) {
    return { kind: "conflict", existing, explanation: [{ fact: "own_push", id: existing.id }] };
  }
  const others = open.filter((push) => push.partner_id !== partner.id && !isOverdue(push, now_s));
  const possible_duplicate = is_known || others.length > 0;
  const accept = partner.auto_accept && !possible_duplicate;
  const expire = own.map(({ id }) => id).toReversed();
  const explanation: Reason[] = expire.map((id) => ({ fact: "own_overdue_push", id }));
  if (is_known) explanation.push({ fact: "person_known" });
  for (const { id } of others) explanation.push({ fact: "other_push", id });
  if (accept) explanation.push({ fact: "auto_accept" });
  return { kind: "buffer", possible_duplicate, accept, expire, explanation };
}
