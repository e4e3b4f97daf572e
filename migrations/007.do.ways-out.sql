-- What a tenant sets up as a whole: where imported leads go instead of the CRM, and who is asked for
-- duplicates (D9.4, D9.5). `sealed` holds what of it is secret.

create table tenant_settings (
  tenant_id uuid not null references tenants,
  name text not null,
  value json not null,
  sealed text,
  updated_ts bigint not null,
  primary key (tenant_id, name)
);
