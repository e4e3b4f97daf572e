-- How many requests a credential may have in progress at once, in each process (docs/fair-shares.md).

-- Null: the installation's CONCURRENCY_LIMIT. 0: no limit.
alter table access_tokens add column concurrency_limit integer;
alter table partners add column concurrency_limit integer;
