/** `POST /crm/partner/push`: a lead enters the buffer (D8.4, D8.7). */

import sql, { raw } from "sql-template-tag";
import { changedFields, SERVICE, type Scope } from "../audit/index.ts";
import { epochSeconds, type Clock } from "../platform/clock.ts";
import { inOrder, run, transaction, type Db, type Tx } from "../platform/db.ts";
import { AppError } from "../platform/errors.ts";
import type { MakeId } from "../platform/ids.ts";
import type { JsonObject } from "../platform/json.ts";
import { keyTexts, personKeys, type CountryCode, type PersonKeys } from "../records/index.ts";
import { FIRST, OPEN } from "./lead-machine.ts";
import { moveLead, PUSHED_LEAD } from "./move-lead.ts";
import type { Partner } from "./partners.ts";
import type { FindPerson } from "./persons.ts";
import { AUTO_ACCEPT, findPushed, freshlyPushed, toldToPartner } from "./pushed-lead.ts";
import type { PushedLead } from "./pushed-lead.ts";

export interface PushDeps {
  readonly clock: Clock;
  readonly makeId: MakeId;
  readonly findPerson: FindPerson;
}

/** What a partner pushes, checked. */
export interface Push {
  readonly name: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly source: string;
  readonly comments: string | null;
  readonly description: string | null;
  readonly match_preferences: JsonObject | null;
  /** Epoch seconds. */
  readonly expiration_ts: number | null;
}

/** A push with what was found out about its person before any lock. */
export interface Sought {
  readonly push: Push;
  readonly keys: PersonKeys;
  readonly now_s: number;
  /** Pushes of the person that were open before. */
  readonly before: readonly OpenPush[];
  readonly isKnown: boolean;
}

/** Finds out whether the person is known, in the country in which its number is read. */
export async function seekPerson(
  scope: Scope<Db>,
  { clock, findPerson }: PushDeps,
  push: Push,
  country: CountryCode,
): Promise<Sought> {
  const keys = personKeys(push, country);
  const now_s = epochSeconds(clock);
  // Somebody who is imported during the look-up is found by neither it nor the question after it.
  const before = await openPushes(scope, keys);
  // Asked before the locks: another system may answer it, and slowly.
  const known = await findPerson(scope, { given: push, keys }, now_s);
  return { push, keys, now_s, before, isKnown: known !== undefined };
}

/**
 * Buffers a lead and answers it as its partner is told. Throws 409 with `existing_id` where an earlier
 * push of the same person by this partner is still open.
 */
export const pushLead = (
  scope: Scope,
  deps: PushDeps,
  partner: Partner,
  { push, keys, now_s, before, isKnown }: Sought,
): Promise<JsonObject> =>
  transaction(scope.db, async (tx) => {
    const within = { ...scope, db: tx };
    const [, open] = await inOrder(lockPerson(within, keys), openPushes(within, keys));
    await settleOwn(within, deps, now_s, open.filter(isOf(partner)));
    const others = [...before, ...open.filter((one) => !isOf(partner)(one))];
    const isShared = others.some((one) => !hasPassed(one, now_s));
    const possible_duplicate = isKnown || isShared;
    const buffered = { ...push, keys, now_s, possible_duplicate };
    const fresh = await insertPush(within, deps, partner, buffered);
    if (!partner.auto_accept || possible_duplicate) return toldToPartner(fresh);
    const actor = { ...AUTO_ACCEPT, requestId: scope.actor.requestId };
    const { id } = fresh;
    await moveLead({ ...within, actor }, deps.makeId, { id, now_s }, { event: "accept" });
    const accepted = await findPushed(within, now_s, id);
    if (accepted === undefined) throw new AppError("internal");
    return toldToPartner(accepted);
  });

/** Pushes of one person wait for each other, so that each sees what the others left. */
async function lockPerson({ db, tenantId }: Scope<Tx>, keys: PersonKeys): Promise<void> {
  const texts = keyTexts(keys).map((text) => `${tenantId} ${text}`);
  // In one order everywhere, or two pushes could wait for each other for ever.
  await run(
    db,
    sql`select pg_advisory_xact_lock(hashtextextended(given, 0))
          from (select given from unnest(${texts}::text[]) given order by 1) ordered`,
  );
}

interface OpenPush {
  readonly id: string;
  readonly partner_id: string;
  readonly expiration_ts: number | null;
  readonly status: (typeof OPEN)[number];
}

/** As it stands in the indexes of open pushes, which no parameter would match. */
const IS_OPEN = raw(`status in (${OPEN.map((status) => `'${status}'`).join(", ")})`);

/** Open pushes of the same person by anybody, newest first. */
async function openPushes(
  { db, tenantId }: Scope,
  { email, phone }: PersonKeys,
): Promise<readonly OpenPush[]> {
  const rows = await run(
    db,
    sql`select id, partner_id, expiration_ts, status from pushed_leads
         where tenant_id = ${tenantId} and ${IS_OPEN} and email_key = ${email}::text
        union
        select id, partner_id, expiration_ts, status from pushed_leads
         where tenant_id = ${tenantId} and ${IS_OPEN} and phone_key = ${phone}::text
        order by id desc`,
  );
  return rows as unknown as readonly OpenPush[];
}

const isOf =
  ({ id }: Partner) =>
  ({ partner_id }: OpenPush): boolean =>
    partner_id === id;

const hasPassed = ({ status, expiration_ts }: OpenPush, now_s: number): boolean =>
  status === "pending" && expiration_ts !== null && expiration_ts <= now_s;

/** Writes off the partner's own pushes whose time has passed; throws where one is still open. */
async function settleOwn(
  scope: Scope<Tx>,
  { makeId }: PushDeps,
  now_s: number,
  own: readonly OpenPush[],
): Promise<void> {
  const standing = own.find((one) => !hasPassed(one, now_s));
  if (standing !== undefined) {
    const detail = `This person is already ${standing.status} from an earlier push of yours`;
    const members = { existing_id: standing.id, status: standing.status };
    throw new AppError("conflict", { detail, members });
  }
  const actor = { ...SERVICE, requestId: scope.actor.requestId };
  for (const { id } of own) {
    await moveLead({ ...scope, actor }, makeId, { id, now_s }, { event: "expire" });
  }
}

interface Buffered extends Push {
  readonly keys: PersonKeys;
  readonly now_s: number;
  readonly possible_duplicate: boolean;
}

/** Buffers a lead and logs it in one statement; answers it as `findPushed` would. */
async function insertPush(
  scope: Scope<Tx>,
  { makeId }: PushDeps,
  partner: Partner,
  { keys, now_s, ...push }: Buffered,
): Promise<PushedLead> {
  const id = makeId();
  const row = { ...push, partner_id: partner.id, status: FIRST, submitted_ts: now_s };
  const { db, tenantId, actor } = scope;
  const fields = changedFields({}, row);
  const [logged] = await run(
    db,
    sql`
      with buffered as (
        insert into pushed_leads
               (tenant_id, id, partner_id, name, email, phone, email_key, phone_key, source, status,
                possible_duplicate, match_preferences, comments, description, submitted_ts, expiration_ts)
        values (${tenantId}, ${id}, ${row.partner_id}, ${row.name}, ${row.email}, ${row.phone},
                ${keys.email}, ${keys.phone}, ${row.source}, ${row.status}, ${row.possible_duplicate},
                ${row.match_preferences === null ? null : JSON.stringify(row.match_preferences)}::text::json,
                ${row.comments}, ${row.description}, ${row.submitted_ts}, ${row.expiration_ts})
        returning tenant_id, id
      )
      insert into changes (tenant_id, id, at, subject_type, subject_id, action,
                           actor_kind, actor_id, actor_name, fields, request_id)
      select b.tenant_id, ${makeId()}, clock_timestamp(), ${PUSHED_LEAD}, b.id, 'pushed', ${actor.kind},
             ${actor.id}, ${actor.name}, ${JSON.stringify(fields)}::text::json, ${actor.requestId}
        from buffered b
      returning at`,
  );
  return freshlyPushed(partner, { ...row, id, keys }, { actor, at: logged?.["at"] as Date });
}
