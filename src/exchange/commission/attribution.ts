/**
 * Determines which partner earns commission. A person is attributed to the partner whose pushed lead for that person
 * was imported first. Contacts are attributed to their person's partner, and deals to their contact's partner. A deal
 * keeps the commission rate in effect when it was created.
 */

import sql, { type Sql } from "sql-template-tag";
import type { Scope } from "../../audit/index.ts";
import { run, type Tx } from "../../platform/database/index.ts";
import type { Json, JsonObject } from "../../platform/json/index.ts";
import { addressKeys, keyText } from "../../records/keys/index.ts";
import { keyTexts, type PersonKeys } from "../../records/contact-details/index.ts";
import type { Participant, NewRecord, Writer } from "../../records/store/index.ts";

export interface NewAttribution {
  readonly keys: PersonKeys;
  readonly partner_id: string;
  readonly pushed_lead_id: string;
  /** The lead that the import created. Ids increase over time, so comparing them shows which import came first. */
  readonly lead_id: string;
}

/**
 * Records the partners of imported persons, unless an earlier import already did. A transaction calls this once, as its
 * last step, with all its imports: an insert waits for other transactions that insert the same keys. All transactions
 * insert keys in the same order, so they cannot deadlock.
 */
export async function attribute(
  { db, tenantId }: Scope<Tx>,
  brought: readonly NewAttribution[],
): Promise<void> {
  const rows = brought.flatMap(({ keys, ...row }) =>
    keyTexts(keys).map((key) => ({ key, ...row })),
  );
  if (rows.length === 0) return;
  await run(
    db,
  )`insert into attributions (tenant_id, person_key, partner_id, pushed_lead_id, lead_id)
        select ${tenantId}::uuid, key, partner_id, pushed_lead_id, lead_id
          from unnest(${rows.map(({ key }) => key)}::text[],
                      ${rows.map(({ partner_id }) => partner_id)}::text[],
                      ${rows.map(({ pushed_lead_id }) => pushed_lead_id)}::text[],
                      ${rows.map(({ lead_id }) => lead_id)}::text[])
               as given(key, partner_id, pushed_lead_id, lead_id)
         order by key, lead_id
            on conflict (tenant_id, person_key) do nothing`;
}

type Values = Record<string, Json>;

/** Attributes new contacts and deals to partners. */
export const attributions: Participant = {
  types: ["contact", "deal"],
  complete: (writer, records) =>
    writer.type.name === "contact"
      ? attributeContacts(writer, records)
      : attributeDeals(writer.scope, records),
};

type AttributionRow = Readonly<
  Record<"person_key" | "partner_id" | "pushed_lead_id" | "lead_id", string>
>;

async function attributeContacts(
  { scope: { db, tenantId }, author: { country } }: Writer<Tx>,
  records: readonly NewRecord[],
): Promise<readonly Values[]> {
  const keysOf = records.map(({ draft: { values } }) => addressKeys(values, country).map(keyText));
  const rows = await run<AttributionRow[]>(
    db,
  )`select person_key, partner_id, pushed_lead_id, lead_id from attributions
         where tenant_id = ${tenantId} and person_key = any(${keysOf.flat()}::text[])`;
  const known = new Map(rows.map((row) => [row.person_key, row]));
  return records.map(({ draft: { values } }, at): Values => {
    const [first] = (keysOf[at] ?? [])
      .flatMap((key) => known.get(key) ?? [])
      .toSorted((a, b) => (a.lead_id < b.lead_id ? -1 : 1));
    // If the person is not attributed, a contact converted from a lead keeps the lead's partner.
    if (first === undefined) return {};
    const { partner_id, pushed_lead_id } = first;
    // A partner must not see preferences that another partner pushed.
    const isOwn = values["pushed_lead_id"] === pushed_lead_id;
    return { partner_id, pushed_lead_id, ...(!isOwn && { match_preferences_dict: null }) };
  });
}

async function attributeDeals(
  scope: Scope<Tx>,
  records: readonly NewRecord[],
): Promise<readonly Values[]> {
  const idsOf = (name: string): readonly string[] => [
    ...new Set(records.flatMap(({ draft }) => textIn(draft.values, name) ?? [])),
  ];
  const ofContact = await partnersBy(scope, partnersOfContacts, idsOf("contact_id"));
  const ofAccount = await partnersBy(scope, partnersOfAccounts, idsOf("account_id"));
  const deals = records.map(({ id, draft: { values } }) => {
    const contact = textIn(values, "contact_id");
    const partner_id =
      contact === undefined
        ? ofAccount.get(textIn(values, "account_id") ?? "")
        : ofContact.get(contact);
    return { id, partner_id };
  });
  await keepRates(scope, deals);
  return deals.map(({ partner_id }) => (partner_id === undefined ? {} : { partner_id }));
}

const textIn = (values: JsonObject, name: string): string | undefined => {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
};

async function partnersBy(
  { db, tenantId }: Scope<Tx>,
  query: (tenantId: string, ids: readonly string[]) => Sql,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await run<{ id: string; partner_id: string }[]>(db, query(tenantId, ids));
  return new Map(rows.map(({ id, partner_id }) => [id, partner_id]));
}

const partnersOfContacts = (tenantId: string, ids: readonly string[]): Sql => sql`
  select id, body->>'partner_id' as partner_id from contacts
   where tenant_id = ${tenantId} and id = any(${ids}::text[]) and body->>'partner_id' is not null`;

/** An account with exactly one attributed contact is attributed to that contact's partner. */
const partnersOfAccounts = (tenantId: string, ids: readonly string[]): Sql => sql`
  select body->>'account_id' as id, min(body->>'partner_id') as partner_id from contacts
   where tenant_id = ${tenantId} and body->>'account_id' = any(${ids}::text[])
     and body->>'partner_id' is not null
   group by 1 having count(*) = 1`;

/** Stores each new deal with its partner's current commission rate. */
async function keepRates(
  { db, tenantId }: Scope<Tx>,
  deals: readonly { readonly id: string; readonly partner_id: string | undefined }[],
): Promise<void> {
  const attributed = deals.filter(({ partner_id }) => partner_id !== undefined);
  if (attributed.length === 0) return;
  await run(db)`insert into attributed_deals (tenant_id, deal_id, partner_id, commission_rate)
        select ${tenantId}::uuid, d.id, p.id, p.commission_rate
          from unnest(${attributed.map(({ id }) => id)}::text[],
                      ${attributed.map(({ partner_id }) => partner_id)}::text[]) d(id, partner_id)
          join partners p on p.tenant_id = ${tenantId} and p.id = d.partner_id`;
}
