/** Tenants: the businesses of one installation, and the people in them (D9.1). */

import { randomUUID } from "node:crypto";
import { isSupportedCountry } from "libphonenumber-js/min";
import { changedFields, logChange, SERVICE, type Scope, type TenantId } from "../audit/index.ts";
import { epochSeconds, isoSeconds } from "../platform/clock.ts";
import { isDuplicate, transaction, type Db, type Tx } from "../platform/db.ts";
import { AppError } from "../platform/errors.ts";
import type { JsonObject } from "../platform/json.ts";
import type { Person, Tenant } from "./caller.ts";
import { PERMISSIONS, type Permission } from "./permissions.ts";
import { addAccessToken, type AccessDeps } from "./tokens.ts";

const OWNER_NAME = "Owner";

export interface NewTenant {
  readonly name: string;
  readonly default_country?: string | undefined;
  readonly timezone?: string | undefined;
  readonly currency?: string | undefined;
}

/**
 * Creates a tenant with its first person and that person's token, which holds every permission.
 * Throws where the name is taken, or a setting is none.
 */
export async function createTenant(
  db: Db,
  deps: AccessDeps,
  { name, default_country = "US", timezone = "UTC", currency = "USD" }: NewTenant,
): Promise<{ readonly tenant: Tenant; readonly owner: Person; readonly ownerToken: string }> {
  const { clock, makeId } = deps;
  const tenantId = randomUUID() as string as TenantId;
  const now_s = epochSeconds(clock);
  const owner = { id: makeId(), name: OWNER_NAME };
  const settings = { name, default_country, timezone, currency, on_duplicate: "allow" };
  refuseUnknown(settings);
  const row = { id: tenantId, ...settings, created_ts: now_s, updated_ts: now_s };
  try {
    const ownerToken = await transaction(db, async (tx) => {
      const scope = { db: tx, tenantId, actor: SERVICE };
      await tx`insert into tenants ${tx(row)}`;
      await tx`
        insert into people (tenant_id, id, name, created_ts)
        values (${tenantId}, ${owner.id}, ${owner.name}, ${now_s})`;
      await logChange(scope, makeId, {
        subjectType: "tenant",
        subjectId: tenantId,
        action: "created",
        fields: changedFields({}, settings),
      });
      const permissions = Object.keys(PERMISSIONS) as Permission[];
      const { token } = await addAccessToken(scope, deps, {
        name: "Owner",
        person: owner,
        permissions,
      });
      return token;
    });
    const tenant = { id: tenantId, ...settings } as Tenant;
    return { tenant, owner, ownerToken };
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw new AppError("conflict", { detail: `There is already a tenant named "${name}"` });
  }
}

/** What is wrong with a tenant's settings, by setting; empty where nothing is. */
export function settingFaults(settings: JsonObject): Readonly<Record<string, string>> {
  const known: Readonly<Record<string, readonly [(text: string) => boolean, string]>> = {
    default_country: [isSupportedCountry, "a country's two-letter code, such as US"],
    timezone: [isTimezone, `a ${TIMEZONE}`],
    currency: [(text) => CURRENCIES.has(text), "a currency's three-letter code, such as USD"],
  };
  return Object.fromEntries(
    Object.entries(known).flatMap(([name, [isKnown, wanted]]) => {
      const value = settings[name];
      return typeof value !== "string" || isKnown(value) ? [] : [[name, wanted]];
    }),
  );
}

function refuseUnknown(settings: JsonObject): void {
  const [fault] = Object.entries(settingFaults(settings));
  if (fault === undefined) return;
  const [name, wanted] = fault;
  throw new AppError("conflict", { detail: `${name} must be ${wanted}` });
}

/** What such a name is called in a refusal. */
export const TIMEZONE = "time zone's name, such as Europe/Paris";
/** Area and place: an offset such as +02:00 has no summer, and CET means several things. */
const TIMEZONE_FORM = /^(?:UTC|[A-Za-z]+(?:\/[\w+-]+)+)$/;

/** Whether it names a time zone of the IANA database, by a present name or an earlier one, or UTC. */
export function isTimezone(text: string): boolean {
  if (!TIMEZONE_FORM.test(text)) return false;
  try {
    Intl.DateTimeFormat("en", { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/** The tenant of that name or id. */
export async function findTenant(db: Db, nameOrId: string): Promise<Tenant | undefined> {
  const [row] = await db<Tenant[]>`
    select id, name, default_country, timezone, currency, on_duplicate from tenants
     where name = ${nameOrId} or id::text = ${nameOrId}`;
  return row;
}

/** The person of that name, made where there is none; the first person of the tenant without a name. */
export async function findOrAddPerson(
  db: Db | Tx,
  { clock, makeId }: AccessDeps,
  tenantId: TenantId,
  name: string | undefined,
): Promise<Person> {
  const [found] = await db<Person[]>`
    select id, name from people
     where tenant_id = ${tenantId} and (${name ?? null}::text is null or name = ${name ?? null})
     order by id limit 1`;
  if (found !== undefined) return found;
  const person = { id: makeId(), name: name ?? OWNER_NAME };
  await db`
    insert into people (tenant_id, id, name, created_ts)
    values (${tenantId}, ${person.id}, ${person.name}, ${epochSeconds(clock)})`;
  return person;
}

/** The tenant's settings as they are told. */
export async function readTenant(db: Db | Tx, tenantId: TenantId): Promise<JsonObject> {
  const [row] = await db`
    select id, name, default_country, timezone, currency, on_duplicate, created_ts, updated_ts
      from tenants where id = ${tenantId}`;
  if (row === undefined) throw new AppError("not_found");
  return {
    ...row,
    created_date: isoSeconds(row["created_ts"] as number),
    updated_date: isoSeconds(row["updated_ts"] as number),
  };
}

/** Changes a tenant's settings; nothing is written where nothing differs. */
export async function patchTenant(
  scope: Scope,
  { clock, makeId }: AccessDeps,
  sent: JsonObject,
): Promise<JsonObject> {
  const { db, tenantId } = scope;
  try {
    await transaction(db, async (tx) => {
      const [stored] = await tx`
        select name, default_country, timezone, currency, on_duplicate from tenants
         where id = ${tenantId} for update`;
      const before = stored as JsonObject;
      const next = { ...before, ...sent };
      const fields = changedFields(before, next);
      if (Object.keys(fields).length === 0) return;
      const row = { ...next, updated_ts: epochSeconds(clock) };
      await tx`update tenants set ${tx(row as never)} where id = ${tenantId}`;
      await logChange({ ...scope, db: tx }, makeId, {
        subjectType: "tenant",
        subjectId: tenantId,
        action: "updated",
        fields,
      });
    });
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw new AppError("conflict", { detail: "There is already a tenant of this name" });
  }
  return readTenant(db, tenantId);
}
