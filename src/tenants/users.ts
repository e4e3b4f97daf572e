/** The users of a tenant, who own its tokens and records. */

import type { TenantId } from "../audit/index.ts";
import { type Clock, epochSeconds } from "../platform/clock/index.ts";
import type { MakeId } from "../platform/ids/index.ts";
import { type Db, run, transaction, type Tx } from "../platform/database/index.ts";

/** The name of a tenant's first user. */
const OWNER_NAME = "Owner";

export interface TenantDeps {
  readonly clock: Clock;
  readonly makeId: MakeId;
}

export interface Person {
  readonly id: string;
  readonly name: string;
}

/**
 * Locks the tenant's users, so that changes run one after another. This keeps names of token owners and emails unique,
 * and ensures that an owner remains.
 */
export const lockPeople = (db: Tx, tenantId: TenantId) =>
  run(db)`select from tenants where id = ${tenantId} for no key update`;

/** Finds the user with the given name, or adds one. Without a name, returns the tenant's first user. */
export async function findOrAddPerson(
  db: Db | Tx,
  deps: TenantDeps,
  tenantId: TenantId,
  name: string | undefined,
): Promise<Person> {
  const found = await findNamed(db, tenantId, name);
  if (found !== undefined) return found;
  return transaction(db, async (tx) => {
    await lockPeople(tx, tenantId);
    return (await findNamed(tx, tenantId, name)) ?? addPerson(tx, deps, tenantId, name);
  });
}

export async function addPerson(
  db: Tx,
  { clock, makeId }: TenantDeps,
  tenantId: TenantId,
  name = OWNER_NAME,
): Promise<Person> {
  const person = { id: makeId(), name };
  await run(db)`
    insert into people (tenant_id, id, name, created_ts)
    values (${tenantId}, ${person.id}, ${person.name}, ${epochSeconds(clock)})`;
  return person;
}

async function findNamed(
  db: Db | Tx,
  tenantId: TenantId,
  name: string | undefined,
): Promise<Person | undefined> {
  const [found] = await run<Person[]>(db)`
    select id, name from people
     where tenant_id = ${tenantId} and (${name ?? null}::text is null or name = ${name ?? null})
     order by id limit 1`;
  return found;
}
