-- The open pushes of a person, read when the function is called and not when the statement around it
-- began: being volatile it has a snapshot of its own, so that a statement that waits for a lock first
-- sees what the lock's last holder has left (src/exchange/push.ts). A plan that was made while the
-- table was small must not read all of it when ten thousand pushes have come: so never by reading all.
create function open_pushes(tenant uuid, given_email text, given_phone text)
returns table (id text, partner_id text, expiration_ts double precision, status text)
language sql volatile set enable_seqscan = off as $$
  select p.id, p.partner_id, p.expiration_ts, p.status from pushed_leads p
   where p.tenant_id = tenant and p.status in ('pending', 'accepted') and p.email_key = given_email
  union
  select p.id, p.partner_id, p.expiration_ts, p.status from pushed_leads p
   where p.tenant_id = tenant and p.status in ('pending', 'accepted') and p.phone_key = given_phone
   order by 1 desc
$$;
