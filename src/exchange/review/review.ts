/** A tenant's decisions about the leads in its buffer: accept, reject, import. */

import { isInTx, type Scope } from "../../audit/index.ts";
import { firstOutcome } from "../../delivery/index.ts";
import { type Clock, epochSeconds } from "../../platform/clock/index.ts";
import type { MakeId } from "../../platform/ids/index.ts";
import { type Db, noteStarted, run, transaction, type Tx } from "../../platform/database/index.ts";
import { isContended, isUnavailable } from "../../platform/failed-statements/index.ts";
import { knownError } from "../../platform/http/index.ts";
import { isDiskFull } from "../../platform/storage/index.ts";
import { AppError, isRefusedAtGate, type ValidationError } from "../../platform/errors/index.ts";
import type { Author } from "../../records/store/index.ts";
import { attribute, type NewAttribution } from "../commission/index.ts";
import type { Imported, ImportLead, Queued } from "./import-lead.ts";
import {
  findPushed,
  type LeadEvent,
  moveLead,
  type PushedLead,
  TRANSITIONS,
} from "../pushed-leads/index.ts";

/** A reviewer, with the dependencies of a decision. */
export interface Reviewer<D extends Db | Tx = Db | Tx, R extends ReviewDeps = ReviewDeps> {
  readonly scope: Scope<D>;
  readonly deps: R;
  readonly author: Author;
}

export interface ReviewDeps {
  readonly clock: Clock;
  readonly makeId: MakeId;
  readonly importLead: ImportLead;
}

export type Decision =
  | { readonly action: "accept" | "import" }
  | { readonly action: "reject"; readonly reason: string };

export const ACTIONS = ["accept", "reject", "import"] as const satisfies readonly LeadEvent[];

/** The result of a decision: the lead, and the queued delivery if the lead is sent to another system. */
export interface Decided {
  readonly lead: PushedLead;
  readonly queued: Queued | undefined;
}

/**
 * Applies a decision. Throws 404 if there is no such lead, and 409 with the lead's state if that state does not allow
 * the decision.
 */
export async function decide(reviewer: Reviewer, id: string, decision: Decision): Promise<Decided> {
  const { scope } = reviewer;
  return transaction(scope.db, async (db) => {
    const within = { ...reviewer, scope: { ...scope, db } };
    await lockLeads(within.scope, [id]);
    const { attribution, ...decided } = await decideLocked(within, id, decision);
    if (attribution !== undefined) await attribute(within.scope, [attribution]);
    return decided;
  });
}

/** Applies a decision to a locked lead. Reads the clock only now, because waiting for the lock takes time. */
async function decideLocked(
  reviewer: Reviewer<Tx>,
  id: string,
  decision: Decision,
): Promise<Decided & Imported> {
  const { scope, deps } = reviewer;
  const pointed = { id, now_s: epochSeconds(deps.clock) };
  if (decision.action === "import") return importOne(reviewer, pointed);
  const lead = await moveOne(scope, deps, pointed, decision);
  return { lead, queued: undefined, attribution: undefined };
}

/** Waits until the first attempt to deliver the lead succeeds, fails or times out, and returns the lead. */
export async function awaitOutcome(
  scope: Scope<Db>,
  { clock }: Pick<ReviewDeps, "clock">,
  id: string,
  { delivery_id, timeout_s }: Queued,
): Promise<PushedLead> {
  await firstOutcome(scope, delivery_id, timeout_s * 1000 + WAIT_MARGIN_ms);
  return found(scope, { id, now_s: epochSeconds(clock) });
}

/** Extra waiting time, because an attempt takes longer than the request that it sends. */
const WAIT_MARGIN_ms = 1000;

interface LeadRef {
  readonly id: string;
  readonly now_s: number;
}

async function moveOne(
  scope: Scope,
  { makeId }: ReviewDeps,
  pointed: LeadRef,
  decision: Exclude<Decision, { action: "import" }>,
): Promise<PushedLead> {
  const moved = await moveLead(
    scope,
    makeId,
    pointed,
    decision.action === "reject"
      ? { event: "reject", reason: decision.reason }
      : { event: "accept" },
  );
  const lead = await found(scope, pointed);
  if (!moved) throw wrongState(lead, decision.action);
  return lead;
}

/** Imports a locked lead. */
async function importOne(
  { scope, deps, author }: Reviewer<Tx>,
  pointed: LeadRef,
): Promise<Decided & Imported> {
  const lead = await found(scope, pointed);
  if (lead.status !== TRANSITIONS.import.from) throw wrongState(lead, "import");
  const imported = await deps.importLead(scope, author, lead, pointed.now_s);
  return { lead: await found(scope, pointed), ...imported };
}

/** Locks leads. Of two concurrent decisions, the second waits and finds the lead in the state that the first left. */
const lockLeads = ({ db, tenantId }: Scope<Tx>, ids: readonly string[]) =>
  run(db)`
  select from pushed_leads where tenant_id = ${tenantId} and id = any(${[...ids]}::text[])
   order by id for update`;

async function found(scope: Scope, { id, now_s }: LeadRef): Promise<PushedLead> {
  const lead = await findPushed(scope, now_s, id);
  if (lead === undefined) throw new AppError("not_found");
  return lead;
}

function wrongState({ status, imported_lead_id }: PushedLead, event: LeadEvent): AppError {
  const { from, to } = TRANSITIONS[event];
  const detail = `This lead is ${status}; only ${from} leads can be ${to}`;
  const members = { status, ...(imported_lead_id !== null && { imported_lead_id }) };
  return new AppError("conflict", { detail, members });
}

/** A reviewer who decides on several leads. Unexpected errors are passed to `note`. */
type BatchReviewer<D extends Db | Tx> = Reviewer<
  D,
  ReviewDeps & { readonly note: (error: unknown) => void }
>;

/**
 * Applies a decision to each lead separately, in the given order. A failure does not affect the other leads. Only a full
 * disk, or a database that is unreachable or too busy, ends the batch. Inside a transaction, a conflict with concurrent
 * requests also ends it. Returns each lead's new state, or the error that a separate request would return.
 */
export async function decideMany(
  reviewer: BatchReviewer<Db | Tx>,
  ids: readonly string[],
  decision: Decision,
): Promise<readonly object[]> {
  const { scope } = reviewer;
  return isInTx(scope)
    ? decideTogether({ ...reviewer, scope }, ids, decision)
    : decideEach(reviewer, ids, async (id) => (await decide(reviewer, id, decision)).lead);
}

/**
 * Decides on leads in one transaction. It locks all leads first, and attributes all persons last, both in a fixed order,
 * so that it cannot deadlock with other decisions.
 */
async function decideTogether(
  reviewer: BatchReviewer<Tx>,
  ids: readonly string[],
  decision: Decision,
): Promise<readonly object[]> {
  const { scope } = reviewer;
  await lockLeads(scope, ids);
  const attributions: NewAttribution[] = [];
  const results = await decideEach(reviewer, ids, async (id) => {
    // Each decision has its own savepoint, so that it can fail separately.
    const { lead, attribution } = await transaction(scope.db, (db) =>
      decideLocked({ ...reviewer, scope: { ...scope, db } }, id, decision),
    );
    if (attribution !== undefined) attributions.push(attribution);
    return lead;
  });
  await attribute(scope, attributions);
  return results;
}

/**
 * Calls `decideOne` for each lead and returns the results. Does not wait for deliveries, because there may be up to 500
 * of them.
 */
async function decideEach(
  { scope, deps }: BatchReviewer<Db | Tx>,
  ids: readonly string[],
  decideOne: (id: string) => Promise<PushedLead>,
): Promise<readonly object[]> {
  const results: object[] = [];
  for (const id of ids) {
    try {
      const { status, imported_lead_id } = await decideOne(id);
      results.push({ id, ok: true, status, imported_lead_id });
    } catch (error) {
      if (isUnavailable(error) || isDiskFull(error) || isRefusedAtGate(error)) throw error;
      // The transaction keeps the locks for which others wait, so the other leads would fail in the same way.
      if (isInTx(scope) && isContended(error)) throw error;
      const failure = failureOf(knownError(error));
      if (failure.code === UNEXPECTED) deps.note(error);
      results.push({ id, ok: false, status: null, ...failure });
    }
    noteStarted(scope.db);
  }
  return results;
}

const UNEXPECTED = 500;

const failureOf = (known: AppError | ValidationError) =>
  known instanceof AppError
    ? { code: known.status, detail: known.message, ...known.members }
    : { code: 422, detail: known.message };
