/**
 * The erasure steps that remove data about the removed records from other places: history, merges, deliveries, stored
 * responses, imports and attributions. Repeating a step is harmless.
 */

import sql, { raw, type Sql } from "sql-template-tag";
import type { Scope } from "../audit/index.ts";
import { clearContents } from "../delivery/index.ts";
import type { Clock } from "../platform/clock/index.ts";
import { run, transaction, type Tx } from "../platform/database/index.ts";
import { isObject, type Json } from "../platform/json/index.ts";
import { keyTexts } from "../records/contact-details/index.ts";
import { RECORD_NAMES, type RecordName } from "../records/types/index.ts";
import type { Counts, Plan } from "./plan.ts";
import { deliveriesAbout, matcherOf, PUSHED_LEAD, scanRows } from "./person/index.ts";

export type Step = (scope: Scope, plan: Plan) => Promise<Counts>;

/** The maximum number of rows per statement. */
const AT_ONCE = 500;

export const erasedIds = ({ records }: Plan): readonly string[] =>
  records.flatMap(({ effect, id }) => (effect === "erase" ? [id] : []));

/** Keeps the names of an entry's fields and replaces the values with null. */
const BLANK = raw(
  "coalesce((select json_object_agg(key, '[null,null]'::json) from json_each(fields)), '{}')",
);
const HAS_VALUES = raw(
  "exists (select from json_each(fields) f where f.value::text <> '[null,null]')",
);

/**
 * Removes the values from records' history. The entries keep their ids, times and field names. Returns the number of
 * entries that had values.
 */
export async function emptyHistory(
  { db, tenantId }: Scope,
  ids: readonly string[],
): Promise<number> {
  const entries = await run<{ id: string }[]>(db)`
    select id from changes
     where tenant_id = ${tenantId} and subject_id = any(${ids}::text[]) and ${HAS_VALUES}`;
  let emptied = 0;
  for (let at = 0; at < entries.length; at += AT_ONCE) {
    const some = entries.slice(at, at + AT_ONCE).map(({ id }) => id);
    const { count } = await run(db)`
      update changes set fields = ${BLANK}
       where tenant_id = ${tenantId} and id = any(${some}::text[]) and ${HAS_VALUES}`;
    emptied += count;
  }
  return emptied;
}

export const blankHistory: Step = async (scope, plan) => ({
  changes: await emptyHistory(scope, erasedIds(plan)),
});

/** Prevents merges of removed records from being undone. The old ids remain stored, but no longer lead to a record. */
export const eraseMerges: Step = async ({ db, tenantId }, { records }) => {
  let copies = 0;
  let merges = 0;
  for (const type of RECORD_NAMES) {
    const ids = records.flatMap((one) =>
      one.type === type && one.effect !== "review" ? [one.id] : [],
    );
    if (ids.length === 0) continue;
    const emptied = await run<{ merge_id: string }[]>(db)`
      update merged_records set external_id = null, body = null, internal = null
       where tenant_id = ${tenantId} and type = ${type}
         and (old_id = any(${ids}::text[]) or into_id = any(${ids}::text[]))
         and (external_id is not null or body is not null or internal is not null)
      returning merge_id`;
    copies += emptied.length;
    const { count } = await run(db)`
      update merges set kept = null
       where tenant_id = ${tenantId} and kept is not null and type = ${type}
         and (survivor_id = any(${ids}::text[]) or merged_ids && ${ids}::text[]
              or id = any(${emptied.map(({ merge_id }) => merge_id)}::text[]))`;
    merges += count;
  }
  return { merged_records: copies, merges };
};

/** Removes the contents of requests and responses about the removed records. */
export const eraseDeliveries =
  ({ clock }: { readonly clock: Clock }): Step =>
  async (scope, plan) => {
    const about = deliveriesAbout(scope.tenantId, erasedIds(plan));
    return { delivery_attempts: await clearContents(scope, about, clock.now_ms()) };
  };

/**
 * The body that replaces a stored response if it contains the erased person's data. Retries of the request receive this
 * body.
 */
const GONE = JSON.stringify({ detail: "The person in this response was erased" });

/**
 * If a stored response contains the person's data or a removed record's id, replaces it with a 404. Retries that use
 * the same Idempotency-Key then do not create the record again. If the Idempotency-Key itself mentions the person,
 * deletes the stored response.
 */
export const eraseResponses: Step = async (scope, plan) => {
  const { db, tenantId } = scope;
  const matcher = matcherOf(plan.known);
  const ids = erasedIds(plan);
  const body = "case when is_sealed then '' else convert_from(body, 'UTF8') end";
  const has = (text: string): Sql => matcher.mayMention(text) ?? sql`false`;
  const rows = scanRows<{ credential: string; key: string; body: string }>(scope, {
    table: "idempotency_keys",
    key: ["credential", "key"],
    selected: sql`credential, key, ${raw(body)} as body`,
    where: sql`
      status <> 404 and not is_sealed
      and (${has(`(${body})`)} or ${has("key")}
           or exists (select from unnest(${ids}::text[]) id where position(id in ${raw(body)}) > 0))`,
  });
  let count = 0;
  for await (const row of rows) {
    const isMentioned = (text: string) => matcher.kindsIn(text).size > 0;
    if (isMentioned(row.key)) {
      await run(db)`delete from idempotency_keys
         where tenant_id = ${tenantId} and credential = ${row.credential} and key = ${row.key}`;
    } else if (isMentioned(row.body) || ids.some((id) => row.body.includes(id))) {
      await run(db)`
        update idempotency_keys
           set status = 404, headers = '{"content-type": "application/json"}'::json,
               body = convert_to(${GONE}, 'UTF8')
         where tenant_id = ${tenantId} and credential = ${row.credential} and key = ${row.key}`;
    } else continue;
    count += 1;
  }
  return { idempotency_keys: count };
};

/**
 * Removes the person's data from the examples and unknown values of imports, and from error messages that quote a row.
 */
export const eraseImports: Step = async (scope, plan) => {
  const matcher = matcherOf(plan.known);
  const ids = new Set(erasedIds(plan));
  const likely = (["tally::text", "error"] as const).map(
    (column) => matcher.mayMention(column) ?? sql`false`,
  );
  const rows = scanRows<{ id: string; tally: Json; error: string | null }>(scope, {
    table: "imports",
    key: ["id"],
    selected: sql`id, tally, error`,
    where: sql`
      (${likely[0]} or ${likely[1]}
       or exists (select from json_array_elements(tally->'examples') e
                   where e->>'id' = any(${[...ids]}::text[])))`,
  });
  let count = 0;
  const isPersons = (item: Json): boolean =>
    (isObject(item) && ids.has(String(item["id"]))) ||
    matcher.kindsIn(JSON.stringify(item)).size > 0;
  for await (const { id, tally, error } of rows) {
    if (!isObject(tally)) continue;
    const lists = ["examples", "words"].filter((name) => name in tally);
    const next = {
      ...tally,
      ...Object.fromEntries(
        lists.map((name) => [
          name,
          (tally[name] as readonly Json[]).filter((item) => !isPersons(item)),
        ]),
      ),
    };
    const nextError = error && matcher.replaced(error);
    if (JSON.stringify(next) === JSON.stringify(tally) && nextError === error) continue;
    const { db, tenantId } = scope;
    await run(db)`
      update imports set tally = ${JSON.stringify(next)}::text::json, error = ${nextError}
       where tenant_id = ${tenantId} and id = ${id}`;
    count += 1;
  }
  return { imports: count };
};

/** Whether a remaining record has the same address or number as attribution `a`. */
const isUsed = (table: string): Sql => sql`
    exists (select from ${raw(table)} r where r.tenant_id = a.tenant_id
             and (a.person_key like 'email:%' and r.email_list @> array[substr(a.person_key, 7)]
                  or a.person_key like 'phone:%' and r.phone_list @> array[substr(a.person_key, 7)]))`;

/**
 * Removes the person's attribution to a partner, unless another record has the same address or number. This does not
 * affect commission.
 */
export const eraseAttributions: Step = async ({ db, tenantId }, plan) => {
  const idsOf = (type: RecordName | typeof PUSHED_LEAD) =>
    plan.records.flatMap((one) => (one.type === type && one.effect === "erase" ? [one.id] : []));
  const keys = [
    ...plan.known.emails.flatMap((email) => keyTexts({ email, phone: null })),
    ...plan.known.phones.flatMap((phone) => keyTexts({ email: null, phone })),
  ];
  const { count } = await run(db)`
    delete from attributions a
     where tenant_id = ${tenantId}
       and (person_key = any(${keys}::text[]) or lead_id = any(${idsOf("lead")}::text[])
            or pushed_lead_id = any(${idsOf(PUSHED_LEAD)}::text[]))
       and not ${isUsed("leads")} and not ${isUsed("contacts")}`;
  return { attributions: count };
};

/** Sets fields to null in the history of records. The field names remain. */
export async function blankFields(
  { db, tenantId }: Scope,
  ids: readonly string[],
  names: readonly string[],
): Promise<number> {
  const { count } = await run(db)`
    update changes
       set fields = (select json_object_agg(key, case when key = any(${names}::text[])
                                                      then '[null,null]'::json else value end)
                       from json_each(fields))
     where tenant_id = ${tenantId} and subject_id = any(${ids}::text[])
       and exists (select from json_each(fields) f
                    where f.key = any(${names}::text[]) and f.value::text <> '[null,null]')`;
  return count;
}

/** Runs a step in its own transaction. In a dry run, uses the transaction of the whole dry run. */
export const asOne = <T>(scope: Scope, work: (within: Scope<Tx>) => Promise<T>): Promise<T> =>
  transaction(scope.db, (db) => work({ ...scope, db }));
