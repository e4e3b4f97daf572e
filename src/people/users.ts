/** The people of a tenant as an administrator sees them, new ones, and links for them. */

import type { Caller } from "../access/index.ts";
import { changedFields, logChange, type Scope, type TenantId } from "../audit/index.ts";
import { epochSeconds } from "../platform/clock/index.ts";
import { columns, type Db, run, transaction, type Tx } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";
import { type Stored, storedNames, withDates } from "../platform/validation/index.ts";
import { type Body, USER, type User } from "./bodies.ts";
import { makeLink, type LinkKind, type MadeLink } from "./links.ts";
import { isAsOwner, type Role } from "./roles.ts";
import type { SessionDeps } from "./sessions.ts";
import { plainEmail } from "./sign-in.ts";

export interface NewPerson extends Body<"user"> {}

/** A person as stored, as far as administration asks. */
export interface StoredPerson extends Omit<Stored<typeof USER>, "status"> {
  readonly is_suspended: boolean;
  readonly has_password: boolean;
}

const COLUMNS = storedNames(USER, ["status", "has_second_factor"]);

const readStored = (
  db: Db | Tx,
  tenantId: TenantId,
  id: string | null = null,
): Promise<readonly StoredPerson[]> =>
  run<StoredPerson[]>(db)`
    select ${columns(COLUMNS)}, is_suspended, password_hash is not null as has_password,
           totp is not null as has_second_factor
      from people
     where tenant_id = ${tenantId} and (${id}::text is null or id = ${id})
     order by id`;

export function statusOf({ email, is_suspended, has_password }: StoredPerson): User["status"] {
  if (email === null) return "token_only";
  if (is_suspended) return "suspended";
  return has_password ? "active" : "invited";
}

/** What administrators see of a person. */
export function userOf(person: StoredPerson): User {
  const { is_suspended: _, has_password: __, ...members } = person;
  return withDates({ ...members, status: statusOf(person) });
}

/** The tenant's people, oldest first. */
export const listPeople = async (db: Db, tenantId: TenantId): Promise<readonly User[]> =>
  (await readStored(db, tenantId)).map(userOf);

/** The id of the person with that e-mail; undefined where nobody of the tenant has it. */
export async function findByEmail(
  db: Db | Tx,
  tenantId: TenantId,
  email: string,
): Promise<string | undefined> {
  const [known] = await run<{ id: string }[]>(db)`
    select id from people where tenant_id = ${tenantId} and email = ${plainEmail(email)}`;
  return known?.id;
}

/** One of them. Throws 404 where the tenant has none of that id. */
export async function findPerson(
  db: Db | Tx,
  tenantId: TenantId,
  id: string,
): Promise<StoredPerson> {
  const [found] = await readStored(db, tenantId, id);
  if (found === undefined) throw new AppError("not_found");
  return found;
}

/** People of a tenant are changed one after the other: e-mails stay single, and an owner is left. */
export const lockPeople = ({ db, tenantId }: Scope<Tx>) =>
  run(db)`select from tenants where id = ${tenantId} for no key update`;

export async function refuseKnown(
  { db, tenantId }: Scope<Tx>,
  email: string,
  own?: string,
): Promise<void> {
  const known = await findByEmail(db, tenantId, email);
  if (known === undefined || known === own) return;
  throw new AppError("conflict", {
    detail: "Somebody of this tenant has this e-mail",
    members: { existing_id: known },
  });
}

/** Nobody makes, changes or resets an owner who holds less than one. */
export function refuseOwners(may: Rights, ...roles: readonly (Role | null | undefined)[]): void {
  if (!roles.includes("owner") || isAsOwner(may)) return;
  throw new AppError("not_permitted", { detail: "Only an owner may do that to an owner" });
}

/** What of a caller says whom it may change. */
export type Rights = Pick<Caller, "permissions">;

/** A person with a link that was made for them. */
export interface Linked {
  readonly person: User;
  readonly made: MadeLink;
}

/** Makes a person, and an invitation. Throws 409 with `existing_id` where the e-mail is known here. */
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
    await lockPeople(scope);
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
  const made = await makeLink(scope, deps, id, kind);
  return { person: userOf(await findPerson(scope.db, scope.tenantId, id)), made };
}

/** An invitation for who has no password yet, a reset for who has one. Throws 409 for who cannot sign in. */
export const linkPerson = (
  within: Scope,
  deps: SessionDeps,
  may: Rights,
  id: string,
): Promise<Linked> =>
  transaction(within.db, async (db) => {
    const scope = { ...within, db };
    const person = await findPerson(db, scope.tenantId, id);
    refuseOwners(may, person.role);
    refuseTokenOnly(person);
    if (person.is_suspended) {
      throw new AppError("conflict", { detail: "This person is suspended" });
    }
    return linkFor(scope, deps, id, person.has_password ? "reset" : "invitation");
  });

export function refuseTokenOnly({ email }: Pick<StoredPerson, "email">): void {
  if (email !== null) return;
  const detail = "This person has no e-mail and does not sign in; give them an e-mail and a role";
  throw new AppError("conflict", { detail });
}
