/**
 * Applies an erasure log to a restored database. Repeats what happened after the backup was taken: erasures,
 * revocations of credentials, and suspensions and deletions of tenants.
 */

import sql, { raw, type Sql } from "sql-template-tag";
import { GRACE_s } from "../tenants/index.ts";
import { SERVICE, type Scope, type TenantId } from "../audit/index.ts";
import { type Clock, epochSeconds } from "../platform/clock/index.ts";
import { type Db, run, transaction } from "../platform/database/index.ts";
import type { JsonObject } from "../platform/json/index.ts";
import type { Sealer } from "../platform/secrets/index.ts";
import { emailKey } from "../records/contact-details/index.ts";
import { TYPE_FACTS } from "../records/types/index.ts";
import type { WriteDeps } from "../records/store/index.ts";
import { digestsOf, storeBlocked } from "./blocked-persons.ts";
import { addCounts } from "./clear-records.ts";
import { stepsOf } from "./erasures.ts";
import type { Logged, LoggedErasure, LoggedRevocation } from "./erasure-log.ts";
import { joinTerms, PUSHED_LEAD, REJECTED_ROW, type Terms, termsIn } from "./person/index.ts";
import { type Counts, mergedInto, removeChosen } from "./plan.ts";
import { readPrivacy } from "./privacy-settings.ts";
import { refreshStatistics } from "./statistics.ts";

/** The number of log entries that caused a change. */
export interface Applied {
  readonly persons: number;
  readonly revocations: number;
}

/**
 * The maximum expected clock difference between two machines. Repeating a change that the backup already contains is
 * harmless.
 */
const MARGIN_ms = 300_000;

/**
 * Applies the entries of an erasure log to a restored database, in order: all erasures that the database does not
 * contain, and all revocations since the point in time to which the database was restored.
 */
export async function applyErasureLog(
  db: Db,
  deps: WriteDeps,
  entries: readonly Logged[],
  restoredTo: Date,
): Promise<Applied> {
  let persons = 0;
  let revocations = 0;
  const since_ms = restoredTo.getTime() - MARGIN_ms;
  for (const entry of entries) {
    const [tenant] = await run(db)`select from tenants where id = ${entry.tenant_id}`;
    if (tenant === undefined) continue;
    if (entry.kind === "person_erased") {
      if (await eraseAgain(db, deps, entry)) persons += 1;
    } else if (Date.parse(entry.at) >= since_ms && (await revokeAgain(db, deps.clock, entry)))
      revocations += 1;
  }
  return { persons, revocations };
}

/**
 * Repeats a revocation, suspension or deletion. Returns false if nothing changed. A deleted tenant gets a new grace
 * period, because the backup may have been restored to recover this tenant.
 */
async function revokeAgain(db: Db, clock: Clock, entry: LoggedRevocation): Promise<boolean> {
  const { tenant_id, id, kind, code_hash = "" } = entry;
  const now_s = epochSeconds(clock);
  const setTenant = (column: Sql, since_s: number | null) => run(db)`
    update tenants set ${column} = ${since_s}::bigint
     where id = ${tenant_id} and (${column} is null) <> ${since_s === null}`;
  const setPartner = (status: string) => run(db)`
    update partners set status = ${status}, generation = generation + 1
     where tenant_id = ${tenant_id} and id = ${id} and status <> ${status}`;
  const setUser = (isSuspended: boolean) => run(db)`
    update people set is_suspended = ${isSuspended}
     where tenant_id = ${tenant_id} and id = ${id} and is_suspended <> ${isSuspended}`;
  const apply = {
    token_revoked: () =>
      run(db)`delete from access_tokens where tenant_id = ${tenant_id} and id = ${id}`,
    user_suspended: () => setUser(true),
    user_activated: () => setUser(false),
    partner_suspended: () => setPartner("suspended"),
    partner_activated: () => setPartner("active"),
    code_reissued: () => run(db)`
      update partners set access_code_hash = decode(${code_hash}, 'hex'), generation = generation + 1
       where tenant_id = ${tenant_id} and id = ${id} and ${code_hash} <> ''
         and access_code_hash <> decode(${code_hash}, 'hex')`,
    tenant_suspended: () => setTenant(sql`suspended_ts`, now_s),
    tenant_resumed: () => setTenant(sql`suspended_ts`, null),
    tenant_deleted: () => setTenant(sql`delete_after_ts`, now_s + GRACE_s),
    tenant_restored: () => setTenant(sql`delete_after_ts`, null),
  };
  const { count } = await apply[kind]();
  return count > 0;
}

/** Repeats an erasure unless the database already contains it. Returns whether anything was erased. */
async function eraseAgain(db: Db, deps: WriteDeps, entry: LoggedErasure): Promise<boolean> {
  const { erasure_id: id, records } = entry;
  const tenantId = entry.tenant_id as TenantId;
  const scope: Scope<Db> = { db, tenantId, actor: SERVICE };
  const [known] = await run(db)`
    select from person_erasures where tenant_id = ${tenantId} and id = ${id} and finished_ts is not null`;
  if (known !== undefined) return false;
  const { searched, names } = await termsAgain(scope, deps.sealer, entry);
  const removed = records.filter(({ effect }) => effect === "erase");
  const { plan, counts } = await transaction(db, async (tx) => {
    const within = { ...scope, db: tx };
    const copies = await mergedInto(within, removed);
    const all = joinTerms(searched, names, ...copies.map(({ body }) => termsIn(body)));
    const old = copies.map(({ type, id: oldId }) => ({
      type,
      id: oldId,
      effect: "erase" as const,
    }));
    return {
      plan: { records: [...records, ...old], searched, known: all },
      counts: await removeChosen(within, deps, removed),
    };
  });
  let sum: Counts = counts;
  for (const step of stepsOf(deps)) sum = addCounts(sum, await step(scope, plan));
  await refreshStatistics(scope, plan.known);
  const now_s = epochSeconds(deps.clock);
  if ((await readPrivacy(scope)).block_erased) {
    const digests = entry.digests.map((digest) => Buffer.from(digest, "hex"));
    await storeBlocked(scope, digests, now_s);
  }
  const result = { counts: sum, recipients: [], legal_holds: [] };
  await run(db)`
    insert into person_erasures (tenant_id, id, report_id, records, result, actor_kind, actor_id, actor_name,
                                 lease_until_ms, created_ts, finished_ts)
    values (${tenantId}, ${id}, '', ${JSON.stringify(records)}::text::json,
            ${JSON.stringify(result)}::text::json, ${SERVICE.kind}, ${SERVICE.id}, ${SERVICE.name}, 0,
            ${Math.floor(Date.parse(entry.at) / 1000)}::bigint, ${now_s}::bigint)
        on conflict (tenant_id, id) do update
       set finished_ts = excluded.finished_ts, sealed = null, result = excluded.result`;
  return Object.values(sum).some((rows) => rows > 0);
}

/**
 * Matches likely email addresses and phone numbers in a record's history. An address starts only at the start of a word.
 * Otherwise, searching a long word would take quadratic time.
 */
const ADDRESSES = /(?<![^\s"',;:<>()[\]])[^\s"',;:<>()[\]]+@[^\s"',;:<>()[\]]+|"\d{7,15}"/g;

/**
 * Recovers the terms that identify the person. The log contains only digests of the addresses and numbers that were
 * searched for. They are compared with digests of the addresses and numbers in the erased records and their history.
 * The names come from the removed records.
 */
async function termsAgain(
  { db, tenantId }: Scope<Db>,
  sealer: Sealer,
  { records, digests }: LoggedErasure,
): Promise<{ readonly searched: Terms; readonly names: Terms }> {
  const found: Terms[] = [];
  const own: Terms[] = [];
  for (const [type, some] of Map.groupBy(records, (record) => record.type)) {
    if (type === REJECTED_ROW) continue;
    const ids = some.map(({ id }) => id);
    const rows =
      type === PUSHED_LEAD
        ? await run<{ id: string; body: JsonObject }[]>(db)`
            select id, json_build_object('name', name, 'email_key', email_key, 'phone_key', phone_key) as body
              from pushed_leads where tenant_id = ${tenantId} and id = any(${ids}::text[])`
        : await run<{ id: string; body: JsonObject }[]>(db)`
            select id, body from ${raw(TYPE_FACTS[type].table)}
             where tenant_id = ${tenantId} and id = any(${ids}::text[])`;
    for (const { id, body } of rows) {
      const terms = termsIn(body);
      found.push(terms);
      if (some.some((record) => record.id === id && record.effect === "erase")) own.push(terms);
    }
  }
  const ids = records.map(({ id }) => id);
  const history = await run<{ fields: string }[]>(db)`
    select fields::text as fields from changes
     where tenant_id = ${tenantId} and subject_id = any(${ids}::text[])`;
  for (const { fields } of history) {
    const texts = fields.match(ADDRESSES) ?? [];
    const emails = texts.filter((text) => text.includes("@")).map(emailKey);
    const phones = texts.filter((text) => !text.includes("@")).map((text) => text.slice(1, -1));
    found.push({ emails, phones, names: [] });
  }
  const logged = new Set(digests);
  const { emails, phones } = joinTerms(...found);
  const isLogged = (terms: Pick<Terms, "emails" | "phones">): boolean =>
    digestsOf(sealer, tenantId, terms).some((digest) => logged.has(digest.toString("hex")));
  const searched = {
    emails: emails.filter((email) => isLogged({ emails: [email], phones: [] })),
    phones: phones.filter((phone) => isLogged({ emails: [], phones: [phone] })),
    names: [],
  };
  return { searched, names: joinTerms(...own) };
}
