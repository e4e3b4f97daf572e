/** What there is of demo data, how its owners get in, and its removal. */

import {
  findDemoTenant,
  removeDemoTenant,
  type RemoveElsewhere,
  type Tenant,
} from "../access/index.ts";
import { SERVICE } from "../audit/index.ts";
import { forgetJobs } from "../delivery/index.ts";
import type { Clock, MakeId } from "../platform/clock/index.ts";
import { aside, type Db, run } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";
import {
  createPerson,
  findByEmail,
  firstOwnerLink,
  linkPerson,
  type MadeLink,
  ROLES,
} from "../people/index.ts";
import type { Owner } from "./fill.ts";
import { holdDemo, isDemoHeld } from "./hold.ts";

/** `interrupted`: the tenant was not filled or not removed completely, and must be removed. */
export const STATES = ["absent", "filling", "interrupted", "ready", "removing"] as const;

export interface DemoState {
  readonly state: (typeof STATES)[number];
  readonly tenant: (Tenant & { readonly handle: string }) | undefined;
  /** Steps of the year that are done, of how many; 0 if that is not known. */
  readonly done: number;
  readonly total: number;
}

interface Fill {
  readonly done: number;
  readonly total: number;
  readonly is_finished: boolean;
}

export async function readDemo(sql: Db): Promise<DemoState> {
  // Before the tenant: a filling that ends in between is finished.
  const isHeld = await isDemoHeld(sql);
  const tenant = await findDemoTenant(sql);
  if (tenant === undefined) return { state: "absent", tenant, done: 0, total: 0 };
  const [fill] = await run<Fill[]>(sql)`
    select done, total, finished_ts is not null as is_finished
      from demo_fills where tenant_id = ${tenant.id}`;
  const { done = 0, total = 0 } = fill ?? {};
  return { state: stateOf(fill, isHeld), tenant, done, total };
}

function stateOf(fill: Fill | undefined, isHeld: boolean): DemoState["state"] {
  if (fill === undefined) return isHeld ? "removing" : "interrupted";
  if (isHeld) return fill.is_finished ? "removing" : "filling";
  return fill.is_finished ? "ready" : "interrupted";
}

/** What is removed in addition to the rows of the tenant. */
const ELSEWHERE: readonly RemoveElsewhere[] = [forgetJobs];

/**
 * Removes the demo tenant; the number of rows. Throws a 404 if there is none, a 409 while it is being filled
 * or removed.
 */
export async function removeDemo(sql: Db): Promise<number> {
  const single = aside(sql);
  try {
    await holdDemo(single);
    const tenant = await findDemoTenant(single);
    if (tenant === undefined) throw new AppError("not_found", { detail: "There is no demo data" });
    return await removeDemoTenant(single, tenant.id, ELSEWHERE);
  } finally {
    await single.end({ timeout: 1 });
  }
}

export interface LinkDeps {
  readonly clock: Clock;
  readonly makeId: MakeId;
}

/** Callers that may manage demo data may become owners of the demo tenant. */
const RIGHTS = { permissions: ROLES.owner };

/**
 * A one-time link by which an owner of the demo tenant sets a password: a known user, who becomes an owner if
 * they are none yet, or without one for the first user to open it. Throws a 404 if there is no demo tenant, a 409 if
 * that owner has signed in already.
 */
export async function demoOwnerLink(
  sql: Db,
  deps: LinkDeps,
  owner: Owner | undefined,
): Promise<MadeLink> {
  const tenant = await findDemoTenant(sql);
  if (tenant === undefined) throw new AppError("not_found", { detail: "There is no demo data" });
  if (owner === undefined) {
    const link = await firstOwnerLink(sql, deps, tenant.id);
    if (link !== undefined) return link;
    const detail = "An owner of the demo tenant has a password already; sign in, or name an email";
    throw new AppError("conflict", { detail });
  }
  const scope = { db: sql, tenantId: tenant.id, actor: SERVICE };
  const known = await findByEmail(sql, tenant.id, owner.email);
  const { made } =
    known === undefined
      ? await createPerson(scope, deps, RIGHTS, { ...owner, role: "owner" })
      : await linkPerson(scope, deps, RIGHTS, known);
  return made;
}

/** Whether someone with this email has a password in the demo tenant: they can choose it when they sign in. */
export async function isDemoMember(sql: Db, email: string): Promise<boolean> {
  const rows = await run(sql)`
    select from people p join tenants n on n.id = p.tenant_id
     where n.is_demo and p.email = ${email} and p.password_hash is not null`;
  return rows.count > 0;
}
