insert into article (sku, name, price_cents, stock) values
  ('LAMP-1', 'Desk lamp', 4900, 100),
  ('CHAIR-2', 'Chair', 12900, 2),
  ('DESK-3', 'Desk', 39900, 10);

insert into country (code, postcode_pattern) values
  ('CH', '^[1-9][0-9]{3}$'),
  ('DE', '^[0-9]{5}$'),
  ('HK', null);

insert into customer_order (customer_email, country, postcode, status, total_cents, placed_at) values
  ('ada@example.com', 'CH', '8001', 'open', 17800, '2026-03-01T08:00:00Z'),
  ('ada@example.com', 'CH', '8001', 'shipped', 39900, '2026-02-01T08:00:00Z'),
  ('bob@example.com', 'DE', '10115', 'open', 4900, '2026-03-02T08:00:00Z');

insert into order_line (order_id, line, sku, quantity, price_cents) values
  (1001, 1, 'LAMP-1', 1, 4900),
  (1001, 2, 'CHAIR-2', 1, 12900),
  (1002, 1, 'DESK-3', 1, 39900),
  (1003, 1, 'LAMP-1', 1, 4900);
