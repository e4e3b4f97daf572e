-- Each of these rows refers to a row of the same tenant, for example a pushed lead to its partner. A second check of the
-- tenant itself read and locked the tenant's row for every row that was stored.
alter table pushed_leads drop constraint pushed_leads_tenant_id_fkey;
alter table access_tokens drop constraint access_tokens_tenant_id_fkey;
alter table attributions drop constraint attributions_tenant_id_fkey;
alter table attributed_deals drop constraint attributed_deals_tenant_id_fkey;
alter table merged_records drop constraint merged_records_tenant_id_fkey;
alter table sessions drop constraint sessions_tenant_id_fkey;
alter table sign_in_links drop constraint sign_in_links_tenant_id_fkey;
