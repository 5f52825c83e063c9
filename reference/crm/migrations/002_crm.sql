create table client (
  id bigint generated always as identity primary key,
  workspace_id text not null references workspace on delete cascade,
  name text not null,
  email text not null,
  stage text not null default 'lead' check (stage in ('lead', 'customer', 'former'))
);

create index client_of_workspace on client (workspace_id, id);

-- An agent that was taken out of its workspace still exists, and so do the campaigns that name it.
create table agent (
  id bigint generated always as identity primary key,
  workspace_id text references workspace on delete set null,
  name text not null
);

create index agent_of_workspace on agent (workspace_id, id);

create table campaign (
  id bigint generated always as identity primary key,
  workspace_id text not null references workspace on delete cascade,
  agent_id bigint not null references agent on delete restrict,
  name text not null,
  starts_on date not null,
  ends_on date not null check (ends_on >= starts_on),
  launched_at timestamptz
);

create index campaign_of_workspace on campaign (workspace_id, id);

create table webhook (
  id bigint generated always as identity primary key,
  workspace_id text not null references workspace on delete cascade,
  event text not null check (event in ('client.created', 'campaign.launched')),
  url text not null check (url like 'https://%')
);

create index webhook_of_workspace on webhook (workspace_id, id);
