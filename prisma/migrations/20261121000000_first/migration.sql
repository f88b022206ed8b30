-- Every key of workspace data begins with the workspace, so a reference into another workspace is refused here and
-- the tables can be distributed by workspace. IDs compare by bytes (COLLATE "C"), as they do in the program.

CREATE TABLE workspaces (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  email_domain text,
  avatar_url text,
  custom_apps_enabled boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX workspaces_created ON workspaces (created_at, id);

CREATE TABLE users (
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id),
  id text COLLATE "C" NOT NULL,
  kind text NOT NULL CHECK (kind IN ('person', 'app', 'webhook')),
  name text NOT NULL,
  email text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3),
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX users_created ON users (workspace_id, created_at, id) WHERE deleted_at IS NULL;

CREATE TABLE groups (
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id),
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  description text,
  is_private boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id),
  CONSTRAINT general_is_public CHECK (id <> workspace_id OR NOT is_private)
);
CREATE INDEX groups_created ON groups (workspace_id, created_at, id);

-- The General group has the workspace's ID: the key allows no second one, and this reference no workspace without it.
ALTER TABLE workspaces ADD CONSTRAINT workspaces_general_group
  FOREIGN KEY (id, id) REFERENCES groups (workspace_id, id) DEFERRABLE INITIALLY DEFERRED;

CREATE TABLE group_members (
  workspace_id text COLLATE "C" NOT NULL,
  group_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  joined_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, group_id, user_id),
  FOREIGN KEY (workspace_id, group_id) REFERENCES groups (workspace_id, id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id)
);
CREATE INDEX group_members_user ON group_members (workspace_id, user_id, group_id);
CREATE INDEX group_members_joined ON group_members (workspace_id, group_id, joined_at, user_id);

CREATE TABLE threads (
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id),
  id text COLLATE "C" NOT NULL,
  kind text NOT NULL CHECK (kind IN ('thread', 'group_chat', 'dm')),
  subject text,
  chat_group_id text COLLATE "C",
  dm_low_user_id text COLLATE "C",
  dm_high_user_id text COLLATE "C",
  started_by_id text COLLATE "C",
  thread_by text,
  thread_by_target text COLLATE "C",
  last_position integer NOT NULL DEFAULT 0 CHECK (last_position >= 0),
  last_activity_at timestamptz(3) NOT NULL DEFAULT now(),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, id, kind),
  CONSTRAINT one_chat_per_group UNIQUE (workspace_id, chat_group_id),
  CONSTRAINT one_dm_per_pair UNIQUE (workspace_id, dm_low_user_id, dm_high_user_id),
  FOREIGN KEY (workspace_id, chat_group_id) REFERENCES groups (workspace_id, id),
  FOREIGN KEY (workspace_id, dm_low_user_id) REFERENCES users (workspace_id, id),
  FOREIGN KEY (workspace_id, dm_high_user_id) REFERENCES users (workspace_id, id),
  FOREIGN KEY (workspace_id, started_by_id) REFERENCES users (workspace_id, id),
  CONSTRAINT chat_has_one_group CHECK ((kind = 'group_chat') = (chat_group_id IS NOT NULL)),
  CONSTRAINT dm_has_two_users CHECK (
    (kind = 'dm') = (dm_low_user_id IS NOT NULL) AND (kind = 'dm') = (dm_high_user_id IS NOT NULL)),
  CONSTRAINT dm_users_differ CHECK (dm_low_user_id < dm_high_user_id),
  CONSTRAINT thread_has_starter CHECK ((kind = 'thread') = (started_by_id IS NOT NULL)),
  CONSTRAINT only_threads_have_subjects CHECK (kind = 'thread' OR (subject IS NULL AND thread_by IS NULL)),
  CONSTRAINT thread_by_has_target CHECK ((thread_by IS NULL) = (thread_by_target IS NULL))
);
CREATE UNIQUE INDEX one_thread_per_thread_by ON threads (workspace_id, started_by_id, thread_by_target, thread_by)
  WHERE thread_by IS NOT NULL;
CREATE INDEX threads_dm_high ON threads (workspace_id, dm_high_user_id) WHERE dm_high_user_id IS NOT NULL;
CREATE INDEX threads_created ON threads (workspace_id, created_at, id);
CREATE INDEX threads_activity ON threads (workspace_id, last_activity_at, id);

-- The recipients of plain threads. A chat's group and a DM's two users are columns of the thread, so that they fit by
-- construction. The reference with the kind keeps any other recipient away from them.
CREATE TABLE recipients (
  workspace_id text COLLATE "C" NOT NULL,
  thread_id text COLLATE "C" NOT NULL,
  thread_kind text NOT NULL DEFAULT 'thread' CHECK (thread_kind = 'thread'),
  recipient_id text COLLATE "C" NOT NULL GENERATED ALWAYS AS (coalesce(user_id, group_id)) STORED,
  user_id text COLLATE "C",
  group_id text COLLATE "C",
  PRIMARY KEY (workspace_id, thread_id, recipient_id),
  FOREIGN KEY (workspace_id, thread_id, thread_kind) REFERENCES threads (workspace_id, id, kind),
  FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id),
  FOREIGN KEY (workspace_id, group_id) REFERENCES groups (workspace_id, id),
  CONSTRAINT user_or_group CHECK (num_nonnulls(user_id, group_id) = 1)
);
CREATE INDEX recipients_user ON recipients (workspace_id, user_id, thread_id) WHERE user_id IS NOT NULL;
CREATE INDEX recipients_group ON recipients (workspace_id, group_id, thread_id) WHERE group_id IS NOT NULL;

-- A message refers to the one before it, so a thread's positions are 1, 2, 3, ... without a gap.
CREATE TABLE messages (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  thread_id text COLLATE "C" NOT NULL,
  position integer NOT NULL CHECK (position >= 1),
  previous_position integer GENERATED ALWAYS AS (nullif(position - 1, 0)) STORED,
  author_id text COLLATE "C" NOT NULL,
  text text NOT NULL,
  unique_by text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  edited_at timestamptz(3),
  PRIMARY KEY (workspace_id, id),
  CONSTRAINT one_message_per_position UNIQUE (workspace_id, thread_id, position),
  FOREIGN KEY (workspace_id, thread_id) REFERENCES threads (workspace_id, id),
  FOREIGN KEY (workspace_id, author_id) REFERENCES users (workspace_id, id),
  CONSTRAINT no_gap FOREIGN KEY (workspace_id, thread_id, previous_position)
    REFERENCES messages (workspace_id, thread_id, position)
);
CREATE UNIQUE INDEX one_message_per_unique_by ON messages (workspace_id, thread_id, author_id, unique_by)
  WHERE unique_by IS NOT NULL;

CREATE TABLE files (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  uploader_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  size_bytes bigint NOT NULL CHECK (size_bytes >= 0),
  md5 bytea NOT NULL CHECK (octet_length(md5) = 16),
  sha256 bytea NOT NULL CHECK (octet_length(sha256) = 32),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, uploader_id) REFERENCES users (workspace_id, id)
);

CREATE TABLE attachments (
  workspace_id text COLLATE "C" NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  position smallint NOT NULL,
  file_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, message_id, position),
  UNIQUE (workspace_id, message_id, file_id),
  FOREIGN KEY (workspace_id, message_id) REFERENCES messages (workspace_id, id),
  FOREIGN KEY (workspace_id, file_id) REFERENCES files (workspace_id, id),
  CONSTRAINT ten_at_most CHECK (position BETWEEN 1 AND 10)
);
CREATE INDEX attachments_file ON attachments (workspace_id, file_id);

-- Apps, access tokens and webhooks are looked up by what a caller holds, before its workspace is known: hence the
-- indexes beside their keys.
CREATE TABLE apps (
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id),
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3),
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX apps_id ON apps (id);
CREATE INDEX apps_created ON apps (workspace_id, created_at, id) WHERE deleted_at IS NULL;

CREATE TABLE redirect_uris (
  workspace_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  uri text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, app_id, uri),
  FOREIGN KEY (workspace_id, app_id) REFERENCES apps (workspace_id, id)
);

-- The one row that joins two workspaces: where an app is installed, and the workspace that the app is managed in.
CREATE TABLE installations (
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id),
  app_id text COLLATE "C" NOT NULL,
  app_workspace_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  scopes text[] NOT NULL,
  installed_at timestamptz(3) NOT NULL DEFAULT now(),
  uninstalled_at timestamptz(3),
  PRIMARY KEY (workspace_id, app_id),
  FOREIGN KEY (app_workspace_id, app_id) REFERENCES apps (workspace_id, id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id)
);
CREATE INDEX installations_app ON installations (app_workspace_id, app_id) WHERE uninstalled_at IS NULL;
CREATE INDEX installations_installed ON installations (workspace_id, installed_at, app_id) WHERE uninstalled_at IS NULL;

CREATE TABLE access_tokens (
  workspace_id text COLLATE "C" NOT NULL,
  token_hash bytea NOT NULL CHECK (octet_length(token_hash) = 32),
  app_id text COLLATE "C" NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, token_hash),
  FOREIGN KEY (workspace_id, app_id) REFERENCES installations (workspace_id, app_id)
);
CREATE INDEX access_tokens_hash ON access_tokens (token_hash);
CREATE INDEX access_tokens_installation ON access_tokens (workspace_id, app_id);
CREATE INDEX access_tokens_expiry ON access_tokens (expires_at);

CREATE TABLE webhooks (
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id),
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  description text,
  key_hash bytea NOT NULL CHECK (octet_length(key_hash) = 32),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  disabled_at timestamptz(3),
  deleted_at timestamptz(3),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id)
);
CREATE INDEX webhooks_id ON webhooks (id);
CREATE INDEX webhooks_created ON webhooks (workspace_id, created_at, id) WHERE deleted_at IS NULL;
