-- A GTIN is stored as fourteen digits, and the database itself refuses any that its check digit does not fit.

create function gtin_check_ok(digits text) returns boolean
  language sql immutable strict parallel safe
  return (
    select sum(substr(digits, place, 1)::int * case when (length(digits) - place) % 2 = 1 then 3 else 1 end) % 10 = 0
    from generate_series(1, length(digits)) as place
  );

-- Ranges of characters depend on the collation; in "C" they are those of ASCII.
create domain gtin14 as char(14)
  check (case when value::text collate "C" ~ '^[0-9]{14}$' then gtin_check_ok(value::text) else false end);

-- The fourteen digits of a GTIN in any of its forms, or null: the same rules as in src/gtin/check-gtin.ts.
create function gtin14_of(code text) returns text
  language sql immutable strict parallel safe
  return case
    when code collate "C" !~ '^([0-9]{8}|[0-9]{12,14})$' then null
    when length(code) = 8 and code like '0%' then null
    when length(code) = 12 and code like '0000%' then null
    when lpad(code, 14, '0') like '0000000%' then null
    when not gtin_check_ok(code) then null
    else lpad(code, 14, '0')
  end;
