-- The partner lead exchange (D8): partners, the leads they push, and whom each of them brought.

-- An access code is kept as a hash only. `generation` rises with each code and each suspension: a
-- partner token holds the one it was issued under, so that it ends with it.
create table partners (
  tenant_id uuid not null references tenants,
  id text collate "C" not null,
  name text not null,
  status text not null,
  auto_accept boolean not null,
  can_push boolean not null,
  allowed_marketing_sources text[] not null,
  permissions text[] not null,
  -- Percent, 0 to 100.
  commission_rate numeric not null,
  ip_allow_list text[] not null,
  access_code_hash bytea not null,
  generation integer not null,
  created_ts bigint not null,
  updated_ts bigint not null,
  primary key (tenant_id, id)
);

-- A partner gives its id and its code, and with them its tenant is found.
create index partners_id on partners (id);

-- Wrong access codes of the last minutes (D8.1). They may name a partner that does not exist, so they
-- belong to no tenant.
create table wrong_codes (
  partner_id text collate "C" not null,
  address inet not null,
  at timestamptz not null
);

create index wrong_codes_of_partner on wrong_codes (partner_id, address, at);
create index wrong_codes_at on wrong_codes (at);

-- A lead as a partner pushed it, and where it stands in the review (spec 3). `email_key` and
-- `phone_key` are what persons are compared by (D4.3).
create table pushed_leads (
  tenant_id uuid not null references tenants,
  id text collate "C" not null,
  partner_id text collate "C" not null,
  name text not null,
  email text,
  phone text,
  email_key text collate "C",
  phone_key text collate "C",
  source text collate "C" not null,
  status text collate "C" not null,
  possible_duplicate boolean not null,
  match_preferences json,
  comments text,
  description text,
  submitted_ts bigint not null,
  -- A moment after which a pending lead counts as expired, whether or not that is written down yet.
  -- Epoch seconds, which may have a fraction (D2.5).
  expiration_ts double precision,
  rejection_reason text,
  imported_lead_id text collate "C",
  primary key (tenant_id, id),
  foreign key (tenant_id, partner_id) references partners
);

-- One open push of a person by a partner, whatever the pushes do at once.
create unique index pushed_leads_open_email on pushed_leads (tenant_id, email_key, partner_id)
  where status in ('pending', 'accepted') and email_key is not null;
create unique index pushed_leads_open_phone on pushed_leads (tenant_id, phone_key, partner_id)
  where status in ('pending', 'accepted') and phone_key is not null;

-- Lists, newest first, and counts, which are read from the indexes alone.
create index pushed_leads_of_partner on pushed_leads (tenant_id, partner_id, id);
create index pushed_leads_of_status on pushed_leads (tenant_id, status, id);
create index pushed_leads_counts on pushed_leads (tenant_id, partner_id, submitted_ts, status, expiration_ts);
create index pushed_leads_expiring on pushed_leads (expiration_ts)
  where status = 'pending' and expiration_ts is not null;

-- Who brought a person first (D8.11): a row for each address and number of an imported lead.
create table attributions (
  tenant_id uuid not null references tenants,
  person_key text collate "C" not null,
  partner_id text collate "C" not null,
  pushed_lead_id text collate "C" not null,
  -- The id of the imported lead, which rises with time: the first import counts.
  lead_id text collate "C" not null,
  primary key (tenant_id, person_key),
  foreign key (tenant_id, partner_id) references partners
);

-- Deals a partner is paid for, with the rate of the day on which each was made. What a deal is worth
-- and whether it was won stands in the deal.
create table attributed_deals (
  tenant_id uuid not null references tenants,
  deal_id text collate "C" not null,
  partner_id text collate "C" not null,
  commission_rate numeric not null,
  primary key (tenant_id, deal_id),
  foreign key (tenant_id, partner_id) references partners
);

create index attributed_deals_of_partner on attributed_deals (tenant_id, partner_id);

-- Contacts of an account that a partner brought, for deals that name the account alone.
create index contacts_attributed on contacts (tenant_id, (body->>'account_id'), id)
  where body->>'partner_id' is not null;
