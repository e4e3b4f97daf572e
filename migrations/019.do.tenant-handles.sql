-- Operators address a tenant by its id or its handle, which never changes. Names need not be unique: a
-- clash would reveal another tenant.

alter table tenants drop constraint tenants_name_key;
alter table tenants add column handle text collate "C";
alter table tenants add constraint tenants_handle_key unique (handle);

-- The tenant that `leadport start` created, which commands use unless they are given another one. At
-- most one row.
create table first_tenant (
  is_only boolean primary key default true check (is_only),
  tenant_id uuid not null references tenants
);

do $$
declare
  first_id uuid;
  tenant record;
  previous_base text := '';
  number integer;
  suffix text;
  candidate text;
begin
  -- The tenant that was created as `default` and is still called that. A tenant that only took the name
  -- later is not the first one.
  select id into first_id from tenants where name = 'default';
  if not exists (
    select from changes
     where tenant_id = first_id and subject_id = first_id::text and action = 'created'
       and fields->'name'->>1 = 'default'
  ) then
    select id into first_id from tenants order by created_ts, id limit 1;
  end if;
  if first_id is null then
    return;
  end if;
  insert into first_tenant (tenant_id) values (first_id);
  update tenants set handle = 'default' where id = first_id;

  -- The others get the slug of their name. Without letters, with a digit in front, too short, or in the
  -- form of an id, it is no handle by itself and follows `tenant-`.
  for tenant in
    with slugs as (
      select id, created_ts,
             trim(both '-' from regexp_replace(
               lower(regexp_replace(normalize(name, NFKD), '[\u0300-\u036f]', '', 'g') collate "C"),
               '[^a-z0-9]+', '-', 'g')) as slug
        from tenants where id <> first_id
    )
    select id, rtrim(left(
             case when slug ~ '^[a-z].'
                       and slug !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then slug
                  else concat_ws('-', 'tenant', nullif(slug, '')) end, 50), '-') as base
      from slugs
     order by base, created_ts, id
  loop
    if tenant.base <> previous_base then
      previous_base := tenant.base;
      number := 1;
    end if;
    loop
      suffix := case number when 1 then '' else '-' || number end;
      candidate := rtrim(left(tenant.base, 50 - length(suffix)), '-') || suffix;
      number := number + 1;
      exit when not exists (select from tenants where handle = candidate);
    end loop;
    update tenants set handle = candidate where id = tenant.id;
  end loop;
end $$;

alter table tenants alter column handle set not null;
alter table tenants add constraint tenants_handle_check check (
  handle ~ '^[a-z][a-z0-9-]{1,49}$'
  -- What looks like an id is an id.
  and handle !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
);
