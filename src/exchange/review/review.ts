/** What a tenant decides of the leads in its buffer: accept, reject, import (D8.6, D8.8, D9.3). */

import { isInTx, type Scope } from "../../audit/index.ts";
import { firstOutcome } from "../../delivery/index.ts";
import { type Clock, epochSeconds, type MakeId } from "../../platform/clock/index.ts";
import {
  type Db,
  isUnavailable,
  noteStarted,
  run,
  transaction,
  type Tx,
} from "../../platform/database/index.ts";
import { isDiskFull } from "../../platform/storage/index.ts";
import { AppError, isRefusedAtGate } from "../../platform/errors/index.ts";
import type { Author } from "../../records/index.ts";
import type { ImportLead, Promised } from "./import-lead.ts";
import {
  findPushed,
  type LeadEvent,
  moveLead,
  type PushedLead,
  TRANSITIONS,
} from "../pushed-leads/index.ts";

export interface ReviewDeps {
  readonly clock: Clock;
  readonly makeId: MakeId;
  readonly importLead: ImportLead;
}

/** What a reviewer decides of a lead. */
export type Decision =
  | { readonly action: "accept" | "import" }
  | { readonly action: "reject"; readonly reason: string };

export const ACTIONS = ["accept", "reject", "import"] as const satisfies readonly LeadEvent[];

/** What a decision led to: the lead, and the delivery that was promised where it goes elsewhere. */
export interface Decided {
  readonly lead: PushedLead;
  readonly promised: Promised | undefined;
}

/** Carries a decision out. Throws 404, and 409 naming the present state. */
export async function decide(
  scope: Scope,
  deps: ReviewDeps,
  author: Author,
  id: string,
  decision: Decision,
): Promise<Decided> {
  const pointed = { id, now_s: epochSeconds(deps.clock) };
  if (decision.action === "import") {
    return transaction(scope.db, (tx) => importOne({ ...scope, db: tx }, deps, author, pointed));
  }
  return { lead: await moveOne(scope, deps, pointed, decision), promised: undefined };
}

/** The lead when the tenant's endpoint has been tried once, or has taken too long. */
export async function awaitPromised(
  scope: Scope<Db>,
  { clock }: Pick<ReviewDeps, "clock">,
  id: string,
  { delivery_id, timeout_s }: Promised,
): Promise<PushedLead> {
  await firstOutcome(scope, delivery_id, timeout_s * 1000 + WAIT_MARGIN_ms);
  return found(scope, { id, now_s: epochSeconds(clock) });
}

/** What an attempt takes beside its request: it is taken up, and noted. */
const WAIT_MARGIN_ms = 1000;

interface Pointed {
  readonly id: string;
  readonly now_s: number;
}

async function moveOne(
  scope: Scope,
  { makeId }: ReviewDeps,
  pointed: Pointed,
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

/** Of two imports at once the second waits here for the first, and then finds the lead imported. */
async function importOne(
  scope: Scope<Tx>,
  { importLead }: ReviewDeps,
  author: Author,
  pointed: Pointed,
): Promise<Decided> {
  const { db, tenantId } = scope;
  await run(
    db,
  )`select from pushed_leads where tenant_id = ${tenantId} and id = ${pointed.id} for update`;
  const lead = await found(scope, pointed);
  if (lead.status !== TRANSITIONS.import.from) throw wrongState(lead, "import");
  const promised = await importLead(scope, author, lead, pointed.now_s);
  return { lead: await found(scope, pointed), promised };
}

const holdLeads = ({ db, tenantId }: Scope<Tx>, ids: readonly string[]) =>
  run(db)`
  select from pushed_leads where tenant_id = ${tenantId} and id = any(${[...ids]}::text[])
   order by id for update`;

async function found(scope: Scope, { id, now_s }: Pointed): Promise<PushedLead> {
  const lead = await findPushed(scope, now_s, id);
  if (lead === undefined) throw new AppError("not_found");
  return lead;
}

function wrongState({ status, imported_lead_id }: PushedLead, event: LeadEvent): AppError {
  const { from, to } = TRANSITIONS[event];
  const detail = `This lead is ${status}; only one that is ${from} can become ${to}`;
  const members = { status, ...(imported_lead_id !== null && { imported_lead_id }) };
  return new AppError("conflict", { detail, members });
}

/**
 * Decides each lead by itself, in the given order: one that fails holds up none. Returns of each what it has
 * become, or what its own answer would have said. What nobody expected
 * goes to `note`; only a database that cannot be reached, or whose disk is full, ends the batch.
 */
export async function decideMany(
  scope: Scope,
  deps: ReviewDeps & { readonly note: (error: unknown) => void },
  author: Author,
  ids: readonly string[],
  decision: Decision,
): Promise<readonly object[]> {
  // All at once in one order: of two batches with the same leads the second waits here for the first.
  if (isInTx(scope)) await holdLeads(scope, ids);
  const results: object[] = [];
  const decideIn = (within: Scope, id: string) => decide(within, deps, author, id, decision);
  for (const id of ids) {
    try {
      // Nobody waits for five hundred endpoints: each delivery tells by itself how it went. Inside a
      // transaction each is a part of it, which fails without the others.
      const { lead } = await (isInTx(scope)
        ? transaction(scope.db, (db) => decideIn({ ...scope, db }, id))
        : decideIn(scope, id));
      const { status, imported_lead_id } = lead;
      results.push({ id, ok: true, status, imported_lead_id });
    } catch (error) {
      if (isUnavailable(error) || isDiskFull(error) || isRefusedAtGate(error)) throw error;
      if (!(error instanceof AppError)) deps.note(error);
      const known = error instanceof AppError ? error : new AppError("internal");
      const { status: code, message: detail, members } = known;
      results.push({ id, ok: false, status: null, code, detail, ...members });
    }
    noteStarted(scope.db);
  }
  return results;
}
