create table article (
  sku text primary key check (sku collate "C" ~ '^[A-Z0-9-]{2,20}$'),
  name text not null,
  price_cents integer not null check (price_cents > 0),
  stock integer not null check (stock >= 0)
);

-- Where orders go to, and how postcodes look there; a country without a pattern has none.
create table country (
  code text primary key check (code collate "C" ~ '^[A-Z]{2}$'),
  postcode_pattern text
);

create type order_status as enum ('open', 'shipped', 'cancelled');

create table customer_order (
  id integer generated always as identity (start with 1001) primary key,
  customer_email text not null,
  country text not null references country,
  postcode text,
  status order_status not null default 'open',
  total_cents bigint not null,
  placed_at timestamptz not null default now(),
  -- The caller's key, and what was ordered with it: an order that is placed twice with one key is one order.
  key text,
  key_order text,
  unique (customer_email, key)
);

create index order_of_customer on customer_order (customer_email, placed_at);

create table order_line (
  order_id integer not null references customer_order on delete cascade,
  line integer not null,
  sku text not null references article,
  quantity integer not null check (quantity > 0),
  price_cents integer not null,
  primary key (order_id, line)
);
