/** `POST /crm/partner/push`: adds a lead to the buffer. */

import sql, { join, type Sql } from "sql-template-tag";
import {
  changedFields,
  insertChanges,
  growing,
  ROW_bytes,
  SERVICE,
  type Scope,
  type TenantId,
} from "../../audit/index.ts";
import { type Clock, epochSeconds, type MakeId } from "../../platform/clock/index.ts";
import { columns, run, transaction, type Db } from "../../platform/database/index.ts";
import { AppError } from "../../platform/errors/index.ts";
import { NotConfirmed } from "../../platform/operations/index.ts";
import { namesOf } from "../../platform/json/index.ts";
import { keyTexts, personKeys, type PersonKeys } from "../../records/index.ts";
import {
  AUTO_ACCEPT,
  findPushed,
  FIRST,
  freshlyPushed,
  hasExpired,
  moveLead,
  type OPEN,
  PUSHED_LEAD,
  type PushedLead,
  shownToPartner,
} from "../pushed-leads/index.ts";
import type { Push } from "./push-bodies.ts";
import {
  confirmation,
  type FindPerson,
  isPersonSql,
  type PartnerCaller,
  refuseCached,
} from "../partners/index.ts";

export interface PushDeps {
  readonly clock: Clock;
  readonly makeId: MakeId;
  readonly findPerson: FindPerson;
  /** Whether `findPerson` queries another system instead of the records in Leadport. */
  readonly usesOwnSystem: (scope: Scope) => Promise<boolean>;
  readonly isBlockedSql: IsBlockedSql;
}

/**
 * Returns a query with one row. Its column `is_blocked` shows whether the tenant has erased and blocked the person.
 * Without `keys`, it shows whether the tenant has blocked anyone, which is a cheaper query.
 */
export type IsBlockedSql = (tenantId: TenantId, keys?: PersonKeys) => Sql;

type ShownToPartner = ReturnType<typeof shownToPartner>;

/** A push and the person it describes. */
export interface PreparedPush {
  readonly push: Push;
  readonly keys: PersonKeys;
  /** Whether the person was already known or pushed. Undefined if this has not been checked yet. */
  readonly isKnown: boolean | undefined;
}

/** An attempt to store a push. */
interface PushAttempt extends PreparedPush {
  /** Read for each attempt, because the external duplicate check and waiting for locks take time. */
  readonly now_s: number;
}

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
  // The other system must not learn of an erased person.
  const [blocked] = await run<Blocked[]>(scope.db, isBlockedSql(scope.tenantId, keys));
  if (blocked?.is_blocked === true) throw new ErasedPerson();
  // Read unfinished pushed leads before calling `findPerson`. In the opposite order, both queries would miss a person
  // who is imported in between.
  const before = await openPushes(scope, keys);
  const known = await findPerson(scope, { given: push, keys, caller }, now_s);
  return {
    push,
    keys,
    isKnown: known !== undefined || before.some((one) => !isOverdue(one, now_s)),
  };
}

/**
 * Adds a lead to the buffer and returns it as its partner sees it. Throws 409 with `existing_id` if an earlier push of
 * the same person by this partner is still pending or accepted. Throws NotConfirmed if the caller has changed.
 */
export async function pushLead(
  scope: Scope,
  deps: PushDeps,
  caller: PartnerCaller,
  prepared: PreparedPush,
): Promise<ShownToPartner> {
  const attempt = { ...prepared, now_s: epochSeconds(deps.clock) };
  // A single statement is enough unless the same transaction must also change the state of leads.
  const fresh = caller.partner.auto_accept
    ? undefined
    : (await insertPush(scope, deps, caller, attempt)).fresh;
  return shownToPartner(fresh ?? (await pushWithMoves(scope, deps, caller, attempt)));
}

/**
 * Adds a lead to the buffer. In the same transaction, expires overdue earlier pushes, and accepts the lead if auto
 * accept is enabled for the partner.
 */
const pushWithMoves = (
  scope: Scope,
  deps: PushDeps,
  caller: PartnerCaller,
  attempt: PushAttempt,
): Promise<PushedLead> =>
  transaction(scope.db, async (tx) => {
    const within = { ...scope, db: tx };
    const { now_s } = attempt;
    const first = await insertPush(within, deps, caller, attempt);
    const clock = { ...SERVICE, requestId: scope.actor.requestId };
    for (const { id } of first.overdue) {
      await moveLead({ ...within, actor: clock }, deps.makeId, { id, now_s }, { event: "expire" });
    }
    const { fresh } =
      first.fresh === undefined ? await insertPush(within, deps, caller, attempt) : first;
    if (fresh === undefined) throw new AppError("internal");
    if (!caller.partner.auto_accept || fresh.possible_duplicate) return fresh;
    const actor = { ...AUTO_ACCEPT, requestId: scope.actor.requestId };
    const { id } = fresh;
    await moveLead({ ...within, actor }, deps.makeId, { id, now_s }, { event: "accept" });
    const accepted = await findPushed(within, now_s, id);
    if (accepted === undefined) throw new AppError("internal");
    return accepted;
  });

/**
 * Locks a person, so that concurrent pushes of the same person run one after another and each sees the previous result.
 * Keys are locked in a fixed order to avoid deadlocks.
 */
const locks = (tenantId: TenantId, keys: PersonKeys): Sql => {
  const texts = keyTexts(keys).map((text) => `${tenantId} ${text}`);
  return sql`
    select count(pg_advisory_xact_lock(hashtextextended(given, 0))) as taken
      from (select given from unnest(${texts}::text[]) given order by 1) ordered`;
};

interface OpenPush {
  readonly id: string;
  readonly partner_id: string;
  readonly expiration_ts: number | null;
  readonly status: (typeof OPEN)[number];
}

/** Returns the pending and accepted pushed leads of the same person by any partner, newest first. */
async function openPushes(
  { db, tenantId }: Scope,
  { email, phone }: PersonKeys,
): Promise<readonly OpenPush[]> {
  return run<OpenPush[]>(db)`
    select * from open_pushes(${tenantId}, ${email}::text, ${phone}::text)`;
}

const isOverdue = (
  { status, expiration_ts }: Pick<PushedLead, "status" | "expiration_ts">,
  now_s: number,
): boolean => status === "pending" && expiration_ts !== null && expiration_ts <= now_s;

/**
 * Returns a query that checks whether the person is known or already pushed. It uses the enclosing statement's
 * snapshot. If the person is being imported concurrently, that snapshot still contains the pushed lead. All parts of
 * the query always run, so that the response time does not reveal the result: unlike `or`, `greatest` evaluates both.
 */
const isKnownSql = (tenantId: TenantId, keys: PersonKeys, now_s: number): Sql => sql`
  select greatest(${isPersonSql(tenantId, keys)}, count(*) > 0) as is_known
    from open_pushes_seen(${tenantId}, ${keys.email}::text, ${keys.phone}::text)
   where not (status = 'pending' and ${hasExpired(now_s)})`;

interface Blocked {
  readonly is_blocked: boolean;
}

/** The 409 error for a push of a person that the tenant has erased and blocked. */
class ErasedPerson extends AppError {
  constructor() {
    const detail = "This person was erased at their request, and cannot be pushed again";
    super("conflict", { detail, members: { reason: "erased" } });
  }
}

/** The result of inserting a push. `at` is null if nothing was stored. */
interface Buffered extends Blocked {
  readonly is_confirmed: boolean;
  /** This partner's earlier pushes of the person that are still pending or accepted, newest first. */
  readonly own: readonly (Pick<OpenPush, "id" | "status"> & { readonly has_passed: boolean })[];
  readonly possible_duplicate: boolean;
  readonly at: Date | null;
}

/**
 * The lead, if it was added. Otherwise, the overdue earlier pushes that must expire first. The oldest comes first,
 * because batches of decisions lock leads in this order, too.
 */
interface Inserted {
  readonly fresh: PushedLead | undefined;
  readonly overdue: readonly Pick<OpenPush, "id">[];
}

/**
 * Locks the person, checks for earlier pushes, adds the lead and logs it in one statement. Returns the lead as
 * `findPushed` would. If an earlier push of the person by this partner is still pending or accepted, stores nothing,
 * and throws 409 unless that push is overdue. Also throws 409 for a blocked person.
 */
async function insertPush(
  scope: Scope,
  { makeId, isBlockedSql }: PushDeps,
  caller: PartnerCaller,
  { push, keys, now_s, isKnown }: PushAttempt,
): Promise<Inserted> {
  const { db, tenantId, actor } = scope;
  const { partner } = caller;
  const id = makeId();
  // The external duplicate check takes time in which even a caller that was not cached can change.
  const confirmed = confirmation(caller, caller.isCached || isKnown !== undefined);
  const known =
    isKnown === undefined ? isKnownSql(tenantId, keys, now_s) : sql`select ${isKnown} as is_known`;
  const row = { ...push, partner_id: partner.id, status: FIRST, submitted_ts: now_s };
  const stored = { ...row, id, email_key: keys.email, phone_key: keys.phone };
  const fields = JSON.stringify(changedFields({}, row)).slice(0, -1);
  const change = { tenantId, actor, subjectType: PUSHED_LEAD, action: "pushed" };
  const entry = sql`
        select id, ${makeId()} as change_id,
               (${fields}::text || ',"possible_duplicate":[null,' ||
                possible_duplicate::text || ']}')::json as fields
          from buffered`;
  const insertingUnless = (isBlocked: Sql) => sql`
      with checked as materialized (
        select (${confirmed}) as is_confirmed, (${isBlocked}) as is_blocked
      ), known as materialized (${known}
      ), locked as materialized (${locks(tenantId, keys)}
      ), open as materialized (
        select o.*, o.status = 'pending' and ${hasExpired(now_s)} as has_passed
          from locked l, lateral open_pushes(
                 ${tenantId}, ${keys.email}::text,
                 case when l.taken is not null then ${keys.phone}::text end) o
      ), found as (
        select k.is_known or exists (
                 select from open where partner_id <> ${partner.id} and not has_passed) as is_known
          from checked c, known k
         where c.is_confirmed and not c.is_blocked
           and not exists (select from open where partner_id = ${partner.id})
      ), buffered as (
        insert into pushed_leads (${columns(namesOf(stored))}, tenant_id, possible_duplicate)
        select ${join(Object.values(stored))}, ${tenantId}::uuid, f.is_known
          from found f
        returning id, possible_duplicate
      ), logged as (
        ${insertChanges(change, entry)}
        returning at
      )
      select is_confirmed, is_blocked, (select possible_duplicate from buffered), (select at from logged),
             array(select json_build_object('id', id, 'status', status, 'has_passed', has_passed)
                     from open where partner_id = ${partner.id} order by id desc) as own
        from checked`;
  const insertUnless = (isBlocked: Sql) => run<Buffered[]>(db, insertingUnless(isBlocked));
  const [inserted] = await growing(
    scope,
    () => ({ records: 0, bytes: 2 * (ROW_bytes + fields.length) }),
    async () => {
      // Few tenants block people. The other tenants need no digests.
      const first = await insertUnless(isBlockedSql(tenantId));
      return first[0]?.is_blocked === true ? insertUnless(isBlockedSql(tenantId, keys)) : first;
    },
  );
  if (inserted?.is_confirmed !== true) throw new NotConfirmed();
  const { is_blocked, own, possible_duplicate, at } = inserted;
  if (is_blocked) throw new ErasedPerson();
  const openPush = own.find(({ has_passed }) => !has_passed);
  if (openPush !== undefined) {
    const detail = `You already pushed this person; that lead is ${openPush.status}`;
    const members = { existing_id: openPush.id, status: openPush.status };
    throw new AppError("conflict", { detail, members });
  }
  if (at === null) return { fresh: undefined, overdue: own.toReversed() };
  const status = isOverdue(row, now_s) ? "expired" : FIRST;
  const lead = { ...stored, status, possible_duplicate };
  return { fresh: freshlyPushed(partner, lead, { actor, at }), overdue: [] };
}
