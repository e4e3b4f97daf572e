-- How many requests a credential may make in a minute, and how many it made (docs/rate-limits.md).

-- Null: the installation's RATE_LIMIT. 0: no limit.
alter table access_tokens add column rate_limit integer;
alter table partners add column rate_limit integer;

-- What all processes have counted, by the minute that began at `window_s` (epoch seconds). Not logged:
-- a crash of the database forgets a minute, and no write waits for the disk.
create unlogged table request_counts (
  tenant_id uuid not null,
  credential_id text collate "C" not null,
  window_s bigint not null,
  requests integer not null,
  primary key (tenant_id, credential_id, window_s)
);

-- The processes that count, which share what may be counted without asking. They belong to no tenant.
create unlogged table counting_processes (
  id uuid primary key,
  seen_at timestamptz not null
);
