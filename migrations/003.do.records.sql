-- The seven record types. `body` is the record as it is returned; every other column is read out of it
-- by the statement that writes it (src/records/columns.ts), except `internal`: what a record remembers
-- and never shows. An index for each field that may be the only filter or the only sort, in the order
-- in which null comes first (D4.5) and _id breaks ties (D5.1).
-- The indexes on tags are without tenant_id: of 8 ms for a tag of 3,000 among a million leads, 5 went
-- into intersecting it with all that its tenant has. For a small tenant the planner intersects by itself.

-- The stamps that end a body (D2.3): taken in the statement that writes.
create function iso_seconds(epoch_s bigint) returns text language sql immutable parallel safe
return to_char(to_timestamp(epoch_s) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"');

create function record_stamps(
  created bigint, updated bigint, status_updated bigint, version integer, with_timestamp boolean
) returns text language sql immutable parallel safe
return ',"created_ts":' || created
  || case when with_timestamp then ',"timestamp":' || created else '' end
  || ',"updated_ts":' || updated
  || ',"status_update_date":' || status_updated
  || ',"created_date":"' || iso_seconds(created)
  || '","updated_date":"' || iso_seconds(updated)
  || '","status_updated_date":"' || iso_seconds(status_updated)
  || '","version":' || version || '}';

create table leads (
  tenant_id uuid not null references tenants,
  id text collate "C" not null,
  body json not null,
  internal json,
  external_id text collate "C",
  lead_status text collate "C",
  lead_source text collate "C",
  name text collate "C",
  employer_name text collate "C",
  profession text collate "C",
  title text collate "C",
  tags text[] collate "C" not null,
  email_list text[] collate "C" not null,
  phone_list text[] collate "C" not null,
  created_ts bigint not null,
  updated_ts bigint not null,
  status_update_date bigint not null,
  version integer not null,
  primary key (tenant_id, id)
);

create unique index leads_external_id on leads (tenant_id, external_id) where external_id is not null;
create index leads_created_ts on leads (tenant_id, created_ts, id);
create index leads_updated_ts on leads (tenant_id, updated_ts, id);
create index leads_status_update_date on leads (tenant_id, status_update_date, id);
create index leads_lead_status on leads (tenant_id, lead_status nulls first, id);
create index leads_lead_source on leads (tenant_id, lead_source nulls first, id);
create index leads_name on leads (tenant_id, name nulls first, id);
create index leads_employer_name on leads (tenant_id, employer_name nulls first, id);
create index leads_profession on leads (tenant_id, profession nulls first, id);
create index leads_title on leads (tenant_id, title nulls first, id);
create index leads_tags on leads using gin (tags) with (fastupdate = off);
create index leads_email_list on leads using gin (tenant_id, email_list) with (fastupdate = off);
create index leads_phone_list on leads using gin (tenant_id, phone_list) with (fastupdate = off);

create table contacts (
  tenant_id uuid not null references tenants,
  id text collate "C" not null,
  body json not null,
  internal json,
  external_id text collate "C",
  status text collate "C",
  lead_source text collate "C",
  name text collate "C",
  employer_name text collate "C",
  profession text collate "C",
  title text collate "C",
  tags text[] collate "C" not null,
  email_list text[] collate "C" not null,
  phone_list text[] collate "C" not null,
  created_ts bigint not null,
  updated_ts bigint not null,
  status_update_date bigint not null,
  version integer not null,
  primary key (tenant_id, id)
);

create unique index contacts_external_id on contacts (tenant_id, external_id) where external_id is not null;
create index contacts_created_ts on contacts (tenant_id, created_ts, id);
create index contacts_updated_ts on contacts (tenant_id, updated_ts, id);
create index contacts_status_update_date on contacts (tenant_id, status_update_date, id);
create index contacts_status on contacts (tenant_id, status nulls first, id);
create index contacts_lead_source on contacts (tenant_id, lead_source nulls first, id);
create index contacts_name on contacts (tenant_id, name nulls first, id);
create index contacts_employer_name on contacts (tenant_id, employer_name nulls first, id);
create index contacts_profession on contacts (tenant_id, profession nulls first, id);
create index contacts_title on contacts (tenant_id, title nulls first, id);
create index contacts_tags on contacts using gin (tags) with (fastupdate = off);
create index contacts_email_list on contacts using gin (tenant_id, email_list) with (fastupdate = off);
create index contacts_phone_list on contacts using gin (tenant_id, phone_list) with (fastupdate = off);

create table accounts (
  tenant_id uuid not null references tenants,
  id text collate "C" not null,
  body json not null,
  internal json,
  external_id text collate "C",
  status text collate "C",
  source text collate "C",
  relationship_type text collate "C",
  name text collate "C",
  company_name text collate "C",
  industry text collate "C",
  tags text[] collate "C" not null,
  email_list text[] collate "C" not null,
  phone_list text[] collate "C" not null,
  created_ts bigint not null,
  updated_ts bigint not null,
  status_update_date bigint not null,
  version integer not null,
  primary key (tenant_id, id)
);

create unique index accounts_external_id on accounts (tenant_id, external_id) where external_id is not null;
create index accounts_created_ts on accounts (tenant_id, created_ts, id);
create index accounts_updated_ts on accounts (tenant_id, updated_ts, id);
create index accounts_status_update_date on accounts (tenant_id, status_update_date, id);
create index accounts_status on accounts (tenant_id, status nulls first, id);
create index accounts_source on accounts (tenant_id, source nulls first, id);
create index accounts_relationship_type on accounts (tenant_id, relationship_type nulls first, id);
create index accounts_name on accounts (tenant_id, name nulls first, id);
create index accounts_company_name on accounts (tenant_id, company_name nulls first, id);
create index accounts_industry on accounts (tenant_id, industry nulls first, id);
create index accounts_tags on accounts using gin (tags) with (fastupdate = off);
create index accounts_email_list on accounts using gin (tenant_id, email_list) with (fastupdate = off);
create index accounts_phone_list on accounts using gin (tenant_id, phone_list) with (fastupdate = off);

create table deals (
  tenant_id uuid not null references tenants,
  id text collate "C" not null,
  body json not null,
  internal json,
  external_id text collate "C",
  stage text collate "C",
  marketing_source text collate "C",
  account_id text collate "C",
  contact_id text collate "C",
  value_of_sale numeric,
  estimated_value_of_sale numeric,
  expected_close_date numeric,
  close_date numeric,
  created_ts bigint not null,
  updated_ts bigint not null,
  status_update_date bigint not null,
  version integer not null,
  primary key (tenant_id, id)
);

create unique index deals_external_id on deals (tenant_id, external_id) where external_id is not null;
create index deals_created_ts on deals (tenant_id, created_ts, id);
create index deals_updated_ts on deals (tenant_id, updated_ts, id);
create index deals_status_update_date on deals (tenant_id, status_update_date, id);
create index deals_stage on deals (tenant_id, stage nulls first, id);
create index deals_marketing_source on deals (tenant_id, marketing_source nulls first, id);
create index deals_account_id on deals (tenant_id, account_id nulls first, id);
create index deals_contact_id on deals (tenant_id, contact_id nulls first, id);
create index deals_value_of_sale on deals (tenant_id, value_of_sale nulls first, id);
create index deals_estimated_value_of_sale on deals (tenant_id, estimated_value_of_sale nulls first, id);
create index deals_expected_close_date on deals (tenant_id, expected_close_date nulls first, id);
create index deals_close_date on deals (tenant_id, close_date nulls first, id);

create table invoices (
  tenant_id uuid not null references tenants,
  id text collate "C" not null,
  body json not null,
  internal json,
  external_id text collate "C",
  invoice_num text collate "C",
  stage text collate "C",
  invoice_type text collate "C",
  account_id text collate "C",
  contact_id text collate "C",
  total_amount numeric,
  invoice_date numeric,
  created_ts bigint not null,
  updated_ts bigint not null,
  status_update_date bigint not null,
  version integer not null,
  primary key (tenant_id, id)
);

create unique index invoices_external_id on invoices (tenant_id, external_id) where external_id is not null;
create unique index invoices_invoice_num on invoices (tenant_id, invoice_num);
create index invoices_created_ts on invoices (tenant_id, created_ts, id);
create index invoices_updated_ts on invoices (tenant_id, updated_ts, id);
create index invoices_status_update_date on invoices (tenant_id, status_update_date, id);
create index invoices_stage on invoices (tenant_id, stage nulls first, id);
create index invoices_invoice_type on invoices (tenant_id, invoice_type nulls first, id);
create index invoices_account_id on invoices (tenant_id, account_id nulls first, id);
create index invoices_contact_id on invoices (tenant_id, contact_id nulls first, id);
create index invoices_total_amount on invoices (tenant_id, total_amount nulls first, id);
create index invoices_invoice_date on invoices (tenant_id, invoice_date nulls first, id);

create table orders (
  tenant_id uuid not null references tenants,
  id text collate "C" not null,
  body json not null,
  internal json,
  external_id text collate "C",
  stage text collate "C",
  order_type text collate "C",
  account_id text collate "C",
  contact_id text collate "C",
  total_amount numeric,
  order_date numeric,
  created_ts bigint not null,
  updated_ts bigint not null,
  status_update_date bigint not null,
  version integer not null,
  primary key (tenant_id, id)
);

create unique index orders_external_id on orders (tenant_id, external_id) where external_id is not null;
create index orders_created_ts on orders (tenant_id, created_ts, id);
create index orders_updated_ts on orders (tenant_id, updated_ts, id);
create index orders_status_update_date on orders (tenant_id, status_update_date, id);
create index orders_stage on orders (tenant_id, stage nulls first, id);
create index orders_order_type on orders (tenant_id, order_type nulls first, id);
create index orders_account_id on orders (tenant_id, account_id nulls first, id);
create index orders_contact_id on orders (tenant_id, contact_id nulls first, id);
create index orders_total_amount on orders (tenant_id, total_amount nulls first, id);
create index orders_order_date on orders (tenant_id, order_date nulls first, id);

create table tasks (
  tenant_id uuid not null references tenants,
  id text collate "C" not null,
  body json not null,
  internal json,
  external_id text collate "C",
  status text collate "C",
  subject_type text collate "C",
  subject text collate "C",
  userid text collate "C",
  action text collate "C",
  name text collate "C",
  priority numeric,
  due_date numeric,
  is_completed boolean,
  tags text[] collate "C" not null,
  created_ts bigint not null,
  updated_ts bigint not null,
  status_update_date bigint not null,
  version integer not null,
  primary key (tenant_id, id)
);

create unique index tasks_external_id on tasks (tenant_id, external_id) where external_id is not null;
create index tasks_created_ts on tasks (tenant_id, created_ts, id);
create index tasks_updated_ts on tasks (tenant_id, updated_ts, id);
create index tasks_status_update_date on tasks (tenant_id, status_update_date, id);
create index tasks_status on tasks (tenant_id, status nulls first, id);
create index tasks_subject_type on tasks (tenant_id, subject_type nulls first, id);
create index tasks_subject on tasks (tenant_id, subject nulls first, id);
create index tasks_userid on tasks (tenant_id, userid nulls first, id);
create index tasks_action on tasks (tenant_id, action nulls first, id);
create index tasks_name on tasks (tenant_id, name nulls first, id);
create index tasks_priority on tasks (tenant_id, priority nulls first, id);
create index tasks_due_date on tasks (tenant_id, due_date nulls first, id);
create index tasks_is_completed on tasks (tenant_id, is_completed nulls first, id);
create index tasks_tags on tasks using gin (tags) with (fastupdate = off);

-- A renamed account or contact whose name still stands in other records (D3.8): the worker's queue.
create table renames (
  id text collate "C" primary key,
  tenant_id uuid not null,
  referenced_type text not null,
  record_id text collate "C" not null
);
