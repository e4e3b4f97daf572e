create table notes (
  tenant_id uuid not null references tenants,
  id text collate "C" not null,
  body json not null,
  internal json,
  external_id text collate "C",
  name text collate "C",
  status text collate "C",
  account_id text collate "C",
  tags text[] collate "C" not null,
  created_ts bigint not null,
  updated_ts bigint not null,
  status_update_date bigint not null,
  version integer not null,
  primary key (tenant_id, id)
);

create unique index notes_external_id on notes (tenant_id, external_id) where external_id is not null;
create index notes_created_ts on notes (tenant_id, created_ts, id);
create index notes_updated_ts on notes (tenant_id, updated_ts, id);
create index notes_status_update_date on notes (tenant_id, status_update_date, id);
create index notes_name on notes (tenant_id, name nulls first, id);
create index notes_status on notes (tenant_id, status nulls first, id);
create index notes_account_id on notes (tenant_id, account_id nulls first, id);
create index notes_tags on notes using gin (tags) with (fastupdate = off);
