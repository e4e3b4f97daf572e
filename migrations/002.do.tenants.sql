-- Tenants, the people in them, their access tokens, and the one table of changes that history and
-- audit read. Every key begins with tenant_id, so that tenants can be spread over machines.

create extension if not exists btree_gin;

create table tenants (
  id uuid primary key,
  name text not null unique,
  default_country text not null,
  timezone text not null,
  currency text not null,
  created_ts bigint not null,
  updated_ts bigint not null
);

create table people (
  tenant_id uuid not null references tenants,
  id text collate "C" not null,
  name text not null,
  created_ts bigint not null,
  primary key (tenant_id, id)
);

create table access_tokens (
  tenant_id uuid not null references tenants,
  id text collate "C" not null,
  name text not null,
  token_hash bytea not null unique,
  person_id text collate "C" not null,
  permissions text[] not null,
  ip_allow_list text[] not null,
  expires_ts bigint,
  created_ts bigint not null,
  last_used_ts bigint,
  primary key (tenant_id, id),
  foreign key (tenant_id, person_id) references people
);

-- A number that rises by one each time it is taken; gaps are allowed (D3.7).
create table counters (
  tenant_id uuid not null references tenants,
  name text not null,
  value bigint not null,
  primary key (tenant_id, name)
);

-- What changed, when, by whom (D9.7). `fields` holds {"<field>": [old, new]} of the changed ones.
create table changes (
  tenant_id uuid not null,
  id text collate "C" not null,
  at timestamptz not null,
  subject_type text not null,
  subject_id text collate "C" not null,
  action text not null,
  version integer,
  actor_kind text not null,
  actor_id text collate "C" not null,
  actor_name text not null,
  fields json not null,
  request_id text,
  primary key (tenant_id, id)
);

create index changes_of_subject on changes (tenant_id, subject_id, id);
create index changes_of_actor on changes (tenant_id, actor_id, id);
create index changes_of_type on changes (tenant_id, subject_type, id);
