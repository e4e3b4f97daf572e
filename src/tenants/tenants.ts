/** Tenants, which are the businesses in an installation. */

import { randomUUID } from "node:crypto";
import type { CountryCode } from "libphonenumber-js";
import {
  changedFields,
  logChange,
  type Quota,
  SERVICE,
  type Scope,
  type TenantId,
} from "../audit/index.ts";
import { epochSeconds } from "../platform/clock/index.ts";
import {
  assigned,
  columns,
  type Db,
  inserted,
  run,
  transaction,
  type Tx,
} from "../platform/database/index.ts";
import { AppError, ValidationError } from "../platform/errors/index.ts";
import { hasNoMembers, type JsonObject, pick } from "../platform/json/index.ts";
import { frozenIssue } from "../platform/validation/index.ts";
import { type Members, type Stored, storedNames, withDates } from "../platform/schemas/index.ts";
import { addPerson, type Person, type TenantDeps } from "./users.ts";
import { FIRST_HANDLE, handleFor, isTenantId } from "./handles.ts";
import { SETTING_NAMES, settingFaults, type SETTINGS, TENANT } from "./settings.ts";

/** The tenant properties needed to serve a request. */
export interface Tenant extends Members<typeof SETTINGS> {
  readonly id: TenantId;
  readonly default_country: CountryCode;
  /** Undefined if the tenant has no storage quota. */
  readonly quota?: Quota | undefined;
  /** Whether the tenant is suspended, so that its requests are rejected. */
  readonly is_suspended?: boolean | undefined;
}

export interface NewTenant {
  readonly name: string;
  /** The handle. By default, it is derived from the name. */
  readonly handle?: string | undefined;
  readonly default_country?: string | undefined;
  readonly timezone?: string | undefined;
  readonly currency?: string | undefined;
}

/** A new tenant and its first user. */
interface CreatedTenant {
  readonly tenant: Tenant;
  readonly owner: Person;
}

/** Creates a tenant with its first user. Throws 409 if the handle is invalid or taken, or if a setting is invalid. */
export async function addTenant(
  tx: Tx,
  deps: TenantDeps,
  given: NewTenant,
): Promise<CreatedTenant> {
  await lockCreation(tx);
  const handle = await handleFor(tx, given.name, given.handle);
  return insertTenant(tx, deps, { ...given, handle });
}

/**
 * Creates the installation's first tenant, without a token, and stores its id. Returns undefined if
 * the installation already has one. Several processes may call it concurrently.
 */
export const createFirstTenant = (db: Db, deps: TenantDeps): Promise<Tenant | undefined> =>
  transaction(db, async (tx) => {
    await lockCreation(tx);
    if ((await findFirstTenant(tx)) !== undefined) return undefined;
    const { tenant } = await insertTenant(tx, deps, { name: FIRST_HANDLE, handle: FIRST_HANDLE });
    await run(tx)`insert into first_tenant (tenant_id) values (${tenant.id})`;
    return tenant;
  });

/** Creates the installation's demo tenant, without a token. Throws 409 if a demo tenant exists. */
export const createDemoTenant = (
  db: Db,
  deps: TenantDeps,
  given: Omit<NewTenant, "handle">,
): Promise<CreatedTenant> =>
  transaction(db, async (tx) => {
    await lockCreation(tx);
    if ((await findDemoTenant(tx)) !== undefined) {
      throw new AppError("conflict", { detail: "Demo data already exists" });
    }
    const handle = await handleFor(tx, given.name, undefined);
    return insertTenant(tx, deps, { ...given, handle, is_demo: true });
  });

/** Ensures that tenants are created one at a time, so that each handle is unique and there is only one first tenant. */
const lockCreation = (tx: Tx) => run(tx)`lock table tenants in share row exclusive mode`;

async function insertTenant(
  tx: Tx,
  deps: TenantDeps,
  {
    name,
    handle,
    default_country = "US",
    timezone = "UTC",
    currency = "USD",
    is_demo = false,
  }: NewTenant & { readonly handle: string; readonly is_demo?: boolean },
): Promise<CreatedTenant> {
  const tenantId = randomUUID() as string as TenantId;
  const now_s = epochSeconds(deps.clock);
  const settings = { name, default_country, timezone, currency, on_duplicate: "allow" } as const;
  refuseUnknown(settings);
  const stamps = { created_ts: now_s, updated_ts: now_s };
  const row = { id: tenantId, handle, ...settings, is_demo, ...stamps };
  await run(tx)`insert into tenants ${inserted(row)}`;
  const owner = await addPerson(tx, deps, tenantId);
  await logChange({ db: tx, tenantId, actor: SERVICE }, deps.makeId, {
    subjectType: "tenant",
    subjectId: tenantId,
    action: "created",
    fields: changedFields({}, { ...settings, handle }),
  });
  return { tenant: { id: tenantId, ...settings } as Tenant, owner };
}

function refuseUnknown(settings: JsonObject): void {
  const [fault] = Object.entries(settingFaults(settings));
  if (fault === undefined) return;
  const [name, wanted] = fault;
  throw new AppError("conflict", { detail: `${name} must be ${wanted}` });
}

/** Members that identify the tenant and never change. */
const IDENTITY = ["id", "handle"] as const;
const COLUMNS = storedNames(TENANT);
type StoredTenant = Stored<typeof TENANT>;

/** Finds a tenant by handle or id. Names are not unique, so they cannot be used. */
export async function findTenant(db: Db, handleOrId: string): Promise<Tenant | undefined> {
  const column = isTenantId(handleOrId) ? "id" : "handle";
  const [row] = await run<Tenant[]>(db)`
    select id, ${columns(SETTING_NAMES)} from tenants where ${columns([column])} = ${handleOrId}`;
  return row;
}

/** Returns the tenant that was created when the service first started, even if it has been renamed. */
export async function findFirstTenant(db: Db | Tx): Promise<Tenant | undefined> {
  const [row] = await run<Tenant[]>(db)`
    select id, ${columns(SETTING_NAMES)} from tenants where id = (select tenant_id from first_tenant)`;
  return row;
}

/** Returns the demo tenant, or undefined if there is none. */
export async function findDemoTenant(
  db: Db | Tx,
): Promise<(Tenant & { readonly handle: string }) | undefined> {
  const [row] = await run<(Tenant & { readonly handle: string })[]>(db)`
    select id, handle, ${columns(SETTING_NAMES)} from tenants where is_demo`;
  return row;
}

/** Returns all tenants in the installation, oldest first. */
export async function listTenants(db: Db): Promise<readonly Members<typeof TENANT>[]> {
  const rows = await run<StoredTenant[]>(db)`
    select ${columns(COLUMNS)} from tenants order by created_ts, id`;
  return rows.map(withDates);
}

export async function readTenant(db: Db | Tx, tenantId: TenantId): Promise<Members<typeof TENANT>> {
  const [row] = await run<StoredTenant[]>(db)`
    select ${columns(COLUMNS)} from tenants where id = ${tenantId}`;
  if (row === undefined) throw new AppError("not_found");
  return withDates(row);
}

/**
 * Changes a tenant's settings. Writes nothing if nothing changes. Throws 422 if the request contains a different handle
 * or id.
 */
export async function patchTenant(
  scope: Scope,
  deps: TenantDeps,
  sent: JsonObject,
): Promise<Members<typeof TENANT>> {
  const { db, tenantId } = scope;
  await transaction(db, async (tx) => {
    const [stored] = await run<StoredTenant[]>(tx)`
      select ${columns(COLUMNS)} from tenants where id = ${tenantId} for update`;
    if (stored === undefined) throw new AppError("not_found");
    const changed = IDENTITY.filter((name) => name in sent && sent[name] !== stored[name]);
    if (changed.length > 0) {
      throw new ValidationError(changed.map((name) => frozenIssue(name, sent[name])));
    }
    const before = pick(stored, SETTING_NAMES);
    const next = { ...before, ...pick(sent, SETTING_NAMES) };
    await updateTenant({ ...scope, db: tx }, deps, before, next);
  });
  return readTenant(db, tenantId);
}

/** Updates columns of a tenant. Writes nothing if nothing changes. */
export async function updateTenant(
  scope: Scope<Tx>,
  { clock, makeId }: TenantDeps,
  before: JsonObject,
  next: JsonObject,
): Promise<void> {
  const { db, tenantId } = scope;
  const fields = changedFields(before, next);
  if (hasNoMembers(fields)) return;
  const row = { ...next, updated_ts: epochSeconds(clock) };
  await run(db)`update tenants set ${assigned(row)} where id = ${tenantId}`;
  await logChange(scope, makeId, {
    subjectType: "tenant",
    subjectId: tenantId,
    action: "updated",
    fields,
  });
}
