-- By what an open push is found, its tenant within the key: no other index has these columns, so that no
-- plan, made while the table was small or without statistics, reads a tenant's whole buffer instead.
alter table pushed_leads
  add column open_by_email text collate "C" generated always as
    (case when status in ('pending', 'accepted') then tenant_id::text || ' ' || email_key end) stored,
  add column open_by_phone text collate "C" generated always as
    (case when status in ('pending', 'accepted') then tenant_id::text || ' ' || phone_key end) stored;

-- One open push of a person by a partner, whatever the pushes do at once.
drop index pushed_leads_open_email;
drop index pushed_leads_open_phone;
create unique index pushed_leads_open_email on pushed_leads (open_by_email, partner_id, tenant_id)
  where open_by_email is not null;
create unique index pushed_leads_open_phone on pushed_leads (open_by_phone, partner_id, tenant_id)
  where open_by_phone is not null;

-- The open pushes of a person as the statement around it sees them: being stable, it has its snapshot.
create function open_pushes_seen(tenant uuid, given_email text, given_phone text)
returns table (id text, partner_id text, expiration_ts double precision, status text)
language sql stable set enable_seqscan = off as $$
  select p.id, p.partner_id, p.expiration_ts, p.status from pushed_leads p
   where p.open_by_email = tenant::text || ' ' || given_email
  union
  select p.id, p.partner_id, p.expiration_ts, p.status from pushed_leads p
   where p.open_by_phone = tenant::text || ' ' || given_phone
   order by 1 desc
$$;

-- The same at the moment of the call, as in 015.
create or replace function open_pushes(tenant uuid, given_email text, given_phone text)
returns table (id text, partner_id text, expiration_ts double precision, status text)
language sql volatile as $$
  select * from open_pushes_seen(tenant, given_email, given_phone)
$$;
