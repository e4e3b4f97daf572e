-- Files on their way in (D10): what an import was told, what it found, and how far it has come. It
-- moves in the transaction that writes the records of its rows, so that it goes on where it ended.

create table imports (
  tenant_id uuid not null references tenants,
  id text collate "C" not null,
  record_type text not null,
  file_name text,
  dry_run boolean not null,
  options json not null,
  state text not null,
  -- What was found when the file was opened. `fingerprint` is of its beginning.
  fingerprint text,
  file json,
  mapping json,
  -- Rows that begin on this line or before are done.
  last_line bigint not null default 0,
  rows bigint not null default 0,
  created bigint not null default 0,
  updated bigint not null default 0,
  unchanged bigint not null default 0,
  refused bigint not null default 0,
  tally json not null,
  error text,
  person_id text collate "C" not null,
  person_name text not null,
  -- Whoever sends the file holds the lease; it is renewed while the file is read.
  lease text,
  lease_until_ms bigint,
  created_ts bigint not null,
  updated_ts bigint not null,
  finished_ts bigint,
  primary key (tenant_id, id)
);

create index imports_fingerprint on imports (tenant_id, fingerprint);

-- Rows that could not be taken. `raw` is the row as the file has it, without secrets.
create table import_rejects (
  tenant_id uuid not null,
  import_id text collate "C" not null,
  line bigint not null,
  reason text not null,
  raw text not null,
  primary key (tenant_id, import_id, line),
  foreign key (tenant_id, import_id) references imports
);

-- A deal's name is no filter, but files name deals by it (D10.3).
create index deals_body_name on deals (tenant_id, (body->>'name'));
