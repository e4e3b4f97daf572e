-- Records that were merged into another of their type: what each merge did, as long as it can be undone,
-- and the ids and external ids under which the merged ones are still known.

create table merges (
  tenant_id uuid not null references tenants,
  id text collate "C" not null,
  type text not null,
  survivor_id text collate "C" not null,
  merged_ids text[] collate "C" not null,
  merged_ts bigint not null,
  undone_ts bigint,
  -- What undoing needs of the survivor and of the records that referred to the merged ones; null once
  -- it is undone, or was done too long ago.
  kept json,
  primary key (tenant_id, id)
);

create index merges_of_survivor on merges (tenant_id, survivor_id, id);
create index merges_kept on merges (merged_ts) where kept is not null;

create table merged_records (
  tenant_id uuid not null references tenants,
  type text not null,
  old_id text collate "C" not null,
  external_id text collate "C",
  into_id text collate "C" not null,
  merge_id text collate "C" not null,
  -- The record as it was; null once the merge can no longer be undone.
  body json,
  internal json,
  primary key (tenant_id, type, old_id),
  foreign key (tenant_id, merge_id) references merges
);

create index merged_records_external_id on merged_records (tenant_id, type, external_id)
  where external_id is not null;
create index merged_records_of_merge on merged_records (tenant_id, merge_id);

-- Who refers to a record: columns for the references that no list filters on, read out of the body by the
-- statement that writes it as all the others are.
alter table contacts add column account_id text collate "C";
alter table contacts add column source_lead_id text collate "C";
alter table leads add column contact_id text collate "C";

update contacts set account_id = body->>'account_id', source_lead_id = body->>'source_lead_id'
 where body->>'account_id' is not null or body->>'source_lead_id' is not null;
update leads set contact_id = body->>'contact_id' where body->>'contact_id' is not null;

create index contacts_account_id on contacts (tenant_id, account_id, id) where account_id is not null;
create index contacts_source_lead_id on contacts (tenant_id, source_lead_id, id)
  where source_lead_id is not null;
create index leads_contact_id on leads (tenant_id, contact_id, id) where contact_id is not null;
create index pushed_leads_imported on pushed_leads (tenant_id, imported_lead_id)
  where imported_lead_id is not null;
