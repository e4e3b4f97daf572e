/** Adds records that are linked to a record found earlier: by a conversion, by an import, or by a reference. */

import sql, { raw, type Sql } from "sql-template-tag";
import { run } from "../../platform/database/index.ts";
import {
  type RecordName,
  type RecordType,
  subjectWord,
  typeOf,
  typesOf,
} from "../../records/types/index.ts";
import { referenceFields } from "../../records/columns/index.ts";
import { type FoundRecords, PUSHED_LEAD, REMOVED } from "./found-records.ts";
import { addPushed, addRecords, type RecordRow, type Search } from "./search.ts";

/**
 * The maximum number of linked records to list per type. An erasure clears all references, whether or not they are
 * listed.
 */
const LINKED_MAX = 10_000;

const PERSON_TYPES: readonly RecordName[] = ["lead", "contact"];

/**
 * Adds leads, contacts and pushed leads that are connected with the person's records by a conversion or import. They
 * describe the same person.
 */
export async function addConverted(search: Search): Promise<void> {
  const { scope, found } = search;
  const { db, tenantId } = scope;
  for (let before = -1; before < found.size;) {
    before = found.size;
    const leads = erased(found, "lead");
    const contacts = erased(found, "contact");
    const pushed = erased(found, PUSHED_LEAD);
    const newLeads = await run<RecordRow[]>(db)`
      select id, body->>'name' as name, version from leads
       where tenant_id = ${tenantId} and id <> all(${leads}::text[])
         and (contact_id = any(${contacts}::text[])
              or id in (select source_lead_id from contacts
                         where tenant_id = ${tenantId} and id = any(${contacts}::text[]))
              or id in (select imported_lead_id from pushed_leads
                         where tenant_id = ${tenantId} and id = any(${pushed}::text[])))`;
    addRecords(search, typeOf(scope, "lead"), newLeads, { matched: "linked" });
    const newContacts = await run<RecordRow[]>(db)`
      select id, body->>'name' as name, version from contacts
       where tenant_id = ${tenantId} and id <> all(${contacts}::text[])
         and (source_lead_id = any(${leads}::text[])
              or id in (select contact_id from leads
                         where tenant_id = ${tenantId} and id = any(${leads}::text[])))`;
    addRecords(search, typeOf(scope, "contact"), newContacts, { matched: "linked" });
    await addPushed(
      search,
      sql`id <> all(${pushed}::text[]) and imported_lead_id is not null
          and imported_lead_id = any(${leads}::text[])`,
    );
  }
}

const erased = (
  found: FoundRecords,
  type: "lead" | "contact" | typeof PUSHED_LEAD,
): readonly string[] =>
  found
    .all()
    .flatMap((record) => (record.type === type && record.effect === "erase" ? [record.id] : []));

/** Adds records that refer to the person's records, and tasks about the person's records. */
export async function addLinked(search: Search): Promise<void> {
  const { db, tenantId } = search.scope;
  for (const name of PERSON_TYPES) {
    const ids = erased(search.found, name as "lead" | "contact");
    if (ids.length === 0) continue;
    for (const type of Object.values(typesOf(search.scope))) {
      if (PERSON_TYPES.includes(type.name)) continue;
      for (const where of referencesTo(type, name, ids)) {
        const rows = await run<RecordRow[]>(db)`
          select id, body->>'name' as name, version from ${raw(type.table)}
           where tenant_id = ${tenantId} and ${where}
           order by id limit ${LINKED_MAX}`;
        addRecords(search, type, rows, {
          matched: "linked",
          effect: REMOVED.has(type.name) ? "erase" : "unlink",
        });
      }
    }
  }
}

const referencesTo = (
  type: RecordType,
  name: RecordName,
  ids: readonly string[],
): readonly Sql[] => [
  ...referenceFields(type)
    .filter(({ to }) => to === name)
    .map(({ field }) => sql`${raw(field)} = any(${ids}::text[])`),
  ...(type.subject === undefined
    ? []
    : [
        sql`${raw(type.subject.type)} = ${subjectWord(name)}
            and ${raw(type.subject.id)} = any(${ids}::text[])`,
      ]),
];
