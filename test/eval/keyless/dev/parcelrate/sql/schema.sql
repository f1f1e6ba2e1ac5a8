-- Quotes are kept for 13 months, then nightly deleted (purge_quotes).
create table quotes (
  id uuid primary key,
  asked_at timestamptz not null default now(),
  api_key text not null,
  shipment jsonb not null,
  offers jsonb not null,
  chosen text
);

-- who may ask how much; 0 = blocked
create table api_keys (
  key text primary key,
  shop text not null,
  per_minute integer not null default 240,
  contact text
);

create index quotes_by_shop on quotes (api_key, asked_at desc);
