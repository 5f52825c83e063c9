-- Two workspaces, and keys for whoever tries this server. Keys in a seed are known to everybody: never use them elsewhere.

insert into workspace (id, name) values
  ('ws_north', 'North'),
  ('ws_south', 'South'),
  ('ws_other', 'Somebody else''s');

insert into api_key (digest, name, may_write, expires_at, disabled_at) values
  (sha256('pl_key_demo_north_4f1c9a7be2d85360'), 'North', true, null, null),
  (sha256('pl_key_demo_both_8a3e6d1f70c92b54'), 'North and South', true, null, null),
  (sha256('pl_key_demo_read_c05b7e29f4d1836a'), 'North, to read', false, null, null),
  (sha256('pl_key_demo_expired_91d4f6a83b20ce75'), 'North, until last year', true, '2025-01-01', null),
  (sha256('pl_key_demo_revoked_e27a05c9d8f4163b'), 'North, switched off', true, null, '2025-06-01');

insert into key_workspace (key_id, workspace_id)
  select api_key.id, workspace.id from api_key, workspace
  where workspace.id = 'ws_north' or (workspace.id = 'ws_south' and api_key.name = 'North and South');

insert into client (workspace_id, name, email, stage) values
  ('ws_north', 'Ada Brandt', 'ada@example.com', 'customer'),
  ('ws_north', 'Emil Kast', 'emil@example.com', 'lead'),
  ('ws_south', 'Lia Roth', 'lia@example.com', 'lead'),
  ('ws_other', 'Max Stern', 'max@example.com', 'lead');

-- Nora was taken out of her workspace.
insert into agent (workspace_id, name) values
  ('ws_north', 'Iris'),
  ('ws_north', 'Theo'),
  ('ws_south', 'Paul'),
  (null, 'Nora');

insert into campaign (workspace_id, agent_id, name, starts_on, ends_on, launched_at) values
  ('ws_north', 1, 'Spring', '2027-03-01', '2027-03-31', null),
  ('ws_north', 4, 'Summer', '2027-06-01', '2027-06-30', null),
  ('ws_north', 1, 'Winter', '2026-01-01', '2026-01-31', '2026-01-01');

insert into webhook (workspace_id, event, url) values
  ('ws_north', 'client.created', 'https://hooks.example.com/new-client');
