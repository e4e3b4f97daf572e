-- What a creation does where the tenant has a record of that e-mail address or telephone number already:
-- allow (a second record), reject, return, update.
alter table tenants add column on_duplicate text not null default 'allow';
