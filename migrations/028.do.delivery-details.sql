-- What each attempt sent and received, and what deliveries are filtered by. The new columns are null in existing rows,
-- so no row is rewritten. The indexes contain only rows that have a value.

-- The event that a delivery reports, and the record that the event is about.
alter table deliveries
  add column event text collate "C",
  add column record_id text collate "C";

create index deliveries_event on deliveries (tenant_id, event, id) where event is not null;
create index deliveries_record on deliveries (tenant_id, record_id, id) where record_id is not null;

alter table delivery_attempts
  -- Method, URL and headers of the request. Secrets are masked.
  add column request json,
  -- The first 64 KiB of the request's body, and the size of the whole body.
  add column request_body bytea,
  add column request_bytes integer,
  -- Headers of the response, and how many bytes of its body were read.
  add column answer_headers json,
  add column answer_bytes integer;
