/**
 * Performs erasures. The first transaction removes the chosen records and stores the remaining work, encrypted. The
 * other steps work in batches and can be repeated without harm. If an erasure is interrupted at any point, the worker
 * continues it. Locks are held only briefly.
 */

import { type Actor, type ChangedFields, logChange, type Scope } from "../audit/index.ts";
import { ERASED, PERSON_ERASURE } from "../events/index.ts";
import { epochSeconds } from "../platform/clock/index.ts";
import { type Db, inserted, run, transaction, type Tx } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";
import type { WriteDeps } from "../records/store/index.ts";
import { blockPersons } from "./blocked-persons.ts";
import { addCounts, clearAllReferences, clearChosen, legalHolds } from "./clear-records.ts";
import {
  blankHistory,
  eraseAttributions,
  eraseDeliveries,
  eraseImports,
  eraseMerges,
  eraseResponses,
  type Step,
} from "./erase-traces.ts";
import type { ErasureLog } from "./erasure-log.ts";
import { type Chosen, type Counts, type Plan, planErasure } from "./plan.ts";
import { readReport } from "./reports.ts";
import { refreshStatistics } from "./statistics.ts";
import { type Erasure, type ErasureResult, nonZero, readErasure } from "./stored-erasures.ts";
import { openPlan, sealTerms, type StoredPlan } from "./stored-plan.ts";
import { recipientsOf } from "./person/index.ts";

export interface ErasureDeps extends WriteDeps {
  /** Undefined if the installation has no erasure log. Erasures require one. */
  readonly erasureLog: ErasureLog | undefined;
}

/** If a process reports no progress for this long, another one takes over its erasure. */
const LEASE_ms = 60_000;
/** The delay before an erasure is retried after a failure. */
const AGAIN_ms = 5_000;

interface Request extends Chosen {
  readonly report_id: string;
}

/**
 * Removes the chosen records and stores the remaining work. Throws the same errors as `readReport` and `planErasure`.
 */
async function begin(
  scope: Scope<Tx>,
  deps: ErasureDeps,
  request: Request,
): Promise<{ readonly id: string; readonly plan: Plan; readonly counts: Counts }> {
  const { db, tenantId, actor } = scope;
  const report = await readReport(scope, deps, request.report_id);
  const chosen = report.records.filter(({ id }) => request.record_ids.includes(id));
  const recipients = await recipientsOf(scope, chosen);
  const held = chosen.map(({ type, id }) => ({ type, id, effect: "erase" as const }));
  const legal_holds = await legalHolds(scope, { records: held });
  const { plan, counts } = await planErasure(scope, deps, report, request);
  const id = deps.makeId();
  const result: ErasureResult = { counts, recipients, legal_holds };
  const row = {
    tenant_id: tenantId,
    id,
    report_id: request.report_id,
    records: JSON.stringify(plan.records),
    result,
    sealed: sealTerms(deps.sealer, tenantId, id, plan),
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    lease_until_ms: Math.floor(deps.clock.now_ms()) + LEASE_ms,
    created_ts: epochSeconds(deps.clock),
  };
  await run(db)`insert into person_erasures ${inserted(row)}`;
  await blockPersons(scope, deps.sealer, plan.known, row.created_ts);
  return { id, plan, counts };
}

/**
 * The steps, each of which works in batches. References come first, because records show the person's name until they
 * are cleared.
 */
export const stepsOf = (deps: WriteDeps): readonly Step[] => [
  (scope, plan) => clearAllReferences(scope, deps, plan),
  (scope, plan) => clearChosen(scope, deps, plan),
  blankHistory,
  eraseMerges,
  eraseDeliveries(deps),
  eraseResponses,
  eraseImports,
  eraseAttributions,
];

/** Erases the chosen records. A large erasure continues in the background with the state `running`. */
export async function erasePerson(
  scope: Scope<Db>,
  deps: ErasureDeps,
  request: Request,
  until_ms: number,
): Promise<Erasure> {
  if (deps.erasureLog === undefined) throw new AppError("conflict", { detail: NO_LOG });
  const { id, plan } = await transaction(scope.db, (db) => begin({ ...scope, db }, deps, request));
  try {
    await carryOut(scope, deps, { id, plan }, until_ms);
  } catch {
    // Ignore the error, because the chosen records are already removed. The worker repeats the steps and reports any
    // error.
    await giveBack(scope, id).catch(() => undefined);
  }
  return readErasure(scope, id);
}

/** Lets a worker continue the erasure, but not before `from_ms`. */
const giveBack = async ({ db, tenantId }: Scope<Db>, id: string, from_ms = 0): Promise<void> => {
  await run(db)`update person_erasures set lease_until_ms = ${Math.floor(from_ms)}::bigint
     where tenant_id = ${tenantId} and id = ${id} and finished_ts is null`;
};

const NO_LOG =
  "Set ERASURE_LOG to a file outside of the database: a restored backup needs it to erase the person again";

class Undo extends Error {}

/** Returns what an erasure would do. Performs all steps in one transaction and rolls it back. */
export async function tryErasure(
  scope: Scope<Db>,
  deps: ErasureDeps,
  request: Request,
): Promise<Omit<Erasure, "state">> {
  let tried: Omit<Erasure, "state"> | undefined;
  try {
    await transaction(scope.db, async (db) => {
      const within = { ...scope, db };
      const { id, plan, counts } = await begin(within, deps, request);
      let sum = counts;
      for (const step of stepsOf(deps)) sum = addCounts(sum, await step(within, plan));
      tried = { ...(await readErasure(within, id)), counts: nonZero(sum) };
      throw new Undo();
    });
  } catch (error) {
    if (!(error instanceof Undo) || tried === undefined) throw error;
  }
  return tried as Omit<Erasure, "state">;
}

interface Work {
  readonly id: string;
  readonly plan: Plan;
}

/** Performs the steps. When the time is up, leaves the remaining steps to the worker. */
async function carryOut(
  scope: Scope<Db>,
  deps: ErasureDeps,
  { id, plan }: Work,
  until_ms: number,
): Promise<void> {
  for (const step of stepsOf(deps)) {
    await note(scope, deps, id, await step(scope, plan));
    if (deps.clock.now_ms() < until_ms) continue;
    return giveBack(scope, id);
  }
  await refreshStatistics(scope, plan.known);
  await finish(scope, deps, { id, plan });
}

/** Adds a step's row counts to the result, and extends this process's lease on the erasure. */
async function note(
  { db, tenantId }: Scope<Db>,
  { clock }: ErasureDeps,
  id: string,
  counts: Counts,
): Promise<void> {
  await transaction(db, async (tx) => {
    const [row] = await run<{ result: ErasureResult }[]>(tx)`
      select result from person_erasures where tenant_id = ${tenantId} and id = ${id} for update`;
    if (row === undefined) return;
    const result = { ...row.result, counts: addCounts(row.result.counts, counts) };
    await run(tx)`
      update person_erasures
         set result = ${JSON.stringify(result)}::text::json,
             lease_until_ms = ${Math.floor(clock.now_ms()) + LEASE_ms}::bigint
       where tenant_id = ${tenantId} and id = ${id}`;
  });
}

/** Writes the erasure log, marks the erasure as finished, and queues the event, which contains only ids. */
async function finish(
  scope: Scope<Db>,
  { erasureLog, makeId, clock }: ErasureDeps,
  { id, plan }: Work,
): Promise<void> {
  if (erasureLog === undefined) throw new AppError("conflict", { detail: NO_LOG });
  const { tenantId } = scope;
  const now_s = epochSeconds(clock);
  await erasureLog.append([
    {
      kind: "person_erased",
      at: new Date(clock.now_ms()).toISOString(),
      tenant_id: tenantId,
      erasure_id: id,
      records: plan.records,
      known: plan.known,
    },
  ]);
  await transaction(scope.db, async (tx) => {
    const { count } = await run(tx)`
      update person_erasures set finished_ts = ${now_s}::bigint, sealed = null
       where tenant_id = ${tenantId} and id = ${id} and finished_ts is null`;
    if (count === 0) return;
    const removed = plan.records.filter(({ effect }) => effect === "erase");
    const fields: ChangedFields = {
      records: [removed.map(({ type, id: record_id }) => ({ type, id: record_id })), null],
    };
    const change = { subjectType: PERSON_ERASURE, subjectId: id, action: ERASED, fields };
    await logChange({ ...scope, db: tx }, makeId, change);
  });
}

interface OpenRow extends StoredPlan {
  readonly tenant_id: Scope["tenantId"];
  readonly kind: Actor["kind"];
  readonly actor_id: string;
  readonly name: string;
}

/** Continues an erasure whose process has exited. Returns false if there was none. */
export async function continueErasure(db: Db, deps: ErasureDeps): Promise<boolean> {
  if (deps.erasureLog === undefined) return false;
  const now_ms = Math.floor(deps.clock.now_ms());
  const [row] = await run<OpenRow[]>(db)`
    update person_erasures set lease_until_ms = ${now_ms + LEASE_ms}::bigint
     where ctid = (select ctid from person_erasures
                    where finished_ts is null and lease_until_ms < ${now_ms}::bigint
                    order by lease_until_ms limit 1 for update skip locked)
    returning tenant_id, id, sealed, records, actor_kind as kind, actor_id, actor_name as name`;
  if (row === undefined) return false;
  const { tenant_id: tenantId, id, kind, actor_id, name } = row;
  const plan = openPlan(deps.sealer, tenantId, row);
  const scope = { db, tenantId, actor: { kind, id: actor_id, name, requestId: null } };
  try {
    await carryOut(scope, deps, { id, plan }, Infinity);
  } catch (error) {
    await giveBack(scope, id, now_ms + AGAIN_ms).catch(() => undefined);
    throw error;
  }
  return true;
}
