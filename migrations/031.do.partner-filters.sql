-- Leads, contacts and deals are filtered by the partner that brought them, contacts also by their account. The
-- columns are read out of the body by the statement that writes it, as all others are. Existing records without a
-- partner need no rewrite: the column is null.
alter table leads add column partner_id text collate "C";
alter table contacts add column partner_id text collate "C";
alter table deals add column partner_id text collate "C";

update leads set partner_id = body->>'partner_id' where body->>'partner_id' is not null;
update contacts set partner_id = body->>'partner_id' where body->>'partner_id' is not null;
update deals set partner_id = body->>'partner_id' where body->>'partner_id' is not null;

create index leads_partner_id on leads (tenant_id, partner_id nulls first, id);
create index contacts_partner_id on contacts (tenant_id, partner_id nulls first, id);
create index deals_partner_id on deals (tenant_id, partner_id nulls first, id);

-- Lists of contacts can be sorted by account, too: the index of those that have one becomes one of all.
drop index contacts_account_id;
create index contacts_account_id on contacts (tenant_id, account_id nulls first, id);
