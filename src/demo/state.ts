/** The state of demo data, links for its owners, and its removal. */

import { type Tenant, findDemoTenant } from "../tenants/index.ts";
import { SERVICE } from "../audit/index.ts";
import type { Clock } from "../platform/clock/index.ts";
import type { MakeId } from "../platform/ids/index.ts";
import { separateConnection, type Db, run } from "../platform/database/index.ts";
import { AppError } from "../platform/errors/index.ts";
import {
  createPerson,
  findByEmail,
  firstOwnerLink,
  linkPerson,
  type CreatedLink,
  ROLES,
} from "../people/index.ts";
import { removeDemoTenant } from "../tenant-data/index.ts";
import type { Owner } from "./fill.ts";
import { lockDemo, isDemoLocked } from "./lock.ts";

/**
 * The possible states of the demo data. `interrupted` means that the tenant was not completely filled or removed and
 * must be removed.
 */
export const STATES = ["absent", "filling", "interrupted", "ready", "removing"] as const;

export interface DemoState {
  readonly state: (typeof STATES)[number];
  readonly tenant: (Tenant & { readonly handle: string }) | undefined;
  /** The number of completed steps. 0 if unknown. */
  readonly done: number;
  /** The total number of steps. 0 if unknown. */
  readonly total: number;
}

interface Fill {
  readonly done: number;
  readonly total: number;
  readonly is_finished: boolean;
}

export async function readDemo(sql: Db): Promise<DemoState> {
  // Check the lock before reading the tenant. This way, if filling finishes in between, the tenant is reported as
  // ready.
  const isLocked = await isDemoLocked(sql);
  const tenant = await findDemoTenant(sql);
  if (tenant === undefined) return { state: "absent", tenant, done: 0, total: 0 };
  const [fill] = await run<Fill[]>(sql)`
    select done, total, finished_ts is not null as is_finished
      from demo_fills where tenant_id = ${tenant.id}`;
  const { done = 0, total = 0 } = fill ?? {};
  return { state: stateOf(fill, isLocked), tenant, done, total };
}

function stateOf(fill: Fill | undefined, isLocked: boolean): DemoState["state"] {
  if (fill === undefined) return isLocked ? "removing" : "interrupted";
  if (isLocked) return fill.is_finished ? "removing" : "filling";
  return fill.is_finished ? "ready" : "interrupted";
}

/**
 * Removes the demo tenant and returns the number of removed rows. Throws 404 if there is none, and 409 while it is
 * being filled or removed.
 */
export async function removeDemo(sql: Db): Promise<number> {
  const single = separateConnection(sql);
  try {
    await lockDemo(single);
    const tenant = await findDemoTenant(single);
    if (tenant === undefined) throw new AppError("not_found", { detail: "There is no demo data" });
    return await removeDemoTenant(single, tenant.id);
  } finally {
    await single.end({ timeout: 1 });
  }
}

export interface LinkDeps {
  readonly clock: Clock;
  readonly makeId: MakeId;
}

/** Callers who can manage demo data can become owners of the demo tenant. */
const RIGHTS = { permissions: ROLES.owner };

/**
 * Creates a one-time link for setting the password of an owner of the demo tenant. With `owner`,
 * the link is for that user, who is added as an owner if necessary. Otherwise, the first user to
 * open it becomes an owner. Throws 404 if there is no demo tenant, and 409 if an owner already has
 * a password.
 */
export async function demoOwnerLink(
  sql: Db,
  deps: LinkDeps,
  owner: Owner | undefined,
): Promise<CreatedLink> {
  const tenant = await findDemoTenant(sql);
  if (tenant === undefined) throw new AppError("not_found", { detail: "There is no demo data" });
  if (owner === undefined) {
    const link = await firstOwnerLink(sql, deps, tenant.id);
    if (link !== undefined) return link;
    const detail =
      "An owner of the demo tenant already has a password. Sign in, or specify the email of another owner";
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

/** Whether a user with this email has a password in the demo tenant and can therefore choose that tenant at sign-in. */
export async function isDemoMember(sql: Db, email: string): Promise<boolean> {
  const rows = await run(sql)`
    select from people p join tenants n on n.id = p.tenant_id
     where n.is_demo and p.email = ${email} and p.password_hash is not null`;
  return rows.count > 0;
}
