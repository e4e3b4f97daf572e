-- The domain of a website, by which imported files name accounts. The same as websiteDomain of
-- src/records/website.ts: without scheme and `www.`, ASCII letters in lower case, null where there is none.
-- One expression, so that the planner inlines it; 300 characters fit into an index.
create function website_domain(website text) returns text
language sql immutable parallel safe as $$
  select lower(substring(left(website, 300) from
    '^\s*(?:[a-zA-Z][a-zA-Z0-9+.-]*://)?(?:[wW]{3}\.)?([^\s/:?#@]+\.[^\s/:?#@.0-9][^\s/:?#@.]+)\.?(?:[/:?#]|\s*$)'
  ) collate "C")
$$;

create index accounts_website_domain on accounts (tenant_id, website_domain(body->>'website'));
