-- How much a tenant may store, and how much it stores (docs/quotas.md).

-- Null: the installation's MAX_RECORDS and MAX_BYTES. 0: no limit.
alter table tenants
  add column max_records bigint,
  add column max_bytes bigint;

create index tenants_with_quota on tenants (id) where max_records > 0 or max_bytes > 0;

-- What a tenant with a quota stored when it was last measured. A tenant without a quota has no row.
create table tenant_usage (
  tenant_id uuid primary key references tenants,
  records bigint not null,
  -- Null: not measured, since only the number of records has a limit.
  bytes bigint,
  -- Epoch milliseconds, by the database's clock. All that was committed before is included.
  measured_ms bigint not null,
  duration_ms integer not null,
  -- From when it is to be measured again. Null: nothing was written since.
  due_ms bigint
);

create index tenant_usage_due_ms on tenant_usage (due_ms) where due_ms is not null;
