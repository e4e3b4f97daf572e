/** Stores partners. Only a hash of the access code is stored. */

import sql, { join, raw } from "sql-template-tag";
import { drawSecret, hashOf } from "../../access/index.ts";
import { type ChangedFields, changedFields, logChange, type Scope } from "../../audit/index.ts";
import { type Clock, epochSeconds } from "../../platform/clock/index.ts";
import type { MakeId } from "../../platform/ids/index.ts";
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
import { givenIn, pick } from "../../platform/json/index.ts";
import { pageOf, sliceOf, type Page, type PageQuery } from "../../platform/paging/index.ts";
import { withDates } from "../../platform/schemas/index.ts";
import {
  LIMIT_NAMES,
  type Partner,
  PARTNER_DEFAULTS,
  type PartnerSettings,
  type SentPartner,
  type SentPartnerUpdate,
  SETTING_NAMES,
} from "./partner-bodies.ts";

export interface PartnerDeps {
  readonly clock: Clock;
  readonly makeId: MakeId;
}

const CODE_LENGTH = 40;

/** The columns of a Partner. `p` is the table of partners. The commission rate is stored as an exact decimal. */
export const PARTNER_COLUMNS = join(
  ["id", ...SETTING_NAMES, "generation", "created_ts", "updated_ts"].map((name) =>
    name === "commission_rate"
      ? raw("p.commission_rate::double precision as commission_rate")
      : columns([`p.${name}`]),
  ),
);

const settingsOf = (partner: PartnerSettings): PartnerSettings => pick(partner, SETTING_NAMES);

/** Returns a partner for responses to the tenant, with its id under both names and without its access code. */
export const shownPartner = (partner: Partner) =>
  withDates({
    id: partner.id,
    partner_id: partner.id,
    ...settingsOf(partner),
    ...pick(partner, ["created_ts", "updated_ts"]),
  });

/** Creates a partner. Its access code appears only in this response. */
export async function createPartner(
  scope: Scope,
  { clock, makeId }: PartnerDeps,
  sent: SentPartner,
) {
  const now_s = epochSeconds(clock);
  const access_code = drawSecret(CODE_LENGTH);
  const settings = { ...PARTNER_DEFAULTS, ...givenIn(sent) };
  const row = { id: makeId(), ...settings, generation: 1, created_ts: now_s, updated_ts: now_s };
  await transaction(scope.db, async (tx) => {
    const { tenantId } = scope;
    const stored = { tenant_id: tenantId, ...row, access_code_hash: hashOf(access_code) };
    await run(tx)`insert into partners ${inserted(stored)}`;
    const fields = changedFields({}, settings);
    await log({ ...scope, db: tx }, makeId, row.id, { action: "created", fields });
  });
  return { ...shownPartner(row), access_code };
}

const log = (
  scope: Scope<Tx>,
  makeId: MakeId,
  id: string,
  change: { readonly action: string; readonly fields: ChangedFields },
): Promise<void> => logChange(scope, makeId, { subjectType: "partner", subjectId: id, ...change });

/** Returns a page of partners, newest first. */
export async function listPartners(
  { db, tenantId }: Scope<Db>,
  query: PageQuery & { readonly status?: Partner["status"] | undefined },
): Promise<Page<Partner>> {
  const slice = sliceOf(query);
  const { before, limit, offset } = slice;
  const { status } = query;
  const rows = await run<Partner[]>(db)`
    select ${PARTNER_COLUMNS} from partners p
     where tenant_id = ${tenantId}
       ${status === undefined ? sql`` : sql`and status = ${status}`}
       ${before === undefined ? sql`` : sql`and id < ${before}`}
     order by id desc limit ${limit} offset ${offset}`;
  return pageOf(rows, slice);
}

/** Returns the partner with this id, or undefined if the tenant has none. */
export async function findPartner(
  { db, tenantId }: Scope,
  id: string,
): Promise<Partner | undefined> {
  const [row] = await run<Partner[]>(db)`
    select ${PARTNER_COLUMNS} from partners p where tenant_id = ${tenantId} and id = ${id}`;
  return row;
}

async function lockPartner(scope: Scope<Tx>, id: string): Promise<Partner> {
  const { db, tenantId } = scope;
  await run(db)`select from partners where tenant_id = ${tenantId} and id = ${id} for update`;
  const partner = await findPartner(scope, id);
  if (partner === undefined) throw new AppError("not_found");
  return partner;
}

/** Returns partners' names by id. */
export async function partnerNames(
  { db, tenantId }: Scope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await run<{ id: string; name: string }[]>(db)`
    select id, name from partners where tenant_id = ${tenantId} and id = any(${ids}::text[])`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Updates a partner if any setting differs. Suspending a partner invalidates its tokens. */
export const patchPartner = (
  scope: Scope,
  { clock, makeId }: PartnerDeps,
  id: string,
  sent: SentPartnerUpdate,
): Promise<Partner> =>
  transaction(scope.db, async (tx) => {
    const within = { ...scope, db: tx };
    const partner = await lockPartner(within, id);
    const before = settingsOf(partner);
    const after = { ...before, ...givenIn(sent), ...pick(sent, LIMIT_NAMES) };
    const fields = changedFields(before, after);
    if (Object.keys(fields).length === 0) return partner;
    const isSuspended = partner.status === "active" && after.status === "suspended";
    const changed = {
      ...after,
      generation: partner.generation + (isSuspended ? 1 : 0),
      updated_ts: epochSeconds(clock),
    };
    await run(tx)`
      update partners set ${assigned(changed)}
       where tenant_id = ${scope.tenantId} and id = ${id}`;
    await log(within, makeId, id, { action: "updated", fields });
    return { ...partner, ...changed };
  });

/** Issues a new access code, which appears only in this response, and invalidates the tokens of the old one. */
export const reissueCode = (scope: Scope, { clock, makeId }: PartnerDeps, id: string) =>
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
    return { ...shownPartner({ ...partner, generation, updated_ts }), access_code };
  });
