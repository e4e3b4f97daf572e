/**
 * Stores a push. One round trip locks the person, checks that the decision still holds, adds the lead to the buffer and
 * logs it.
 */

import sql, { join } from "sql-template-tag";
import { changedFields, growing, insertChanges, ROW_bytes, type Scope } from "../../audit/index.ts";
import type { MakeId } from "../../platform/ids/index.ts";
import { columns, run } from "../../platform/database/index.ts";
import { namesOf } from "../../platform/json/index.ts";
import type { Partner } from "../partners/index.ts";
import {
  FIRST,
  freshlyPushed,
  hasExpired,
  PUSHED_LEAD,
  type PushedLead,
} from "../pushed-leads/index.ts";
import { type Buffering, isOverdue } from "./decide.ts";
import { type FactsHold, isOpenSql, type PushedPerson } from "./facts.ts";
import { lockSql } from "./lock.ts";
import type { Push } from "./push-bodies.ts";

/** A push to store at `now_s`. */
export interface NewPush extends PushedPerson, FactsHold {
  readonly push: Push;
  readonly partner: Partner;
  readonly now_s: number;
}

/**
 * Stores a push, and returns the lead as `findPushed` would. Stores nothing and returns undefined if the facts have
 * changed. The partner's overdue pushes of the person must have been stored as expired in the same transaction.
 */
export async function storePush(
  scope: Scope,
  makeId: MakeId,
  { push, keys, partner, now_s, isAllowed, isKnownSql }: NewPush,
  { possible_duplicate }: Buffering,
): Promise<PushedLead | undefined> {
  const { tenantId, db, actor } = scope;
  const row = { ...push, partner_id: partner.id, status: FIRST, submitted_ts: now_s };
  const shown = { ...row, possible_duplicate };
  const lead = { ...shown, id: makeId(), email_key: keys.email, phone_key: keys.phone };
  const fields = JSON.stringify(changedFields({}, shown));
  const change = { tenantId, actor, subjectType: PUSHED_LEAD, action: "pushed" };
  const entry = sql`
        select id, ${makeId()} as change_id, ${fields}::text::json as fields from buffered`;
  const isOwn = sql`partner_id = ${partner.id}`;
  // The records are searched in any case, so that the response time does not reveal whether others pushed the person.
  const isDuplicate = sql`(${isKnownSql} or others > 0)`;
  const statement = sql`
      with buffered as (
        insert into pushed_leads (${columns(namesOf(lead))}, tenant_id)
        select ${join(Object.values(lead))}, ${tenantId}::uuid
          from (select count(*) filter (where ${isOwn}) as own,
                       count(*) filter (where not ${isOwn} and not (
                         status = 'pending' and ${hasExpired(now_s)})) as others
                  from pushed_leads where ${isOpenSql(tenantId, keys)}) open
         where own = 0 and ${isDuplicate} = ${possible_duplicate} and ${isAllowed}
        returning id
      )
      ${insertChanges(change, entry)} returning at`;
  const [stored] = await growing(
    scope,
    () => ({ records: 0, bytes: 2 * (ROW_bytes + fields.length) }),
    // The first statement waits for the lock, so the second one sees what the lock's previous holder has stored.
    () => run<{ at: Date }[]>(db, statement, { first: lockSql(tenantId, keys) }),
  );
  if (stored === undefined) return undefined;
  const status = isOverdue(lead, now_s) ? "expired" : FIRST;
  return freshlyPushed(partner, { ...lead, status }, { actor, at: stored.at });
}
