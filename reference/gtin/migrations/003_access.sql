-- Whom tokens are given to; a token of anybody else is refused.
create table client (
  subject text primary key,
  name text not null
);

create table revoked_token (
  id text primary key,
  revoked_at timestamptz not null default now()
);

-- Who speaks for a product; nobody else can claim it.
create table claim (
  gtin gtin14 primary key references product on delete cascade,
  subject text not null references client on delete cascade,
  claimed_at timestamptz not null default now()
);
