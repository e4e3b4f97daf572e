-- Each restore from a backup. Webhook requests that were pending in the backup may have been sent after it was taken, so
-- the worker sends nothing until the operator runs `leadport restore --release-deliveries`.
create table restores (
  id bigint generated always as identity primary key,
  restored_at timestamptz not null,
  -- The moment that was restored.
  restored_to timestamptz not null,
  released_at timestamptz
);
