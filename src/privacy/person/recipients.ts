/** Lists recipients of data about a person: partners and webhook URLs. */

import type { Scope } from "../../audit/index.ts";
import { run } from "../../platform/database/index.ts";
import { deliveriesAbout } from "./deliveries-about.ts";
import { PUSHED_LEAD, type FoundType } from "./found-records.ts";

/**
 * - `sent_lead`: the partner pushed the person.
 * - `could_read`: the partner may read records with this source. Reads are not recorded.
 * - `event_webhook`, `import_webhook`: the endpoint accepted a request with the person's data.
 */
export const RECIPIENT_KINDS = [
  "sent_lead",
  "could_read",
  "event_webhook",
  "import_webhook",
] as const;

export interface Recipient {
  readonly kind: (typeof RECIPIENT_KINDS)[number];
  readonly partner_id: string | null;
  readonly partner_name: string | null;
  readonly webhook_id: string | null;
  readonly url: string | null;
  /** The number of accepted requests, or null for partners. */
  readonly requests: number | null;
}

export interface Named {
  readonly type: FoundType;
  readonly id: string;
}

/** Returns the recipients of the person's data. Call this before the records are removed, because it reads them. */
export async function recipientsOf(
  { db, tenantId }: Scope,
  records: readonly Named[],
): Promise<readonly Recipient[]> {
  const idsOf = (type: FoundType): readonly string[] =>
    records.flatMap((record) => (record.type === type ? [record.id] : []));
  const ids = records.map(({ id }) => id);
  const leads = idsOf("lead");
  const contacts = idsOf("contact");
  const pushed = idsOf(PUSHED_LEAD);
  const partners = await run<Pick<Recipient, "kind" | "partner_id" | "partner_name">[]>(db)`
    with persons as (
      select 'read_leads' as permission, lead_source, partner_id from leads
       where tenant_id = ${tenantId} and id = any(${leads}::text[])
      union all
      select 'read_contacts', lead_source, partner_id from contacts
       where tenant_id = ${tenantId} and id = any(${contacts}::text[])
    ), senders as (
      select partner_id from persons where partner_id is not null
      union
      select partner_id from pushed_leads
       where tenant_id = ${tenantId} and id = any(${pushed}::text[])
    )
    select case when exists (select from senders s where s.partner_id = p.id)
                then 'sent_lead' else 'could_read' end as kind,
           p.id as partner_id, p.name as partner_name
      from partners p
     where p.tenant_id = ${tenantId}
       and (exists (select from senders s where s.partner_id = p.id)
            or exists (select from persons r
                        where r.permission = any(p.permissions)
                          and r.lead_source = any(p.allowed_marketing_sources)))
     order by 1 desc, 2`;
  const webhooks = await run<Omit<Recipient, "partner_name">[]>(db)`
    select case when d.topic = 'event' then 'event_webhook' else 'import_webhook' end as kind,
           w.partner_id, case when d.topic = 'event' then split_part(d.subject_id, '.', 1) end as webhook_id,
           max(d.url) as url, count(*)::integer as requests
      from deliveries d
      left join event_webhooks w
        on w.tenant_id = d.tenant_id and d.topic = 'event' and w.id = split_part(d.subject_id, '.', 1)
     where d.tenant_id = ${tenantId} and d.delivered_ts is not null
       and d.id in (${deliveriesAbout(tenantId, ids)})
     group by 1, 2, 3 order by 1, 3`;
  return [
    ...partners.map((partner) => ({ ...partner, webhook_id: null, url: null, requests: null })),
    ...webhooks.map((webhook) => ({ ...webhook, partner_name: null })),
  ];
}
