-- Tenants can be suspended, deleted after a grace period, and moved between installations (docs/moving-a-tenant.md).

alter table tenants
  add column suspended_ts bigint,
  -- From when on the worker deletes the tenant's rows. Until then the deletion can be undone.
  add column delete_after_ts bigint,
  add column deletion_started_ts bigint,
  -- When an import of the tenant from another installation started, and when it was complete. An import that is not
  -- complete is deleted like any tenant that has passed its grace period.
  add column import_started_ts bigint,
  add column imported_ts bigint;

-- No request of the tenant is accepted, and no job runs for it.
alter table tenants
  add column is_suspended boolean not null
    generated always as (suspended_ts is not null or delete_after_ts is not null) stored;

create index tenants_suspended on tenants (id) where is_suspended;
create index tenants_to_delete on tenants (delete_after_ts) where delete_after_ts is not null;
