/** Reads everything that is stored about a person's records, for the report. */

import sql, { raw } from "sql-template-tag";
import type { Scope } from "../../audit/index.ts";
import { type Db, run } from "../../platform/database/index.ts";
import type { JsonObject } from "../../platform/json/index.ts";
import { type RecordName, typesOf } from "../../records/types/index.ts";
import { deliveriesAbout } from "./deliveries-about.ts";
import { type FoundRecord, PUSHED_LEAD, REJECTED_ROW, rejectedPlace } from "./found-records.ts";
import { scanRows } from "./scan.ts";
import { type Matcher } from "./terms.ts";

export type Rows = readonly JsonObject[];

/** The stored data by section of the report. */
export interface StoredData {
  readonly records: readonly { readonly type: RecordName; readonly record: JsonObject }[];
  readonly pushed_leads: Rows;
  readonly merged_copies: Rows;
  readonly history: Rows;
  readonly deliveries: Rows;
  readonly rejected_rows: Rows;
  readonly stored_responses: Rows;
  readonly attributions: Rows;
}

/** The maximum number of rows per section. `is_complete` shows whether any were left out. */
export const SECTION_MAX = 10_000;

/**
 * Reads the report's data. Documents that only refer to the person are listed in the report, but without their
 * contents.
 */
export async function readStored(
  scope: Scope<Db>,
  found: readonly FoundRecord[],
  matcher: Matcher,
): Promise<StoredData> {
  const { db, tenantId } = scope;
  const own = found.filter(({ effect }) => effect !== "unlink");
  const ids = own.map(({ id }) => id);
  const idsOf = (type: string): readonly string[] =>
    own.flatMap((record) => (record.type === type ? [record.id] : []));
  const records: { type: RecordName; record: JsonObject }[] = [];
  for (const { name: type, table } of Object.values(typesOf(scope))) {
    if (idsOf(type).length === 0) continue;
    const rows = await run<{ record: JsonObject }[]>(db)`
      select body as record from ${raw(table)}
       where tenant_id = ${tenantId} and id = any(${idsOf(type)}::text[]) order by id`;
    records.push(...rows.map(({ record }) => ({ type, record })));
  }
  const pushed_leads = await run<JsonObject[]>(db)`
    select id, partner_id, name, email, phone, source, status, match_preferences, comments, description,
           rejection_reason, submitted_ts, imported_lead_id
      from pushed_leads
     where tenant_id = ${tenantId} and erased_ts is null and id = any(${idsOf(PUSHED_LEAD)}::text[])
     order by id`;
  const merged_copies = await run<JsonObject[]>(db)`
    select type, old_id as id, into_id as merged_into, body as record from merged_records
     where tenant_id = ${tenantId} and body is not null
       and (old_id = any(${ids}::text[]) or into_id = any(${ids}::text[]))
     order by type, old_id limit ${SECTION_MAX}`;
  const history = await run<JsonObject[]>(db)`
    select id, at, subject_type, subject_id, action, actor_name as actor, fields from changes
     where tenant_id = ${tenantId} and subject_id = any(${ids}::text[])
     order by id limit ${SECTION_MAX}`;
  return {
    records,
    pushed_leads: [...pushed_leads],
    merged_copies: [...merged_copies],
    history: [...history],
    deliveries: await readDeliveries(scope, ids),
    rejected_rows: await readRejected(scope, idsOf(REJECTED_ROW)),
    stored_responses: await readResponses(scope, ids, matcher),
    attributions: await readAttributions(scope, idsOf("lead"), idsOf(PUSHED_LEAD)),
  };
}

const readDeliveries = async ({ db, tenantId }: Scope<Db>, ids: readonly string[]): Promise<Rows> =>
  run<JsonObject[]>(db)`
    with about as materialized (${deliveriesAbout(tenantId, ids)} order by 1 limit ${SECTION_MAX})
    select d.id, d.topic, coalesce(d.event, d.topic) as event, d.record_id, d.status, d.url, d.created_ts,
           (select json_agg(json_build_object('at', a.at, 'status', a.status, 'response', a.answer,
                              'request_body', encode(a.request_body, 'escape')) order by a.id)
              from delivery_attempts a
             where a.tenant_id = d.tenant_id and a.delivery_id = d.id) as attempts
      from about
      join deliveries d on d.tenant_id = ${tenantId} and d.id = about.id
     order by d.id`;

const readRejected = async ({ db, tenantId }: Scope<Db>, ids: readonly string[]): Promise<Rows> => {
  if (ids.length === 0) return [];
  const places = ids.map(rejectedPlace);
  return run<JsonObject[]>(db)`
    select r.import_id, r.line::float8 as line, r.reason, r.raw from import_rejects r
      join unnest(${places.map(({ importId }) => importId)}::text[],
                  ${places.map(({ line }) => line)}::bigint[]) as given(import_id, line)
        on r.import_id = given.import_id and r.line = given.line
     where r.tenant_id = ${tenantId} order by 1, 2`;
};

async function readResponses(
  scope: Scope<Db>,
  ids: readonly string[],
  matcher: Matcher,
): Promise<Rows> {
  const body = "(case when is_sealed then '' else convert_from(body, 'UTF8') end)";
  const mayMention = matcher.mayMention(body) ?? sql`false`;
  const rows = scanRows<{ key: string; created_ts: number; status: number; response: string }>(
    scope,
    {
      table: "idempotency_keys",
      key: ["credential", "key"],
      selected: sql`key, created_ts, status, ${raw(body)} as response`,
      where: sql`
      not is_sealed and status <> 404
      and (${mayMention}
           or exists (select from unnest(${ids}::text[]) id where position(id in ${raw(body)}) > 0))`,
    },
  );
  const found: JsonObject[] = [];
  for await (const row of rows) {
    const isPersons =
      ids.some((id) => row.response.includes(id)) || matcher.kindsIn(row.response).size > 0;
    if (isPersons && found.length < SECTION_MAX) found.push({ ...row });
  }
  return found;
}

const readAttributions = async (
  { db, tenantId }: Scope<Db>,
  leads: readonly string[],
  pushed: readonly string[],
): Promise<Rows> =>
  run<JsonObject[]>(db)`
    select person_key, partner_id, pushed_lead_id, lead_id from attributions
     where tenant_id = ${tenantId}
       and (lead_id = any(${leads}::text[]) or pushed_lead_id = any(${pushed}::text[]))
     order by 1`;
