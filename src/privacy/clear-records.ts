/**
 * The erasure steps for records that remain. References to removed records become null, and everything that identifies
 * the person is removed from accounts, deals, documents and their history.
 */

import sql from "sql-template-tag";
import type { ChangedFields, Scope } from "../audit/index.ts";
import { clearImported } from "../exchange/pushed-leads/index.ts";
import { clearContents } from "../delivery/index.ts";
import { isId } from "../platform/ids/index.ts";
import { once } from "../platform/cache/index.ts";
import { run, type Tx } from "../platform/database/index.ts";
import {
  LockedByOthers,
  retryWhileLocked,
  isContended,
} from "../platform/failed-statements/index.ts";
import { isObject, type Json, type JsonObject, sameJson } from "../platform/json/index.ts";
import { clearReferences } from "../records/merge/index.ts";
import { ENTRY_KEYS } from "../records/contact-details/index.ts";
import { findStored, store, type WriteDeps } from "../records/store/index.ts";
import { RECORD_NAMES, type RecordName, type RecordType, typeOf } from "../records/types/index.ts";
import { withoutStamps } from "../records/schemas/index.ts";
import { asOne, blankFields } from "./erase-traces.ts";
import type { Counts, Plan } from "./plan.ts";
import {
  deliveriesAbout,
  joinTerms,
  type Matcher,
  matcherOf,
  type PlannedRecord,
  type Terms,
} from "./person/index.ts";

/** The maximum number of records per transaction. */
const AT_ONCE = 200;
const PATIENCE_ms = 8_000;

/** Runs a step in a transaction. Retries while another transaction holds locks that the step needs. */
const whenFree = <T>(scope: Scope, work: (within: Scope<Tx>) => Promise<T>): Promise<T> =>
  retryWhileLocked(
    scope.db,
    async () => {
      try {
        return await asOne(scope, work);
      } catch (error) {
        throw isContended(error) ? new LockedByOthers() : error;
      }
    },
    PATIENCE_ms,
  );

/** Returns the fields that show the name of a referenced record. */
const shownNames = ({ derived }: RecordType): readonly string[] =>
  Object.entries(derived).flatMap(([name, { kind }]) => (kind === "name_of" ? [name] : []));

/**
 * Clears references in batches. Each batch is a separate transaction. It also removes the names shown with these
 * references from the records' history and deliveries.
 */
export async function clearAllReferences(
  scope: Scope,
  deps: WriteDeps,
  { records }: Plan,
): Promise<Counts> {
  const counts: Record<string, number> = {};
  const add = (table: string, rows: number): void => {
    counts[table] = (counts[table] ?? 0) + rows;
  };
  for (const name of RECORD_NAMES) {
    const ids = records.flatMap((one) =>
      one.type === name && one.effect === "erase" ? [one.id] : [],
    );
    if (ids.length === 0) continue;
    for (let isLast = false; !isLast;) {
      isLast = await whenFree(scope, async (within) => {
        const cleared = await clearReferences(
          { scope: within, deps },
          { name, ids, limit: AT_ONCE },
        );
        for (const [type, some] of Map.groupBy(cleared, (one) => one.type)) {
          const own = some.map(({ id }) => id);
          const referring = typeOf(within, type);
          add(referring.table, own.length);
          const names = shownNames(referring).filter((shown) => shown.startsWith(name));
          if (names.length === 0) continue;
          add("changes", await blankFields(within, own, names));
          const about = deliveriesAbout(within.tenantId, own);
          add("delivery_attempts", await clearContents(within, about, deps.clock.now_ms()));
        }
        return cleared.length === 0;
      });
    }
    if (name === "lead") {
      add("pushed_leads", await asOne(scope, (within) => clearImported(within, deps.makeId, ids)));
    }
  }
  return counts;
}

/** Clears the person's data in chosen records that are not erased, and in records that an administrator reviewed. */
export async function clearChosen(
  scope: Scope,
  deps: WriteDeps,
  { records, searched, known }: Plan,
): Promise<Counts> {
  let counts: Counts = {};
  for (const record of records) {
    if (record.effect === "erase") continue;
    const terms = record.effect === "review" ? joinTerms(searched, known) : searched;
    const own = await whenFree(scope, (within) => clearOne(within, deps, record, terms));
    counts = addCounts(counts, own);
  }
  return counts;
}

export const addCounts = (...all: readonly Counts[]): Counts => {
  const sum: Record<string, number> = {};
  for (const [table, rows] of all.flatMap((one) => Object.entries(one))) {
    sum[table] = (sum[table] ?? 0) + rows;
  }
  return sum;
};

async function clearOne(
  scope: Scope<Tx>,
  deps: WriteDeps,
  { type: name, id }: PlannedRecord,
  terms: Terms,
): Promise<Counts> {
  const type = typeOf(scope, name as RecordName);
  const matcher = matcherOf(terms);
  const stored = await findStored(scope, type, id, { lock: true });
  let isChanged = false;
  // The law requires invoices to be kept unchanged. For invoices and deleted records, only the history is cleared.
  if (stored !== undefined && type.name !== "invoice") {
    const body = clearedBody(type, withoutStamps(stored.body), terms, matcher);
    const fields = Object.fromEntries(
      Object.keys(body).flatMap((field) =>
        sameJson(body[field], stored.body[field]) ? [] : [[field, [null, null] as const]],
      ),
    ) satisfies ChangedFields;
    isChanged = Object.keys(fields).length > 0;
    if (isChanged) {
      const { internal } = stored;
      const records = [{ stored, next: { id, body, internal, fields } }];
      await store({ scope, type, deps }, { kind: "updated", records, action: "cleared" });
    }
  }
  const history = await clearHistory(scope, id, matcher);
  const attempts =
    isChanged || history > 0
      ? await clearContents(scope, deliveriesAbout(scope.tenantId, [id]), deps.clock.now_ms())
      : 0;
  return { [type.table]: isChanged ? 1 : 0, changes: history, delivery_attempts: attempts };
}

/** Returns the members of a record's body that contain ids. */
const idMembers = once(({ fields, derived, subject }: RecordType): ReadonlySet<string> => {
  const references = Object.entries({ ...fields, ...derived }).flatMap(([name, described]) =>
    described.kind === "reference" || described.kind === "set_elsewhere" ? [name] : [],
  );
  const subjects = subject === undefined ? [] : [subject.id];
  return new Set(["_id", "id", "userid", "created_by_userid", ...references, ...subjects]);
});

/** Members with any content. In these, a number can be a phone number. All other numbers are amounts, counts and times. */
const FREE_MEMBERS = new Set(["action_data", "match_preferences_dict"]);

/** The person's data is removed from all members, except for ids and the name of the user who owns the record. */
function clearedMember(type: RecordType, name: string, value: Json, matcher: Matcher): Json {
  if (name === "user_name" || (idMembers(type).has(name) && isId(String(value)))) return value;
  // An external id is unique, so it is removed rather than replaced.
  if (name === "external_id" && matcher.kindsIn(String(value)).size > 0) return null;
  return clearedValue(value, matcher, { isFree: FREE_MEMBERS.has(name) });
}

function clearedBody(
  type: RecordType,
  body: JsonObject,
  terms: Terms,
  matcher: Matcher,
): Record<string, Json> {
  const cleared = Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, clearedMember(type, name, value, matcher)]),
  );
  for (const [kind, keys] of [
    ["email", terms.emails],
    ["phone", terms.phones],
  ] as const) {
    const list = `${kind}_list`;
    if (!Array.isArray(body[list])) continue;
    const entries = (body[list] as readonly JsonObject[]).filter(
      (entry) => !keys.includes(ENTRY_KEYS[kind](entry)),
    );
    if (entries.length === body[list].length) continue;
    const [first] = entries;
    cleared[list] = entries.map((entry) => (entry === first ? { ...entry, type: "Main" } : entry));
    cleared[kind] = first === undefined ? null : mainText(kind, first);
  }
  return cleared;
}

const mainText = (kind: "email" | "phone", entry: JsonObject): Json =>
  kind === "phone" && /^\d+$/.test(String(entry["phone"]))
    ? `+${String(entry["phone"])}`
    : (entry[kind] ?? null);

function clearedValue(value: Json, matcher: Matcher, within: { readonly isFree: boolean }): Json {
  if (typeof value === "string") return matcher.replaced(value);
  if (typeof value === "number") {
    return within.isFree && matcher.kindsIn(String(value)).size > 0 ? null : value;
  }
  if (Array.isArray(value)) return value.map((item: Json) => clearedValue(item, matcher, within));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      matcher.replaced(name),
      clearedValue(member, matcher, within),
    ]),
  );
}

/** In a record's history, sets fields that mention a term to null. */
async function clearHistory(
  { db, tenantId }: Scope<Tx>,
  id: string,
  matcher: Matcher,
): Promise<number> {
  const mayMention = matcher.mayMention("fields::text");
  if (mayMention === undefined) return 0;
  const rows = await run<{ id: string; fields: ChangedFields }[]>(db)`
    select id, fields from changes
     where tenant_id = ${tenantId} and subject_id = ${id} and ${mayMention}`;
  const next = rows.flatMap((row) => {
    const fields = Object.entries(row.fields).map(([name, values]) =>
      matcher.kindsIn(JSON.stringify(values)).size > 0 ? [name, [null, null]] : [name, values],
    );
    const text = JSON.stringify(Object.fromEntries(fields));
    return text === JSON.stringify(row.fields) ? [] : [{ id: row.id, text }];
  });
  if (next.length === 0) return 0;
  const { count } = await run(db)`
    update changes c set fields = given.fields::json
      from unnest(${next.map((one) => one.id)}::text[], ${next.map(({ text }) => text)}::text[])
           as given(id, fields)
     where c.tenant_id = ${tenantId} and c.id = given.id`;
  return count;
}

/** The invoice fields that stay unchanged because the law requires it. */
export const LEGAL_HOLD_FIELDS = [
  "invoice_num",
  "invoice_type",
  "name",
  "account_id",
  "account_name",
  "description",
  "total_amount",
  "invoice_date",
  "invoice_line_list",
] as const;

export interface LegalHold {
  readonly type: "invoice";
  readonly id: string;
  readonly fields: readonly string[];
}

/** Returns the invoices that refer to removed contacts or were themselves chosen. */
export async function legalHolds(
  { db, tenantId }: Scope,
  { records }: Pick<Plan, "records">,
): Promise<readonly LegalHold[]> {
  const contacts = records.flatMap(({ type, id }) => (type === "contact" ? [id] : []));
  const chosen = records.flatMap(({ type, id }) => (type === "invoice" ? [id] : []));
  const rows = await run<{ id: string }[]>(
    db,
    sql`
    select id from invoices
     where tenant_id = ${tenantId}
       and (contact_id = any(${contacts}::text[]) or id = any(${chosen}::text[]))
     order by id`,
  );
  return rows.map(({ id }) => ({ type: "invoice", id, fields: LEGAL_HOLD_FIELDS }));
}
