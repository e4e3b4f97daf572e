/** Finds a person's records: by address and number, by past values, and by references between records. */

import sql, { raw } from "sql-template-tag";
import type { Scope } from "../../audit/index.ts";
import { type Db, run } from "../../platform/database/index.ts";
import type { JsonObject } from "../../platform/json/index.ts";
import type { PersonKeys } from "../../records/contact-details/index.ts";
import { RECORD_NAMES, type RecordName, typeOf, typesOf } from "../../records/types/index.ts";
import { FoundRecords, REJECTED_ROW, rejectedId, REMOVED } from "./found-records.ts";
import { addConverted, addLinked } from "./find-linked.ts";
import { scanRows } from "./scan.ts";
import {
  addPushed,
  addRecords,
  isEqual,
  mayAddMore,
  type RecordRow,
  RECORDS_MAX,
  type Search,
} from "./search.ts";
import { matcherOf, NO_TERMS, type Terms } from "./terms.ts";

export const termsOf = ({ email, phone }: PersonKeys): Terms => ({
  ...NO_TERMS,
  emails: email === null ? [] : [email],
  phones: phone === null ? [] : [phone],
});

/** Returns the person's records. Throws 409 if there are too many. */
export async function findPerson(scope: Scope<Db>, keys: PersonKeys): Promise<FoundRecords> {
  const found = new FoundRecords();
  const search: Search = { scope, keys, matcher: matcherOf(termsOf(keys)), found };
  await addByAddress(search);
  await addPushed(
    search,
    sql`(${isEqual("email_key", keys.email)} or ${isEqual("phone_key", keys.phone)})`,
  );
  await addMerged(search);
  await addRejected(search);
  await addFromHistory(search);
  await addConverted(search);
  await addLinked(search);
  return found;
}

async function addByAddress(search: Search): Promise<void> {
  const { scope, keys } = search;
  const { db, tenantId } = scope;
  for (const type of Object.values(typesOf(scope))) {
    // Only people and companies have addresses and numbers.
    if (type.sameBy === undefined) continue;
    for (const [reason, column] of [
      ["email", "email_list"],
      ["phone", "phone_list"],
    ] as const) {
      const key = keys[reason];
      if (key === null) continue;
      const rows = await run<RecordRow[]>(db)`
        select id, body->>'name' as name, version from ${raw(type.table)}
         where tenant_id = ${tenantId} and ${raw(column)} @> array[${key}::text]
         order by id limit ${RECORDS_MAX + 1}`;
      addRecords(search, type, rows, { matched: reason });
    }
  }
}

/** Adds the copies of merged records, which are stored as long as the merge can be undone. */
async function addMerged(search: Search): Promise<void> {
  const { scope, matcher, found } = search;
  const mayMention = matcher.mayMention("body::text");
  if (mayMention === undefined) return;
  const rows = scanRows<{ type: RecordName; id: string; into_id: string; body: JsonObject }>(
    scope,
    {
      table: "merged_records",
      key: ["type", "old_id"],
      selected: sql`type, old_id as id, into_id, body`,
      where: sql`body is not null and ${mayMention}`,
    },
  );
  for await (const { type, id, into_id, body } of rows) {
    if (matcher.kindsIn(JSON.stringify(body)).size === 0) continue;
    const name = (body["name"] ?? null) as string | null;
    const effect = REMOVED.has(type) ? "erase" : "clear";
    found.add({ type, id, name, version: null, matched: ["merged"], effect, merged_into: into_id });
    mayAddMore(search);
  }
}

async function addRejected(search: Search): Promise<void> {
  const { scope, matcher, found } = search;
  const mayMention = matcher.mayMention("raw");
  if (mayMention === undefined) return;
  const rows = scanRows<{ import_id: string; line: number; raw: string }>(scope, {
    table: "import_rejects",
    key: ["import_id", "line"],
    selected: sql`import_id, line::float8 as line, raw`,
    where: mayMention,
  });
  for await (const row of rows) {
    const matched = [...matcher.kindsIn(row.raw)].filter((kind) => kind !== "name");
    if (matched.length === 0) continue;
    found.add({
      type: REJECTED_ROW,
      id: rejectedId(row.import_id, row.line),
      name: null,
      version: null,
      matched,
      effect: "erase",
      merged_into: null,
    });
    mayAddMore(search);
  }
}

/** Adds records that had the address or number in the past, including deleted records. */
async function addFromHistory(search: Search): Promise<void> {
  const { scope, matcher, found } = search;
  const mayMention = matcher.mayMention("fields::text");
  if (mayMention === undefined) return;
  const rows = scanRows<{ type: RecordName; id: string; fields: string }>(scope, {
    table: "changes",
    key: ["id"],
    selected: sql`subject_type as type, subject_id as id, fields::text as fields`,
    where: sql`subject_type = any(${RECORD_NAMES}::text[]) and ${mayMention}`,
  });
  const ids = new Map<RecordName, Set<string>>();
  for await (const { type, id, fields } of rows) {
    if (found.has(type, id) || matcher.kindsIn(fields).size === 0) continue;
    ids.set(type, (ids.get(type) ?? new Set()).add(id));
  }
  for (const [name, own] of ids) {
    const { db, tenantId } = scope;
    const type = typeOf(scope, name);
    const present = await run<RecordRow[]>(db)`
      select id, body->>'name' as name, version from ${raw(type.table)}
       where tenant_id = ${tenantId} and id = any(${[...own]}::text[])`;
    addRecords(search, type, present, { matched: "history", effect: "clear" });
    const gone = [...own].filter((id) => !present.some((row) => row.id === id));
    for (const id of gone) {
      const rest = { name: null, version: null, matched: ["history"], merged_into: null } as const;
      found.add({ type: name, id, effect: "clear", ...rest });
    }
    mayAddMore(search);
  }
}
