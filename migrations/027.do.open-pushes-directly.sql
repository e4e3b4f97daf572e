-- As open_pushes_seen (016), but volatile: it sees what has been committed when it is called. It calls no other
-- function, because each call costs as much as the two reads.
create or replace function open_pushes(tenant uuid, given_email text, given_phone text)
returns table (id text, partner_id text, expiration_ts double precision, status text)
language sql volatile set enable_seqscan = off as $$
  select p.id, p.partner_id, p.expiration_ts, p.status from pushed_leads p
   where p.open_by_email = tenant::text || ' ' || given_email
  union
  select p.id, p.partner_id, p.expiration_ts, p.status from pushed_leads p
   where p.open_by_phone = tenant::text || ' ' || given_phone
   order by 1 desc
$$;
