/** Lists and creates the users of a tenant, and creates links for them. */

import sql from "sql-template-tag";
import type { Caller } from "../access/index.ts";
import { lockPeople } from "../tenants/index.ts";
import { changedFields, logChange, type Scope, type TenantId } from "../audit/index.ts";
import { epochSeconds } from "../platform/clock/index.ts";
import { columns, type Db, run, transaction, type Tx } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";
import { type Stored, storedNames, withDates } from "../platform/schemas/index.ts";
import { type Body, USER, type User } from "./bodies.ts";
import { createLink, type LinkKind, type CreatedLink } from "./links.ts";
import { isAsOwner, type Role } from "./roles.ts";
import type { SessionDeps } from "./sessions.ts";
import { plainEmail } from "./sign-in.ts";

export interface NewPerson extends Body<"user"> {}

/** The columns of a user that are needed for administration. */
export interface StoredPerson extends Omit<Stored<typeof USER>, "status"> {
  readonly is_suspended: boolean;
  readonly has_password: boolean;
}

const COLUMNS = storedNames(USER, ["status", "has_second_factor"]);

const readStored = (
  db: Db | Tx,
  tenantId: TenantId,
  id: string | null = null,
  { lock = false } = {},
): Promise<readonly StoredPerson[]> =>
  run<StoredPerson[]>(db)`
    select ${columns(COLUMNS)}, is_suspended, password_hash is not null as has_password,
           totp is not null as has_second_factor
      from people
     where tenant_id = ${tenantId} and (${id}::text is null or id = ${id})
     order by id ${lock ? sql`for no key update` : sql``}`;

export function statusOf({ email, is_suspended, has_password }: StoredPerson): User["status"] {
  if (email === null) return "token_only";
  if (is_suspended) return "suspended";
  return has_password ? "active" : "invited";
}

/** Returns a user for responses to administrators. */
export function userOf(person: StoredPerson): User {
  const { is_suspended: _, has_password: __, ...members } = person;
  return withDates({ ...members, status: statusOf(person) });
}

/** Returns the tenant's users, oldest first. */
export const listPeople = async (db: Db, tenantId: TenantId): Promise<readonly User[]> =>
  (await readStored(db, tenantId)).map(userOf);

/** Returns the id of the user with this email, or undefined if the tenant has no such user. */
export async function findByEmail(
  db: Db | Tx,
  tenantId: TenantId,
  email: string,
): Promise<string | undefined> {
  const [known] = await run<{ id: string }[]>(db)`
    select id from people where tenant_id = ${tenantId} and email = ${plainEmail(email)}`;
  return known?.id;
}

/** Returns a user. Throws 404 if the tenant has no user with this id. */
export const findPerson = (db: Db | Tx, tenantId: TenantId, id: string): Promise<StoredPerson> =>
  onePerson(readStored(db, tenantId, id));

/** Returns a user and locks it, so that it does not change until the transaction ends. */
export const lockPerson = ({ db, tenantId }: Scope<Tx>, id: string): Promise<StoredPerson> =>
  onePerson(readStored(db, tenantId, id, { lock: true }));

async function onePerson(reading: Promise<readonly StoredPerson[]>): Promise<StoredPerson> {
  const [found] = await reading;
  if (found === undefined) throw new AppError("not_found");
  return found;
}

export async function refuseKnown(
  { db, tenantId }: Scope<Tx>,
  email: string,
  own?: string,
): Promise<void> {
  const known = await findByEmail(db, tenantId, email);
  if (known === undefined || known === own) return;
  throw new AppError("conflict", {
    detail: "Another user of this tenant has this email",
    members: { existing_id: known },
  });
}

/** Throws 403 if a caller without all of an owner's permissions creates, changes or resets an owner. */
export function refuseOwners(may: Rights, ...roles: readonly (Role | null | undefined)[]): void {
  if (!roles.includes("owner") || isAsOwner(may)) return;
  throw new AppError("not_permitted", { detail: "Only owners can create or change owners" });
}

/** Throws 403 for a user who is signed in with this account. */
export function refuseSelf(
  { credential, person }: Partial<Caller>,
  id: string,
  detail: string,
): void {
  if (credential?.kind !== "session" || person?.id !== id) return;
  throw new AppError("not_permitted", { detail });
}

/** The caller's permissions. */
export type Rights = Pick<Caller, "permissions">;

/** A user, and the link created for them. */
export interface Linked {
  readonly person: User;
  readonly made: CreatedLink;
}

/** Creates a user and an invitation. Throws 409 with `existing_id` if another user of the tenant has the email. */
export const createPerson = (
  within: Scope,
  deps: SessionDeps,
  may: Rights,
  { name, email: given, role }: NewPerson,
): Promise<Linked> =>
  transaction(within.db, async (db) => {
    const scope = { ...within, db };
    const email = plainEmail(given);
    refuseOwners(may, role);
    await lockPeople(db, scope.tenantId);
    await refuseKnown(scope, email);
    const id = deps.makeId();
    await run(db)`
      insert into people (tenant_id, id, name, email, role, created_ts)
      values (${scope.tenantId}, ${id}, ${name}, ${email}, ${role}, ${epochSeconds(deps.clock)})`;
    await logChange(scope, deps.makeId, {
      subjectType: "person",
      subjectId: id,
      action: "created",
      fields: changedFields({}, { name, email, role }),
    });
    return linkFor(scope, deps, id, "invitation");
  });

async function linkFor(
  scope: Scope<Tx>,
  deps: SessionDeps,
  id: string,
  kind: LinkKind,
): Promise<Linked> {
  const made = await createLink(scope, deps, id, kind);
  return { person: userOf(await findPerson(scope.db, scope.tenantId, id)), made };
}

/**
 * Creates a link for a user: an invitation if the user has no password, and otherwise a reset link. Throws 409 if the
 * user is not allowed to sign in, and 403 for the signed-in user.
 */
export const linkPerson = (
  within: Scope,
  deps: SessionDeps,
  may: Rights & Partial<Caller>,
  id: string,
): Promise<Linked> =>
  transaction(within.db, async (db) => {
    const scope = { ...within, db };
    refuseSelf(may, id, "Change your own password in your account settings");
    const person = await lockPerson(scope, id);
    refuseOwners(may, person.role);
    refuseTokenOnly(person);
    if (person.is_suspended) {
      throw new AppError("conflict", { detail: "This user is suspended" });
    }
    return linkFor(scope, deps, id, person.has_password ? "reset" : "invitation");
  });

export function refuseTokenOnly({ email }: Pick<StoredPerson, "email">): void {
  if (email !== null) return;
  const detail = "This user has no email and cannot sign in; add an email and a role first";
  throw new AppError("conflict", { detail });
}
