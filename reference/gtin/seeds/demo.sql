-- Products under GS1's prefix for examples, 952: they exist nowhere else.

insert into product (gtin, name, brand, net_content) values
  ('09520123456788', 'Mountain oats, coarse', 'Alpenrose Mill', '500 g'),
  ('09521234543213', 'Walking boots, size 42', 'Fernweg', null),
  ('19521873000129', 'Carton of mountain oats, 12 bags', 'Alpenrose Mill', '6 kg'),
  ('00000095216843', 'Peppermint, roll', 'Kleine Minze', '25 g');

insert into link (gtin, link_type, href, title, media_type, languages, is_default, forwards_query) values
  ('09520123456788', 'gs1:pip', 'https://products.example.com/oats', 'Product page', 'text/html', '{en}', true, true),
  ('09520123456788', 'gs1:pip', 'https://products.example.com/de/oats', 'Produktseite', 'text/html', '{de}', false, true),
  ('09520123456788', 'gs1:instructions', 'https://products.example.com/oats/stove', 'On the stove', 'text/html', '{en}', false, true),
  ('09520123456788', 'gs1:instructions', 'https://products.example.com/oats/microwave', 'In the microwave', 'text/html', '{en}', false, true),
  ('09520123456788', 'gs1:recallStatus', 'https://recalls.example.com/oats', 'Recalls', null, '{}', false, false),
  ('19521873000129', 'gs1:pip', 'https://products.example.com/oats/carton', 'Product page', 'text/html', '{}', true, true),
  ('00000095216843', 'gs1:pip', 'https://products.example.com/peppermint', 'Product page', 'text/html', '{}', true, true),
  -- The boots have a link, but none to go to by default.
  ('09521234543213', 'gs1:recallStatus', 'https://recalls.example.com/boots', 'Recalls', null, '{}', false, true);

insert into client (subject, name) values
  ('demo', 'Whoever tries this server'),
  ('retailer', 'A shop'),
  ('brand-owner', 'A brand');
