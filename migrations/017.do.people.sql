-- People who sign in: with an e-mail, a role and a password, a second factor if they like; their
-- sessions, and the links by which they set a password. Who has no e-mail only owns access tokens.

alter table people
  -- In lower case.
  add column email text collate "C",
  add column role text collate "C",
  add column is_suspended boolean not null default false,
  -- Argon2id, with its parameters.
  add column password_hash text,
  -- The secret of the second factor, sealed: the one that counts, and one that is not confirmed yet.
  add column totp text,
  add column totp_pending text,
  -- The step of the last code that was taken: none is taken twice.
  add column totp_step bigint,
  -- SHA-256, in hex.
  add column recovery_code_hashes text[] not null default '{}',
  add column preferences json not null default '{}',
  add column last_used_ts bigint;

create unique index people_email_of_tenant on people (tenant_id, email) where email is not null;
-- A person gives an e-mail, and with it the tenants are found.
create index people_email on people (email) where email is not null;

create table sessions (
  tenant_id uuid not null references tenants,
  id text collate "C" not null,
  person_id text collate "C" not null,
  token_hash bytea not null,
  address text not null,
  user_agent text,
  created_ts bigint not null,
  last_used_ts bigint not null,
  -- It ends when it was not used for so long, and at `expires_ts` however it is used.
  idle_s integer not null,
  expires_ts bigint not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, person_id) references people
);

create index sessions_token_hash on sessions (token_hash);
create index sessions_ended on sessions (expires_ts);
create index sessions_of_person on sessions (tenant_id, person_id, id);

-- One-time links; kept as hashes, gone when they are used.
create table sign_in_links (
  tenant_id uuid not null references tenants,
  id text collate "C" not null,
  person_id text collate "C" not null,
  kind text collate "C" not null,
  token_hash bytea not null,
  created_ts bigint not null,
  expires_ts bigint not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, person_id) references people
);

create index sign_in_links_token_hash on sign_in_links (token_hash);
create index sign_in_links_ended on sign_in_links (expires_ts);
create index sign_in_links_of_person on sign_in_links (tenant_id, person_id);

-- What was tried in vain, by what it was tried on (a hash: it may name nobody, or be a secret typed in
-- the wrong field) and from where. It belongs to no tenant.
drop table wrong_codes;
create table wrong_attempts (
  target bytea not null,
  address inet not null,
  at timestamptz not null
);

create index wrong_attempts_of_target on wrong_attempts (target, address, at);
create index wrong_attempts_at on wrong_attempts (at);
