/** Partners, as the tenant sets them up (D8.2, D9.3). An access code is kept as a hash only. */

import sql from "sql-template-tag";
import { drawSecret, hashOf } from "../../access/index.ts";
import { type ChangedFields, changedFields, logChange, type Scope } from "../../audit/index.ts";
import { type Clock, epochSeconds, isoSeconds, type MakeId } from "../../platform/clock/index.ts";
import {
  assigned,
  columns,
  type Db,
  inserted,
  run,
  transaction,
  type Tx,
} from "../../platform/database/index.ts";
import { AppError } from "../../platform/errors/index.ts";
import { givenIn, type JsonObject } from "../../platform/json/index.ts";
import { pageOf, sliceOf, type Page, type PageQuery } from "../../platform/validation/index.ts";

/** What a partner may do beside pushing, which is `can_push` alone (D8.2). */
export const PARTNER_PERMISSIONS = {
  lookup: "Ask whether a person is known.",
  lookup_name: "See the name of a person who is known.",
  read_leads: "List the tenant's leads of the allowed sources.",
  read_contacts: "List the tenant's contacts of the allowed sources.",
  analytics: "See counts and earnings.",
} as const;

export type PartnerPermission = keyof typeof PARTNER_PERMISSIONS;
export const PARTNER_STATUSES = ["active", "suspended"] as const;

/** What the tenant decides of a partner. */
export interface PartnerSettings {
  readonly name: string;
  readonly status: (typeof PARTNER_STATUSES)[number];
  readonly auto_accept: boolean;
  readonly can_push: boolean;
  readonly allowed_marketing_sources: readonly string[];
  readonly permissions: readonly PartnerPermission[];
  /** Percent, 0 to 100: a number in bodies, an exact decimal text as it is stored. */
  readonly commission_rate: number | string;
  readonly ip_allow_list: readonly string[];
  /** Requests a minute; null is the installation's limit, 0 is none. */
  readonly rate_limit: number | null;
  /** Requests in progress at once in a process; null is the installation's limit, 0 is none. */
  readonly concurrency_limit: number | null;
}

export interface Partner extends PartnerSettings {
  readonly id: string;
  /** Rises with each access code and each suspension; tokens of an earlier one are worth nothing. */
  readonly generation: number;
  readonly created_ts: number;
  readonly updated_ts: number;
}

export interface PartnerDeps {
  readonly clock: Clock;
  readonly makeId: MakeId;
}

const CODE_LENGTH = 40;

/** What a partner has where the tenant did not say. */
const DEFAULTS: Omit<PartnerSettings, "name"> = {
  status: "active",
  auto_accept: false,
  can_push: true,
  allowed_marketing_sources: [],
  permissions: Object.keys(PARTNER_PERMISSIONS) as PartnerPermission[],
  commission_rate: 0,
  ip_allow_list: [],
  rate_limit: null,
  concurrency_limit: null,
};

const SETTINGS = ["name", ...(Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[])] as const;

/** What a Partner is read from. */
export const PARTNER_COLUMNS = [
  "id",
  ...SETTINGS,
  "generation",
  "created_ts",
  "updated_ts",
] as const;

/** As the tenant is told: the id under both of its names, never the code. */
export const toldPartner = (partner: Partner): JsonObject => ({
  id: partner.id,
  partner_id: partner.id,
  ...loggedSettings(partner),
  created_ts: partner.created_ts,
  created_date: isoSeconds(partner.created_ts),
  updated_ts: partner.updated_ts,
  updated_date: isoSeconds(partner.updated_ts),
});

/** The settings alone, with numbers as numbers: what is told, and what the audit tells of a change. */
const loggedSettings = (partner: PartnerSettings): JsonObject => ({
  ...settingsOf(partner),
  commission_rate: Number(partner.commission_rate),
});

/** The settings of which null is a value: the installation's limit again. */
export const PARTNER_LIMITS = ["rate_limit", "concurrency_limit"] as const;

const limitsIn = (sent: JsonObject): JsonObject =>
  Object.fromEntries(
    PARTNER_LIMITS.filter((name) => sent[name] !== undefined).map((name) => [
      name,
      sent[name] ?? null,
    ]),
  );

const settingsOf = (partner: PartnerSettings): PartnerSettings =>
  Object.fromEntries(SETTINGS.map((name) => [name, partner[name]])) as unknown as PartnerSettings;

/** Makes a partner; the answer is the only place where its access code ever stands (D8.2). */
export async function createPartner(
  scope: Scope,
  { clock, makeId }: PartnerDeps,
  sent: JsonObject,
): Promise<JsonObject> {
  const now_s = epochSeconds(clock);
  const access_code = drawSecret(CODE_LENGTH);
  const settings = { ...DEFAULTS, ...givenIn(sent) } as PartnerSettings;
  const row = { id: makeId(), ...settings, generation: 1, created_ts: now_s, updated_ts: now_s };
  await transaction(scope.db, async (tx) => {
    const { tenantId } = scope;
    const stored = { tenant_id: tenantId, ...row, access_code_hash: hashOf(access_code) };
    await run(tx)`insert into partners ${inserted(stored)}`;
    const fields = changedFields({}, loggedSettings(settings));
    await log({ ...scope, db: tx }, makeId, row.id, { action: "created", fields });
  });
  return { ...toldPartner(row), access_code };
}

const log = (
  scope: Scope<Tx>,
  makeId: MakeId,
  id: string,
  change: { readonly action: string; readonly fields: ChangedFields },
): Promise<void> => logChange(scope, makeId, { subjectType: "partner", subjectId: id, ...change });

/** A page of partners, newest first. */
export async function listPartners(
  { db, tenantId }: Scope<Db>,
  query: PageQuery & { readonly status?: string },
): Promise<Page<Partner>> {
  const slice = sliceOf(query);
  const { before, limit, offset } = slice;
  const { status } = query;
  const rows = await run<Partner[]>(db)`
    select ${columns(PARTNER_COLUMNS)} from partners
     where tenant_id = ${tenantId}
       ${status === undefined ? sql`` : sql`and status = ${status}`}
       ${before === undefined ? sql`` : sql`and id < ${before}`}
     order by id desc limit ${limit} offset ${offset}`;
  return pageOf(rows, slice);
}

/** The partner of that id; undefined where the tenant has none. */
export async function findPartner(
  { db, tenantId }: Scope,
  id: string,
): Promise<Partner | undefined> {
  const [row] = await run<Partner[]>(db)`
    select ${columns(PARTNER_COLUMNS)} from partners where tenant_id = ${tenantId} and id = ${id}`;
  return row;
}

async function lockPartner(scope: Scope<Tx>, id: string): Promise<Partner> {
  const { db, tenantId } = scope;
  await run(db)`select from partners where tenant_id = ${tenantId} and id = ${id} for update`;
  const partner = await findPartner(scope, id);
  if (partner === undefined) throw new AppError("not_found");
  return partner;
}

/** Changes a partner; nothing is written where nothing differs. A suspension ends its tokens. */
export const patchPartner = (
  scope: Scope,
  { clock, makeId }: PartnerDeps,
  id: string,
  sent: JsonObject,
): Promise<Partner> =>
  transaction(scope.db, async (tx) => {
    const within = { ...scope, db: tx };
    const partner = await lockPartner(within, id);
    const before = loggedSettings(partner);
    const next = { ...partner, ...givenIn(sent), ...limitsIn(sent) };
    const fields = changedFields(before, loggedSettings(next));
    if (Object.keys(fields).length === 0) return partner;
    const isSuspended = partner.status === "active" && next.status === "suspended";
    const changed = {
      ...settingsOf(next),
      generation: partner.generation + (isSuspended ? 1 : 0),
      updated_ts: epochSeconds(clock),
    };
    await run(tx)`
      update partners set ${assigned(changed)}
       where tenant_id = ${scope.tenantId} and id = ${id}`;
    await log(within, makeId, id, { action: "updated", fields });
    return { ...partner, ...changed };
  });

/** Gives a partner another access code, shown this once, and ends the tokens of the old one. */
export const reissueCode = (
  scope: Scope,
  { clock, makeId }: PartnerDeps,
  id: string,
): Promise<JsonObject> =>
  transaction(scope.db, async (tx) => {
    const within = { ...scope, db: tx };
    const partner = await lockPartner(within, id);
    const access_code = drawSecret(CODE_LENGTH);
    const generation = partner.generation + 1;
    const updated_ts = epochSeconds(clock);
    await run(tx)`
      update partners
         set access_code_hash = ${hashOf(access_code)}, generation = ${generation},
             updated_ts = ${updated_ts}
       where tenant_id = ${scope.tenantId} and id = ${id}`;
    await log(within, makeId, id, { action: "code_reissued", fields: {} });
    return { ...toldPartner({ ...partner, generation, updated_ts }), access_code };
  });
