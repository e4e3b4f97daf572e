-- Windows include the records that are there again because a merge was undone in their time.
create index merges_undone on merges (tenant_id, type, undone_ts) where undone_ts is not null;
