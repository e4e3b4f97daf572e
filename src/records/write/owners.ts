/** Whose a record is: the person's whose token creates it, or, of a task, whom it is for. */

import type { Scope } from "../../audit/index.ts";
import type { Draft } from "../shape/index.ts";
import type { Author } from "./writer.ts";
import { run } from "../../platform/database/index.ts";

/** A task for another user than the one that creates it. */
export const isForeign = ({ values }: Draft, { person }: Author): boolean =>
  typeof values["userid"] === "string" && values["userid"] !== person.id;

/** Names of persons of the tenant, by id. */
export async function findPeople({ db, tenantId }: Scope, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, string>();
  const rows = await run<{ id: string; name: string }[]>(db)`
    select id, name from people where tenant_id = ${tenantId} and id = any(${[...ids]}::text[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The person a record belongs to; a name is known only for persons of the tenant. */
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
