/** A search for a person: the search terms, and the records found so far. */

import sql, { raw, type Sql } from "sql-template-tag";
import type { Scope } from "../../audit/index.ts";
import { type Db, run } from "../../platform/database/index.ts";
import { AppError } from "../../platform/errors/index.ts";
import type { PersonKeys } from "../../records/contact-details/index.ts";
import type { RecordType } from "../../records/types/index.ts";
import {
  type Effect,
  type FoundRecords,
  PUSHED_LEAD,
  type Reason,
  REMOVED,
} from "./found-records.ts";
import type { Matcher } from "./terms.ts";

/** The maximum number of matching records. If there are more, they cannot all belong to one person. */
export const RECORDS_MAX = 1000;

export interface Search {
  readonly scope: Scope<Db>;
  readonly keys: PersonKeys;
  readonly matcher: Matcher;
  readonly found: FoundRecords;
}

export const isEqual = (column: string, key: string | null): Sql =>
  key === null ? sql`false` : sql`${raw(column)} = ${key}`;

export function mayAddMore({ found }: Search): void {
  if (found.all().filter(({ effect }) => effect !== "unlink").length <= RECORDS_MAX) return;
  const detail =
    `More than ${RECORDS_MAX} records contain this email or phone number, so it does not identify one person. ` +
    "Search for another email or phone number.";
  throw new AppError("conflict", { detail });
}

export interface RecordRow {
  readonly id: string;
  readonly name: string | null;
  readonly version: number;
}

/** Why records are added to the search, and what an erasure does with them. The default effect depends on the type. */
interface Why {
  readonly matched: Reason;
  readonly effect?: Effect;
}

export function addRecords(
  search: Search,
  { name: type }: RecordType,
  rows: readonly RecordRow[],
  { matched, effect = REMOVED.has(type) ? "erase" : "clear" }: Why,
): void {
  for (const row of rows) {
    search.found.add({ type, ...row, matched: [matched], effect, merged_into: null });
  }
  mayAddMore(search);
}

interface PushedRow {
  readonly id: string;
  readonly name: string;
  readonly by_email: boolean;
  readonly by_phone: boolean;
  readonly version: string | null;
}

export async function addPushed(search: Search, where: Sql): Promise<void> {
  const { db, tenantId } = search.scope;
  const { email, phone } = search.keys;
  const rows = await run<PushedRow[]>(db)`
    select id, name, coalesce(email_key = ${email}::text, false) as by_email,
           coalesce(phone_key = ${phone}::text, false) as by_phone,
           (select max(c.id) from changes c
             where c.tenant_id = p.tenant_id and c.subject_id = p.id) as version
      from pushed_leads p
     where tenant_id = ${tenantId} and erased_ts is null and ${where}
     order by id limit ${RECORDS_MAX + 1}`;
  for (const { by_email, by_phone, ...row } of rows) {
    const ways = [...(by_email ? ["email" as const] : []), ...(by_phone ? ["phone" as const] : [])];
    const matched: readonly Reason[] = ways.length > 0 ? ways : ["linked"];
    search.found.add({ type: PUSHED_LEAD, ...row, matched, effect: "erase", merged_into: null });
  }
  mayAddMore(search);
}
