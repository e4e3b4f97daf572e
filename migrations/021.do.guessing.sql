-- What stops guessing.

-- Attempts on accounts that do not exist: one row for each address (of IPv6, each network of 64 bits), so
-- that made-up names cannot fill the table. Targets are the first 8 bytes of the hash of what was tried.
create table attempts_of_address (
  address inet primary key,
  targets bytea[] not null,
  ats timestamptz[] not null,
  last_at timestamptz not null
);

create index attempts_of_address_last_at on attempts_of_address (last_at);

alter table people
  -- When wrong codes of the second factor were entered within the last day.
  add column wrong_code_ts bigint[] not null default '{}',
  -- Since when no codes are accepted, and until when; without an end until a link is used.
  add column codes_paused_ts bigint,
  add column codes_paused_until_ts bigint;

alter table sign_in_links
  -- Wrong codes that were entered with this link.
  add column wrong_codes integer not null default 0;
