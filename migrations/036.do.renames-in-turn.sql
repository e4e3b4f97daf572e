-- The worker applies a rename in steps, by tenant in turn. A rename that fails gets a later turn.
alter table renames
  add column turn text collate "C" not null default '',
  -- The type and id of the last record that was updated. Null before the first step.
  add column reached_type text,
  add column reached_id text collate "C";

create index renames_in_turn on renames (tenant_id, turn, id);
