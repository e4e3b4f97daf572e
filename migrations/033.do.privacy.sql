-- Requests of persons about their data: reports, erasures and retention (docs/privacy.md).

-- What a report found: types, ids and versions of records. `sealed` holds the address and number that were searched for.
create table person_reports (
  tenant_id uuid not null references tenants,
  id text collate "C" not null,
  sealed text not null,
  records json not null,
  created_ts bigint not null,
  expires_ts bigint not null,
  primary key (tenant_id, id)
);

create index person_reports_ended on person_reports (expires_ts);

-- An erasure, which is carried out in steps. `sealed` holds what the steps search for, and is null once all are done.
create table person_erasures (
  tenant_id uuid not null references tenants,
  id text collate "C" not null,
  report_id text collate "C" not null,
  -- Types and ids of what was erased, and what the erasure found and did. No personal data.
  records json not null,
  result json not null,
  sealed text,
  actor_kind text not null,
  actor_id text collate "C" not null,
  actor_name text not null,
  -- Until when the process that works on it is expected to report.
  lease_until_ms bigint not null,
  created_ts bigint not null,
  finished_ts bigint,
  primary key (tenant_id, id)
);

create index person_erasures_open on person_erasures (lease_until_ms) where finished_ts is null;

-- Keyed digests of addresses and numbers that partners may not push again.
create table blocked_persons (
  tenant_id uuid not null references tenants,
  digest bytea not null,
  created_ts bigint not null,
  primary key (tenant_id, digest)
);

-- Revocations and suspensions that are not yet in the erasure log, in the order in which they were committed.
create table unlogged_revocations (
  id bigint generated always as identity primary key,
  tenant_id uuid not null,
  kind text not null,
  subject_id text collate "C" not null,
  at timestamptz not null
);

-- A pushed lead that was erased is counted, but no longer shown.
alter table pushed_leads add column erased_ts bigint;

-- Attempts that began before this moment contain data that was removed since: they store nothing of it.
alter table deliveries add column cleared_until_ms bigint;

-- Webhooks that subscribe to all events get person.erased, too.
update event_webhooks set subject_types = subject_types || array['person_erasure']
 where partner_id is null and '*' = any(events);
