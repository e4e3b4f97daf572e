/**
 * Partners of a tenant (D8.2): who they are, what they may do, and the access code they come with.
 * The code is kept as a hash only; `generation` ends what was issued under an earlier one.
 */

import { timingSafeEqual } from "node:crypto";
import sql, { empty } from "sql-template-tag";
import { drawSecret, hashOf, type Tenant } from "../access/index.ts";
import {
  changedFields,
  logChange,
  type ChangedFields,
  type Scope,
  type TenantId,
} from "../audit/index.ts";
import { epochSeconds, isoSeconds, type Clock } from "../platform/clock.ts";
import { run, transaction, type Db, type Tx } from "../platform/db.ts";
import { AppError } from "../platform/errors.ts";
import type { MakeId } from "../platform/ids.ts";
import type { JsonObject } from "../platform/json.ts";
import { PAGE_PARAMETERS, pageOf, sliceOf, type Page } from "../platform/paging.ts";
import type { Given, Parameters } from "../platform/parameters.ts";

/** What a partner may be allowed, beside pushing, which is `can_push` alone (D8.2). */
export const PARTNER_PERMISSIONS = {
  lookup: "Ask whether a person is known.",
  lookup_name: "Be told the name of a person who is known.",
  read_leads: "Read the leads of its allowed sources.",
  read_contacts: "Read the contacts of its allowed sources.",
  analytics: "Read what became of its leads, and what they earn.",
} as const;

export type PartnerPermission = keyof typeof PARTNER_PERMISSIONS;

export const PARTNER_STATUSES = ["active", "suspended"] as const;

/** What a tenant sets of a partner. */
export interface PartnerSettings {
  readonly name: string;
  readonly status: (typeof PARTNER_STATUSES)[number];
  readonly auto_accept: boolean;
  readonly can_push: boolean;
  /** The first is what a push without a source counts as. */
  readonly allowed_marketing_sources: readonly string[];
  readonly permissions: readonly PartnerPermission[];
  /** Percent, an exact decimal. */
  readonly commission_rate: string;
  /** Addresses and ranges from which it may call; empty is no restriction. */
  readonly ip_allow_list: readonly string[];
}

export interface Partner extends PartnerSettings {
  readonly id: string;
  /** Rises with every access code and every suspension. */
  readonly generation: number;
  readonly created_ts: number;
  readonly updated_ts: number;
}

export interface PartnerDeps {
  readonly clock: Clock;
  readonly makeId: MakeId;
}

/** A partner with the code that is told this once. */
export interface CodedPartner {
  readonly partner: Partner;
  readonly access_code: string;
}

const CODE_LENGTH = 40;
const MASK = "***";

/** The columns that make a Partner. */
export const PARTNER_COLUMNS = sql`
  p.id, p.name, p.status, p.auto_accept, p.can_push, p.allowed_marketing_sources, p.permissions,
  p.commission_rate, p.ip_allow_list, p.generation, p.created_ts, p.updated_ts`;

/** The tenant of a partner, as a Tenant. */
export const TENANT_COLUMN = sql`
  json_build_object('id', t.id, 'name', t.name, 'default_country', t.default_country,
                    'timezone', t.timezone, 'currency', t.currency) as tenant`;

/** Whether a code is the one of this hash; takes as long where it is not. */
export const isCodeOf = (code: string, hash: Buffer): boolean =>
  timingSafeEqual(hashOf(code), hash);

export const LIST_PARTNERS = {
  status: { kind: "choice", of: PARTNER_STATUSES, description: "Only partners of this status." },
  ...PAGE_PARAMETERS,
} as const satisfies Parameters;

export type PartnersQuery = Partial<Given<typeof LIST_PARTNERS>>;

/** A page of the tenant's partners, newest first. */
export async function listPartners(
  { db, tenantId }: Scope,
  query: PartnersQuery,
): Promise<Page<Partner>> {
  const slice = sliceOf(query);
  const { status } = query;
  const rows = await run(
    db,
    sql`select ${PARTNER_COLUMNS} from partners p
         where p.tenant_id = ${tenantId}
           ${status === undefined ? empty : sql`and p.status = ${status}`}
           ${slice.before === undefined ? empty : sql`and p.id < ${slice.before}`}
         order by p.id desc
         limit ${slice.limit} offset ${slice.offset}`,
  );
  return pageOf(rows as unknown as readonly Partner[], slice);
}

/** The partner of that id; undefined where the tenant has none. */
export async function findPartner(
  { db, tenantId }: Scope,
  id: string,
  { locked = false } = {},
): Promise<Partner | undefined> {
  const [row] = await run(
    db,
    sql`select ${PARTNER_COLUMNS} from partners p
         where p.tenant_id = ${tenantId} and p.id = ${id} ${locked ? sql`for update` : empty}`,
  );
  return row as unknown as Partner | undefined;
}

/** A partner with its tenant, as a token names them; undefined where there is no such partner. */
export async function readPartnerOf(
  db: Db,
  tenantId: TenantId,
  id: string,
): Promise<{ readonly partner: Partner; readonly tenant: Tenant } | undefined> {
  const [row] = await run(
    db,
    sql`select ${PARTNER_COLUMNS}, ${TENANT_COLUMN}
          from partners p join tenants t on t.id = p.tenant_id
         where p.tenant_id = ${tenantId} and p.id = ${id}`,
  );
  if (row === undefined) return undefined;
  const { tenant, ...partner } = row as unknown as Partner & { readonly tenant: Tenant };
  return { partner, tenant };
}

/** Makes a partner and its first code. */
export async function createPartner(
  scope: Scope<Db>,
  { clock, makeId }: PartnerDeps,
  settings: PartnerSettings,
): Promise<CodedPartner> {
  const { tenantId } = scope;
  const id = makeId();
  const access_code = drawSecret(CODE_LENGTH);
  const now_s = epochSeconds(clock);
  await transaction(scope.db, async (tx) => {
    const row = { tenant_id: tenantId, id, ...settings, access_code_hash: hashOf(access_code) };
    const stamps = { generation: 1, created_ts: now_s, updated_ts: now_s };
    await tx`insert into partners ${tx({ ...row, ...stamps } as never)}`;
    const fields = changedFields({}, { ...loggedOf(settings), access_code: MASK });
    await logPartner({ ...scope, db: tx }, makeId, id, "created", fields);
  });
  const partner = { ...settings, id, generation: 1, created_ts: now_s, updated_ts: now_s };
  return { partner, access_code };
}

/**
 * Changes a partner; nothing is written where nothing differs. A suspension ends every token for good:
 * none is valid again when the partner is. Throws 404.
 */
export async function patchPartner(
  scope: Scope<Db>,
  { clock, makeId }: PartnerDeps,
  id: string,
  sent: Partial<PartnerSettings>,
): Promise<Partner> {
  return transaction(scope.db, async (tx) => {
    const within = { ...scope, db: tx };
    const before = await lockPartner(within, id);
    const next = { ...before, ...sent };
    const fields = changedFields(loggedOf(before), loggedOf(next));
    if (Object.keys(fields).length === 0) return before;
    const suspended = before.status === "active" && next.status === "suspended";
    const generation = before.generation + (suspended ? 1 : 0);
    const stamps = { generation, updated_ts: epochSeconds(clock) };
    const row = { ...sent, ...stamps };
    await tx`
      update partners set ${tx(row as never)} where tenant_id = ${scope.tenantId} and id = ${id}`;
    await logPartner(within, makeId, id, "updated", fields);
    return { ...next, ...stamps };
  });
}

/** Gives a partner a new code, which ends the old one and every token. Throws 404. */
export async function reissueCode(
  scope: Scope<Db>,
  { clock, makeId }: PartnerDeps,
  id: string,
): Promise<CodedPartner> {
  const access_code = drawSecret(CODE_LENGTH);
  return transaction(scope.db, async (tx) => {
    const within = { ...scope, db: tx };
    const before = await lockPartner(within, id);
    const stamps = { generation: before.generation + 1, updated_ts: epochSeconds(clock) };
    const row = { ...stamps, access_code_hash: hashOf(access_code) };
    await tx`update partners set ${tx(row)} where tenant_id = ${scope.tenantId} and id = ${id}`;
    await logPartner(within, makeId, id, "reissued", { access_code: [MASK, MASK] });
    return { partner: { ...before, ...stamps }, access_code };
  });
}

async function lockPartner(scope: Scope, id: string): Promise<Partner> {
  const partner = await findPartner(scope, id, { locked: true });
  if (partner === undefined) throw new AppError("not_found");
  return partner;
}

const logPartner = (
  scope: Scope<Tx>,
  makeId: MakeId,
  subjectId: string,
  action: string,
  fields: ChangedFields,
): Promise<void> => logChange(scope, makeId, { subjectType: "partner", subjectId, action, fields });

/** The settings as they are told and logged: the rate as a number. */
const loggedOf = ({
  name,
  status,
  auto_accept,
  can_push,
  allowed_marketing_sources,
  permissions,
  commission_rate,
  ip_allow_list,
}: PartnerSettings): JsonObject => ({
  name,
  status,
  auto_accept,
  can_push,
  allowed_marketing_sources,
  permissions,
  commission_rate: Number(commission_rate),
  ip_allow_list,
});

/** A partner as its tenant is told of it. */
export const toldPartner = ({ id, created_ts, updated_ts, ...settings }: Partner): JsonObject => ({
  id,
  partner_id: id,
  ...loggedOf(settings),
  created_ts,
  created_date: isoSeconds(created_ts),
  updated_ts,
  updated_date: isoSeconds(updated_ts),
});
