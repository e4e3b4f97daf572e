-- Requests of the last hour that failed or were slow (docs/monitoring.md).

-- By the minute that began at `minute_s` (epoch seconds). `credential` is its kind and id, or empty for what
-- exceeds the limit of a tenant and minute. Not logged: a crash of the database forgets them.
create unlogged table request_outcomes (
  tenant_id uuid not null,
  minute_s bigint not null,
  credential text collate "C" not null,
  method text collate "C" not null,
  route text collate "C" not null,
  status integer not null,
  requests integer not null,
  slow integer not null,
  total_ms double precision not null,
  slowest_ms double precision not null,
  last_ts bigint not null,
  primary key (tenant_id, minute_s, credential, method, route, status)
);

create index request_outcomes_minute on request_outcomes (minute_s);
