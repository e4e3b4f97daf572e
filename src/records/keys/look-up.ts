/** Finds records by the values that files use for references: an id, external id, exact name, address or domain. */

import sql, { raw, type Sql } from "sql-template-tag";
import type { Scope } from "../../audit/index.ts";
import { run } from "../../platform/database/index.ts";
import type { RecordType } from "../types/index.ts";
import { currentByExternalIds, currentIds } from "../write/index.ts";
import { columnOf, storedColumns } from "../columns/index.ts";
import { companyDomain, emailKey } from "../contact-details/index.ts";

/** The record that a value refers to, or `several` if the value is ambiguous. */
export type Found = { readonly id: string } | { readonly several: true };

/**
 * Looks up many values together. Each value is tried as an id, an external id, a name, an email address if it contains
 * "@", the domain of an account's website, and finally as the former id or external id of a merged record. The first
 * interpretation that finds a record is used.
 */
export async function lookUpRecords(
  scope: Scope,
  type: RecordType,
  texts: readonly string[],
): Promise<ReadonlyMap<string, Found>> {
  const found = await lookUpPresent(scope, type, texts);
  const missing = texts.filter((text) => !found.has(text));
  const current = [
    ...(await currentByExternalIds(scope, type, missing)),
    ...(await currentIds(scope, type, missing)),
  ].map(([text, id]) => [text, { id }] as const);
  return new Map([...found, ...current]);
}

async function lookUpPresent(
  { db, tenantId }: Scope,
  type: RecordType,
  texts: readonly string[],
): Promise<ReadonlyMap<string, Found>> {
  const emails = texts.map((text) => (text.includes("@") ? emailKey(text) : null));
  const domains = texts.map((text) => (type.isCompany ? (companyDomain(text) ?? null) : null));
  const readings = readingsOf(type).map(
    (matches, rank) => sql`
      select g.text, ${rank}::integer as rank, r.id
        from unnest(${texts}::text[], ${emails}::text[], ${domains}::text[]) as g(text, email, domain),
             lateral (select id from ${raw(type.table)} t
                       where t.tenant_id = ${tenantId} and ${matches} limit 2) r`,
  );
  const [first, ...rest] = readings as [Sql, ...Sql[]];
  const all = rest.reduce((query, reading) => sql`${query} union all ${reading}`, first);
  const rows = await run<{ text: string; rank: number; id: string }[]>(db)`${all} order by rank`;
  const found = new Map<string, { rank: number; ids: Set<string> }>();
  for (const { text, rank, id } of rows) {
    const known = found.get(text);
    if (known === undefined) found.set(text, { rank, ids: new Set([id]) });
    else if (known.rank === rank) known.ids.add(id);
  }
  return new Map(
    [...found].map(
      ([
        text,
        {
          ids: [id = "", another],
        },
      ]) => [text, another === undefined ? { id } : { several: true }],
    ),
  );
}

/** Must match the index expression exactly, so that PostgreSQL uses the index. */
const BY_DOMAIN = sql`website_domain(t.body->>'website') = g.domain`;

function readingsOf(type: RecordType): readonly Sql[] {
  const columns = new Set(storedColumns(type).map(({ name }) => name));
  const { foundBy = columns.has("name") ? "name" : undefined } = type;
  const hasAddresses = columnOf(type, "email_list") !== undefined;
  return [
    sql`t.id = g.text`,
    sql`t.external_id = g.text`,
    ...(foundBy === undefined
      ? []
      : [sql`${raw(columns.has(foundBy) ? `t.${foundBy}` : `(t.body->>'${foundBy}')`)} = g.text`]),
    ...(hasAddresses ? [sql`g.email is not null and t.email_list @> array[lower(g.email)]`] : []),
    ...(type.isCompany ? [BY_DOMAIN] : []),
  ];
}
