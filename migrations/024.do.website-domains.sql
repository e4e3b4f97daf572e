-- The domain of a website, by which imported files name accounts. The same as websiteDomain of
-- src/records/website.ts: without scheme and `www.`, ASCII letters in lower case, null where there is none.
create function website_domain(website text) returns text
language sql immutable parallel safe as $$
  select case when length(host) <= 253 then lower(host collate "C") end
    from (select substring(website from
      '^\s*(?:[a-zA-Z][a-zA-Z0-9+.-]*://)?(?:[wW]{3}\.)?([^\s/:?#@]+\.[^\s/:?#@.0-9][^\s/:?#@.]+)\.?(?:[/:?#]|\s*$)'
    ) as host) as found
$$;

create index accounts_website_domain on accounts (tenant_id, website_domain(body->>'website'))
  where body->>'website' is not null;
