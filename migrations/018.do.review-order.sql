-- The reviewer's queue, soonest to expire first and those without an expiration last: what is pending is
-- a small part of all that was ever pushed, and leaves the index with the decision.
create index pushed_leads_queue on pushed_leads
  (tenant_id, coalesce(expiration_ts, 'infinity'::double precision), id) where status = 'pending';
