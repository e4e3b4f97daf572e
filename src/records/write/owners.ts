/**
 * Determines a record's owner: for most records, the user whose credential creates it, and for a task, its assignee.
 */

import type { Scope } from "../../audit/index.ts";
import type { Draft } from "../body/index.ts";
import type { Author } from "../store/index.ts";
import { run } from "../../platform/database/index.ts";

/** Whether a task is assigned to a user other than the author. */
export const isForeign = ({ values }: Draft, { person }: Author): boolean =>
  typeof values["userid"] === "string" && values["userid"] !== person.id;

/** Returns the names of the tenant's users, by id. */
export async function findPeople({ db, tenantId }: Scope, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, string>();
  const rows = await run<{ id: string; name: string }[]>(db)`
    select id, name from people where tenant_id = ${tenantId} and id = any(${[...ids]}::text[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Returns a record's owner. The name is null if the owner is not one of the tenant's users. */
export function ownerIn(
  people: ReadonlyMap<string, string>,
  { values }: Draft,
  { person }: Author,
) {
  const userid = values["userid"] ?? null;
  if (typeof userid !== "string" || userid === person.id) {
    return { userid: person.id, user_name: person.name };
  }
  return { userid, user_name: people.get(userid) ?? null };
}

export const ownerOf = async (scope: Scope, draft: Draft, author: Author) =>
  ownerIn(
    await findPeople(scope, isForeign(draft, author) ? [String(draft.values["userid"])] : []),
    draft,
    author,
  );
