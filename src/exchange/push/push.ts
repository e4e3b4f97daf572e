/** `POST /crm/partner/push`: reads the facts, decides, and stores the decision. */

import { SERVICE, type Scope } from "../../audit/index.ts";
import { type Clock, epochSeconds } from "../../platform/clock/index.ts";
import type { MakeId } from "../../platform/ids/index.ts";
import { noteStarted, run, transaction, type Db } from "../../platform/database/index.ts";
import { AppError } from "../../platform/errors/index.ts";
import { NotConfirmed } from "../../platform/operations/index.ts";
import { personKeys } from "../../records/contact-details/index.ts";
import { type PartnerCaller, refuseCached } from "../partners/index.ts";
import type { FindPerson } from "../lookup/index.ts";
import {
  AUTO_ACCEPT,
  findPushed,
  moveLead,
  type PushedLead,
  shownToPartner,
} from "../pushed-leads/index.ts";
import { type Buffering, decide, type Decision, isOverdue } from "./decide.ts";
import { type IsBlockedSql, type PushedPerson, readFacts } from "./facts.ts";
import { lockSql } from "./lock.ts";
import type { Push } from "./push-bodies.ts";
import { type NewPush, storePush } from "./store.ts";

export interface PushDeps {
  readonly clock: Clock;
  readonly makeId: MakeId;
  readonly findPerson: FindPerson;
  /** Whether `findPerson` queries another system instead of the records in Leadport. */
  readonly usesOwnSystem: (scope: Scope) => Promise<boolean>;
  readonly isBlockedSql: IsBlockedSql;
}

/** A push and the person it describes. */
export interface PreparedPush extends PushedPerson {
  readonly push: Push;
}

/** The number of times that a push is decided on while concurrent pushes of the person change the facts. */
const ATTEMPTS = 3;

/**
 * Prepares a push before any locks are taken. Determines the keys that identify the person, and runs the external
 * duplicate check if there is one. Phone numbers without a country code get the tenant's country.
 */
export async function preparePush(
  scope: Scope<Db>,
  { clock, findPerson, usesOwnSystem, isBlockedSql }: PushDeps,
  caller: PartnerCaller,
  push: Push,
): Promise<PreparedPush> {
  const keys = personKeys(push, caller.tenant.default_country);
  const now_s = epochSeconds(clock);
  if (!(await usesOwnSystem(scope))) return { push, keys, isKnown: undefined };
  refuseCached(caller);
  // Read unfinished pushed leads before calling `findPerson`. In the opposite order, both queries would miss a person
  // who is imported in between.
  const { facts: before } = await readFacts(scope, isBlockedSql, caller, { keys, isKnown: false });
  // The other system must not learn of an erased person.
  if (before.is_blocked) throw new ErasedPerson();
  const known = await findPerson(scope, { given: push, keys, caller }, now_s);
  return {
    push,
    keys,
    isKnown: known !== undefined || before.open.some((one) => !isOverdue(one, now_s)),
  };
}

/**
 * Adds a lead to the buffer and returns it as its partner sees it. Throws 409 with `existing_id` if an earlier push of
 * the same person by this partner is still pending or accepted, and 409 for a blocked person. Throws 503 if concurrent
 * pushes keep changing the facts, and NotConfirmed if the caller has changed.
 */
export async function pushLead(
  scope: Scope,
  deps: PushDeps,
  caller: PartnerCaller,
  prepared: PreparedPush,
): Promise<ReturnType<typeof shownToPartner>> {
  const { partner } = caller;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    // Concurrent pushes may have taken long, but this one has started.
    if (attempt > 1) noteStarted(scope.db);
    const { facts, ...hold } = await readFacts(scope, deps.isBlockedSql, caller, prepared);
    // Waiting for locks takes time.
    const now_s = epochSeconds(deps.clock);
    const buffering = bufferingOf(decide(facts, partner, now_s));
    const lead = await buffer(scope, deps, { ...prepared, ...hold, partner, now_s }, buffering);
    if (lead !== undefined) return shownToPartner(lead);
  }
  throw new AppError("person_busy", { headers: { "retry-after": "1" } });
}

/** The 409 error for a push of a person that the tenant has erased and blocked. */
class ErasedPerson extends AppError {
  constructor() {
    const detail = "This person was erased at their request, and cannot be pushed again";
    super("conflict", { detail, members: { reason: "erased" } });
  }
}

/** Returns how to add the lead to the buffer. Throws the error of any other decision. */
function bufferingOf(decision: Decision): Buffering {
  switch (decision.kind) {
    case "notConfirmed":
      throw new NotConfirmed();
    case "erased":
      throw new ErasedPerson();
    case "conflict": {
      const { id: existing_id, status } = decision.existing;
      const detail = `You already pushed this person; that lead is ${status}`;
      throw new AppError("conflict", { detail, members: { existing_id, status } });
    }
    case "buffer":
      return decision;
  }
}

/**
 * Stores a push. If the state of leads changes as well, all changes are made in one transaction. Returns undefined if the
 * facts have changed.
 */
function buffer(
  scope: Scope,
  deps: Pick<PushDeps, "makeId">,
  newPush: NewPush,
  buffering: Buffering,
): Promise<PushedLead | undefined> {
  const { makeId } = deps;
  const { expire, accept } = buffering;
  if (expire.length === 0 && !accept) return storePush(scope, makeId, newPush, buffering);
  const { now_s, keys } = newPush;
  const { requestId } = scope.actor;
  return transaction(scope.db, async (tx) => {
    const within = { ...scope, db: tx };
    // A push locks the keys of its person before its overdue leads.
    if (expire.length > 0) await run(tx, lockSql(scope.tenantId, keys));
    const clock = { ...within, actor: { ...SERVICE, requestId } };
    for (const id of expire) await moveLead(clock, makeId, { id, now_s }, { event: "expire" });
    const stored = await storePush(within, makeId, newPush, buffering);
    if (!accept || stored === undefined) return stored;
    const { id } = stored;
    const automatic = { ...within, actor: { ...AUTO_ACCEPT, requestId } };
    await moveLead(automatic, makeId, { id, now_s }, { event: "accept" });
    const accepted = await findPushed(within, now_s, id);
    if (accepted === undefined) throw new AppError("internal");
    return accepted;
  });
}
