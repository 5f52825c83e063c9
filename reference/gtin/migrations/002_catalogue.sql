create table product (
  gtin gtin14 primary key,
  name text not null,
  brand text not null,
  net_content text
);

-- Whoever follows a link must end up at a public web server: no plain http, userinfo, ports, addresses or internal names.
create function is_public_https(href text) returns boolean
  language sql immutable strict parallel safe
  return href collate "C" ~ '^https://([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}(/[!-~]*)?$'
    and href collate "C" !~ '^https://[^/]*\.(local|localhost|internal|intranet|lan|home|corp)(/|$)';

create table link (
  id bigint generated always as identity primary key,
  gtin gtin14 not null references product on delete cascade,
  link_type text not null check (link_type collate "C" ~ '^gs1:[A-Za-z]+$'),
  href text not null check (is_public_https(href)),
  title text not null,
  media_type text,
  languages text[] not null default '{}',
  is_default boolean not null default false,
  forwards_query boolean not null default true
);

create index link_of_product on link (gtin, id);
create unique index one_default_link on link (gtin) where is_default;
