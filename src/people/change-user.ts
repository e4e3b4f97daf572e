/** Changes that administrators make to users. */

import type { Caller } from "../access/index.ts";
import { lockPeople } from "../tenants/index.ts";
import { changedFields, logChange, type Scope } from "../audit/index.ts";
import { run, transaction, type Tx } from "../platform/database/index.ts";
import { AppError, ValidationError } from "../platform/errors/index.ts";
import { hasNoMembers } from "../platform/json/index.ts";
import { clearSecondFactor } from "./account.ts";
import type { Body, User } from "./bodies.ts";
import { endLinks } from "./links.ts";
import {
  findPerson,
  lockPerson,
  refuseKnown,
  refuseOwners,
  refuseSelf,
  refuseTokenOnly,
  statusOf,
  type Rights,
  type StoredPerson,
  userOf,
} from "./users.ts";
import { endSessions, type SessionDeps } from "./sessions.ts";
import { missing, plainEmail } from "./sign-in.ts";

type PersonPatch = Body<"userUpdate">;

/**
 * Changes a user. Throws 403 if the change affects an owner and the caller is not an owner, or if the caller would
 * change their own role or status. Throws 409 if another user of the tenant already has the email, or if there would be
 * no owner left.
 */
export const patchPerson = (
  within: Scope,
  deps: SessionDeps,
  caller: Caller,
  { id, patch }: { readonly id: string; readonly patch: PersonPatch },
): Promise<User> =>
  transaction(within.db, async (db) => {
    const scope = { ...within, db };
    const { tenantId } = scope;
    await lockPeople(db, tenantId);
    const before = await lockPerson(scope, id);
    const after = patched(before, patch);
    refuseOwners(caller, before.role, after.role);
    refuseOwnChange(caller, before, after);
    if (after.email !== null && after.email !== before.email) {
      await refuseKnown(scope, after.email, id);
    }
    await refuseLastOwner(scope, before, after);
    const fields = changedFields(shown(before), shown(after));
    if (!hasNoMembers(fields)) {
      const { name, email, role, is_suspended } = after;
      await run(db)`
        update people set name = ${name}, email = ${email}, role = ${role},
                          is_suspended = ${is_suspended}
         where tenant_id = ${tenantId} and id = ${id}`;
      // Invalidate links that may have been sent to the old address.
      if (email !== before.email || is_suspended) await endLinks(scope, id);
      if (is_suspended) await endSessions(scope, id);
      await logChange(scope, deps.makeId, {
        subjectType: "person",
        subjectId: id,
        action: "updated",
        fields,
      });
    }
    return userOf(await findPerson(db, tenantId, id));
  });

/** Returns a user's fields as recorded in the audit log. */
const shown = ({ name, email, role, is_suspended: suspended }: StoredPerson) => ({
  name,
  email,
  role,
  suspended,
});

function patched(before: StoredPerson, { name, email, role, status }: PersonPatch): StoredPerson {
  const after = {
    ...before,
    name: name ?? before.name,
    email: email === undefined ? before.email : plainEmail(email),
    role: role ?? before.role,
    is_suspended: status === undefined ? before.is_suspended : status === "suspended",
  };
  if (after.email === null && status !== undefined) refuseTokenOnly(after);
  for (const member of ["email", "role"] as const) {
    if (after[member] !== null || (after.email ?? after.role) === null) continue;
    throw new ValidationError([missing(member)]);
  }
  return after;
}

function refuseOwnChange(caller: Caller, before: StoredPerson, after: StoredPerson): void {
  if (before.role === after.role && before.is_suspended === after.is_suspended) return;
  refuseSelf(caller, before.id, "You cannot change your own role or status");
}

const isActiveOwner = (person: StoredPerson): boolean =>
  person.role === "owner" && statusOf(person) === "active";

async function refuseLastOwner(
  { db, tenantId }: Scope<Tx>,
  before: StoredPerson,
  after: StoredPerson,
): Promise<void> {
  if (!isActiveOwner(before) || isActiveOwner(after)) return;
  const [other] = await run(db)`
    select from people
     where tenant_id = ${tenantId} and id <> ${before.id} and role = 'owner' and not is_suspended
       and password_hash is not null limit 1`;
  if (other !== undefined) return;
  throw new AppError("conflict", { detail: "This is the last owner who can sign in" });
}

/** Ends all sessions of a user. Returns how many were ended. */
export const endPersonSessions = (
  within: Scope,
  deps: SessionDeps,
  may: Rights,
  id: string,
): Promise<number> =>
  transaction(within.db, async (db) => {
    const scope = { ...within, db };
    refuseOwners(may, (await lockPerson(scope, id)).role);
    const ended = await endSessions(scope, id);
    await logChange(scope, deps.makeId, {
      subjectType: "person",
      subjectId: id,
      action: "sessions_ended",
      fields: changedFields({}, { ended }),
    });
    return ended;
  });

/** Removes the second factor of a user who has lost it. Throws 409 if there is none, and 403 for the signed-in user. */
export const removePersonSecondFactor = (
  within: Scope,
  deps: SessionDeps,
  caller: Caller,
  id: string,
): Promise<User> =>
  transaction(within.db, async (db) => {
    const scope = { ...within, db };
    refuseSelf(
      caller,
      id,
      "Remove your own second factor with your password, in your account settings",
    );
    const person = await lockPerson(scope, id);
    refuseOwners(caller, person.role);
    if (!person.has_second_factor) {
      throw new AppError("conflict", { detail: "This user has no second factor" });
    }
    await clearSecondFactor(scope, id);
    await logChange(scope, deps.makeId, {
      subjectType: "person",
      subjectId: id,
      action: "second_factor_removed",
      fields: changedFields({ second_factor: true }, { second_factor: false }),
    });
    return userOf(await findPerson(db, scope.tenantId, id));
  });
