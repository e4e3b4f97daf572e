-- Upgrades while other processes run (docs/upgrading.md).

-- The programs that can serve this database. A contract step, or a capability that earlier programs would ignore,
-- increases `serves_from`.
create table schema_state (
  is_only boolean primary key default true check (is_only),
  -- The schema version of the oldest program that can serve the database.
  serves_from integer not null,
  -- Why earlier programs cannot: the end of a sentence.
  reason text not null,
  -- The release that applied the last step.
  release text not null
);
insert into schema_state (serves_from, reason, release)
values (39, 'earlier releases do not support upgrades while they run', '0.2.0');

-- The running processes of all machines. A process that has not been seen for a minute has ended. Not logged: each
-- process adds itself again.
create unlogged table processes (
  id uuid primary key,
  -- `service` or `command`
  kind text not null,
  release text not null,
  schema_version integer not null,
  host text not null,
  pid integer not null,
  started_at timestamptz not null,
  seen_at timestamptz not null
);

-- The back-fills that were started (migrations/backfills).
create table backfills (
  name text primary key,
  -- The primary key of the last row that was read, as text. Null at the beginning of a pass.
  position text[],
  pass integer not null default 1,
  -- Whether this pass has missed rows, because they were locked or an earlier release could have written them.
  has_missed boolean not null default false,
  rows_done bigint not null default 0,
  -- The approximate number of rows to read in this pass.
  rows_total bigint not null default 0,
  started_at timestamptz not null,
  finished_at timestamptz
);
