-- The installation as a whole: which master keys its data is written with (D11.2). The fingerprint
-- tells a wrong key before anything is encrypted with it; the key cannot be worked out from it.
create table installation (
  key_fingerprint text primary key,
  created_ts bigint not null
);
