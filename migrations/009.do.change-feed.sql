-- The order in which a tenant's changes are told (docs/decisions/0005-change-feed.md): a number drawn
-- in the statement that logs a change, by when it holds the lock of the changed record.

create sequence change_positions as bigint cache 1;

-- The transaction has its xid before it draws: src/platform/horizon.ts tells by the xids which
-- positions nobody can still commit. `nextval` alone gives one only when it writes to the log, which
-- is every 32nd time.
create function change_position() returns bigint language sql volatile
return case when pg_current_xact_id() is null then null else nextval('change_positions') end;

-- In two steps: what was logged before has no position, and the table is not written anew.
alter table changes add column seq bigint;
alter table changes alter column seq set default change_position();

create index changes_of_feed on changes (tenant_id, subject_type, seq) where seq is not null;
