-- Demo data: a tenant with invented records (docs/demo-data.md).

-- Only a demo tenant can be removed. An installation has at most one.
alter table tenants add column is_demo boolean not null default false;
create unique index tenants_demo on tenants (is_demo) where is_demo;

-- How far the demo tenant has been filled.
create table demo_fills (
  tenant_id uuid primary key references tenants,
  seed integer not null,
  -- Steps of the year that are done, of how many.
  done integer not null,
  total integer not null,
  created_ts bigint not null,
  -- Null until all steps are done. If no process is filling the tenant either, it was interrupted.
  finished_ts bigint
);

-- The clock of the year that is played when demo data is created. The connection that writes it has this
-- schema before pg_catalog in its search_path, so that the statements that stamp records, changes and pushed
-- leads take the time from here. No other connection is affected.
create schema demo_time;

create function demo_time.clock_timestamp() returns timestamptz language sql stable
return to_timestamp(current_setting('leadport.demo_now')::double precision);
