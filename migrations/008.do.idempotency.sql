-- The first answers to requests that carried an Idempotency-Key. Each is written in the transaction of
-- its request, lives a day, and is found by whose key it is. Nothing refers to the rows and they refer
-- to nothing: a foreign key would lock the tenant's row for each of them.

create table idempotency_keys (
  tenant_id uuid not null,
  -- A token's id or a partner's, with its kind before it.
  credential text collate "C" not null,
  key text collate "C" not null,
  -- HMAC-SHA-256 of method, path, query and body: a plain hash would let a known body with one unknown
  -- number in it be guessed.
  fingerprint bytea not null,
  status integer not null,
  headers json not null,
  body bytea not null,
  -- Whether `body` is the seal of an answer that holds a secret.
  is_sealed boolean not null,
  created_ts bigint not null,
  primary key (tenant_id, credential, key)
);

create index idempotency_keys_created_ts on idempotency_keys (created_ts);
