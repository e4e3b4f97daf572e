-- Event webhooks: who is told of which changes, how far each has been told, and replays.

-- `partner_id` is null for a tenant's own. `sealed` holds the signing secrets.
create table event_webhooks (
  tenant_id uuid not null references tenants,
  id text collate "C" not null,
  partner_id text collate "C",
  url text not null,
  -- What was subscribed to, and the types of changes that this is read from.
  events text[] not null,
  subject_types text[] not null,
  filter json,
  description text,
  enabled boolean not null,
  -- Why the service switched it off by itself.
  disabled_reason text,
  sealed text not null,
  -- The position in the tenant's changes up to which its events have been promised.
  position bigint not null,
  created_ts bigint not null,
  updated_ts bigint not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, partner_id) references partners
);

create index event_webhooks_of_partner on event_webhooks (tenant_id, partner_id, id);

-- The newest replay of a webhook: changes logged from start_ts to end_ts are told again.
create table event_replays (
  tenant_id uuid not null,
  webhook_id text collate "C" not null,
  start_ts bigint not null,
  end_ts bigint not null,
  -- The id of the change up to which events have been promised again.
  after_id text collate "C" not null,
  -- So many changes to read when it began, and so many events promised until now.
  changes integer not null,
  events integer not null,
  created_ts bigint not null,
  finished_ts bigint,
  primary key (tenant_id, webhook_id),
  foreign key (tenant_id, webhook_id) references event_webhooks on delete cascade
);

create index event_replays_open on event_replays (created_ts) where finished_ts is null;

-- The deliveries of a webhook: its id is the first part of what they are about.
create index deliveries_of_webhook on deliveries (tenant_id, split_part(subject_id, '.', 1), id)
  where topic = 'event';
-- Those of them that are still open, of which there are few: how far a receiver is behind.
create index deliveries_open_of_webhook on deliveries (tenant_id, split_part(subject_id, '.', 1))
  where status = 'pending';
