create table workspace (
  id text primary key check (id collate "C" ~ '^ws_[a-z0-9_]{1,40}$'),
  name text not null
);

-- A key is stored as its digest alone, so that nobody can read one here.
create table api_key (
  id bigint generated always as identity primary key,
  digest bytea not null unique check (octet_length(digest) = 32),
  name text not null,
  may_write boolean not null default true,
  expires_at timestamptz,
  disabled_at timestamptz
);

-- A key may span several workspaces.
create table key_workspace (
  key_id bigint not null references api_key on delete cascade,
  workspace_id text not null references workspace on delete cascade,
  primary key (key_id, workspace_id)
);
