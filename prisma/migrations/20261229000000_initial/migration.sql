-- Every key of workspace data begins with the workspace. Therefore PostgreSQL refuses a reference to another workspace.
-- IDs compare by their bytes (COLLATE "C"), as they do in the program. A hash of a secret has 32 bytes. Therefore the
-- secret itself cannot be stored in its place.

CREATE TABLE workspaces (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  email_domain text,
  avatar_url text,
  custom_apps_enabled boolean NOT NULL DEFAULT true,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  general_group_id text COLLATE "C" GENERATED ALWAYS AS ('grp_' || substr(id, 5)) STORED NOT NULL,
  members_may_create_apps boolean NOT NULL DEFAULT false,
  members_may_create_webhooks boolean NOT NULL DEFAULT false
);
CREATE INDEX workspaces_created ON workspaces (created_at, id);

-- An account is an email address that signs in. It belongs to no workspace. In each workspace it is at most one person.
-- is_verified says whether a mailed link, the operator or a provider has proven that the address belongs to its owner.
-- Tokens and grants from before verified_at do not work, because somebody else may have created them.
CREATE TABLE accounts (
  id text COLLATE "C" PRIMARY KEY,
  email text NOT NULL CHECK (email = lower(email)) UNIQUE,
  is_verified boolean NOT NULL DEFAULT false,
  password_hash text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  deactivated_at timestamptz(3),
  verified_at timestamptz(3)
);
CREATE INDEX accounts_by_creation ON accounts (created_at, id);

CREATE TABLE sessions (
  token_hash bytea CHECK (octet_length(token_hash) = 32) PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts,
  user_agent text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3) NOT NULL DEFAULT now(),
  may_reset_password boolean NOT NULL DEFAULT false
);
CREATE INDEX sessions_account ON sessions (account_id, created_at, id);
CREATE INDEX sessions_last_used ON sessions (last_used_at);

-- A link is deleted when it is used. With a workspace, it is an invitation to it, and replaces the earlier invitations
-- of the address. proves_email says whether everyone who has the link owns the address. An invitation that an admin
-- copies does not prove this.
CREATE TABLE sign_in_links (
  code_hash bytea CHECK (octet_length(code_hash) = 32) PRIMARY KEY,
  email text NOT NULL CHECK (email = lower(email)),
  workspace_id text COLLATE "C" REFERENCES workspaces,
  proves_email boolean NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX sign_in_links_email ON sign_in_links (email);
CREATE INDEX sign_in_links_expiry ON sign_in_links (expires_at);

-- A person at an identity provider. The account stays the same if the provider changes the address of the person.
CREATE TABLE oidc_subjects (
  issuer text NOT NULL,
  subject text NOT NULL,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX oidc_subjects_account ON oidc_subjects (account_id);

-- The tokens of the operator, except the first one, which is a setting or a file.
CREATE TABLE operator_tokens (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL UNIQUE,
  token_hash bytea NOT NULL CHECK (octet_length(token_hash) = 32) UNIQUE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3),
  last_used_at timestamptz(3)
);

-- An address signs in as one person of a workspace. Tokens and grants from before restored_at do not work. An
-- invitation looks for deleted people who had the address.
CREATE TABLE users (
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  id text COLLATE "C" NOT NULL,
  kind text NOT NULL CHECK (kind IN ('person', 'app', 'webhook')),
  name text NOT NULL,
  email text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3),
  account_id text COLLATE "C" REFERENCES accounts,
  folded_name text COLLATE "C",
  restored_at timestamptz(3),
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX deleted_people_emails ON users (workspace_id, lower(email))
  WHERE deleted_at IS NOT NULL AND email IS NOT NULL;
CREATE INDEX users_created ON users (workspace_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX users_id ON users (id);
CREATE INDEX users_to_fold ON users (workspace_id, id) WHERE folded_name IS NULL;
CREATE INDEX users_unlinked ON users
  (lower(email))
  WHERE account_id IS NULL AND kind = 'person' AND deleted_at IS NULL;
CREATE UNIQUE INDEX one_person_per_email ON users (workspace_id, lower(email))
  WHERE deleted_at IS NULL AND email IS NOT NULL;
CREATE UNIQUE INDEX users_account ON users (account_id, workspace_id) WHERE account_id IS NOT NULL;

-- A token with which a person uses the API without a browser. If another account becomes the person, it does not work.
CREATE TABLE personal_access_tokens (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  scopes text[] NOT NULL,
  token_hash bytea NOT NULL CHECK (octet_length(token_hash) = 32),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3),
  account_id text COLLATE "C",
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES users
);
CREATE INDEX personal_access_tokens_expiry ON personal_access_tokens (expires_at);
CREATE INDEX personal_access_tokens_user ON personal_access_tokens (workspace_id, user_id, id);
CREATE UNIQUE INDEX personal_access_tokens_hash ON personal_access_tokens (token_hash);

-- The General group has the ID of the workspace with the prefix grp_. Therefore the keys allow no second General group
-- and no workspace without one. The names of private groups can repeat, because a refusal would reveal them to people
-- who are not members.
CREATE TABLE groups (
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  description text,
  is_private boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  folded_name text COLLATE "C",
  PRIMARY KEY (workspace_id, id),
  CONSTRAINT general_is_public CHECK (id <> 'grp_' || substr(workspace_id, 5) OR NOT is_private)
);
CREATE INDEX groups_created ON groups (workspace_id, created_at, id);
CREATE INDEX groups_id ON groups (id);
CREATE INDEX groups_to_fold ON groups (workspace_id, id) WHERE folded_name IS NULL;
CREATE UNIQUE INDEX one_public_group_per_name ON groups (workspace_id, lower(name)) WHERE NOT is_private;
ALTER TABLE workspaces ADD CONSTRAINT workspaces_general_group
  FOREIGN KEY (id, general_group_id) REFERENCES groups (workspace_id, id) DEFERRABLE INITIALLY DEFERRED;

-- An admin of the General group is an admin of the workspace.
CREATE TABLE group_members (
  workspace_id text COLLATE "C" NOT NULL,
  group_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  joined_at timestamptz(3) NOT NULL DEFAULT now(),
  role text NOT NULL DEFAULT 'member' CHECK (role IN ('admin', 'member')),
  PRIMARY KEY (workspace_id, group_id, user_id),
  FOREIGN KEY (workspace_id, group_id) REFERENCES groups,
  FOREIGN KEY (workspace_id, user_id) REFERENCES users
);
CREATE INDEX group_members_admins ON group_members (workspace_id, group_id, user_id) WHERE role = 'admin';
CREATE INDEX group_members_joined ON group_members (workspace_id, group_id, joined_at, user_id);
CREATE INDEX group_members_user ON group_members (workspace_id, user_id, group_id);

-- The groups of a person at the time of their deletion, without the General group.
CREATE TABLE former_members (
  workspace_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  group_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, user_id, group_id),
  FOREIGN KEY (workspace_id, group_id) REFERENCES groups,
  FOREIGN KEY (workspace_id, user_id) REFERENCES users
);

-- The bytes in storage, by their SHA-256. Several files, also of several workspaces, can share them. At sweep_at, the
-- sweep looks whether a file refers to them. Who is about to store the bytes delays it first.
CREATE TABLE contents (
  sha256 bytea CHECK (octet_length(sha256) = 32) PRIMARY KEY,
  sweep_at timestamptz(3)
);
CREATE INDEX contents_sweep ON contents (sweep_at) WHERE sweep_at IS NOT NULL;

-- At sweep_at, the sweep looks whether the file is attached to a message.
CREATE TABLE files (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  uploader_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  size_bytes bigint NOT NULL CHECK (size_bytes >= 0),
  md5 bytea NOT NULL CHECK (octet_length(md5) = 16),
  sha256 bytea NOT NULL CHECK (octet_length(sha256) = 32),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  content_type text NOT NULL DEFAULT 'application/octet-stream',
  width integer CHECK (width > 0),
  height integer CHECK (height > 0),
  sweep_at timestamptz(3) NOT NULL DEFAULT now() + interval '1 day',
  PRIMARY KEY (workspace_id, id),
  CONSTRAINT both_or_neither CHECK ((width IS NULL) = (height IS NULL)),
  CONSTRAINT files_content FOREIGN KEY (sha256) REFERENCES contents (sha256),
  FOREIGN KEY (workspace_id, uploader_id) REFERENCES users
);
CREATE INDEX files_content ON files (sha256);
CREATE INDEX files_md5 ON files (workspace_id, md5, uploader_id);
CREATE INDEX files_sweep ON files (sweep_at);

-- The permission to upload one file. An upload claims the ticket when it begins, and names the file at its end.
CREATE TABLE upload_tickets (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  uploader_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  size_bytes bigint NOT NULL CHECK (size_bytes >= 0),
  md5 bytea NOT NULL CHECK (octet_length(md5) = 16),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  claimed_at timestamptz(3),
  file_id text COLLATE "C",
  PRIMARY KEY (workspace_id, id),
  CONSTRAINT one_ticket_per_file UNIQUE (workspace_id, file_id),
  CONSTRAINT claimed_before_filled CHECK (file_id IS NULL OR claimed_at IS NOT NULL),
  FOREIGN KEY (workspace_id, file_id) REFERENCES files ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, uploader_id) REFERENCES users
);
CREATE INDEX upload_tickets_expiry ON upload_tickets (expires_at);

-- How many bytes the files of a workspace have. A workspace gets a row with the first upload that a quota is checked
-- for. From then on, each statement that writes or deletes files counts here. Without a quota there are no rows, and
-- uploads to one workspace do not wait for each other.
CREATE TABLE workspace_storage (
  workspace_id text COLLATE "C" PRIMARY KEY REFERENCES workspaces,
  used_bytes bigint NOT NULL CHECK (used_bytes >= 0)
);

-- A public app has no secret, because its users could read it. A listed app can be installed in other workspaces. The
-- creator is null if it was the operator. The indexes by ID serve look-ups before the workspace is known.
CREATE TABLE apps (
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  secret_hash bytea CHECK (octet_length(secret_hash) = 32),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3),
  is_listed boolean NOT NULL DEFAULT false,
  creator_id text COLLATE "C",
  description text,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, creator_id) REFERENCES users
);
CREATE INDEX apps_created ON apps (workspace_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX apps_id ON apps (id);

CREATE TABLE redirect_uris (
  workspace_id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  uri text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, app_id, uri),
  FOREIGN KEY (workspace_id, app_id) REFERENCES apps
);

-- The only row that joins two workspaces: the one where an app is installed, and the one that manages the app.
CREATE TABLE installations (
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  app_id text COLLATE "C" NOT NULL,
  app_workspace_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  scopes text[] NOT NULL,
  installed_at timestamptz(3) NOT NULL DEFAULT now(),
  uninstalled_at timestamptz(3),
  PRIMARY KEY (workspace_id, app_id),
  FOREIGN KEY (app_workspace_id, app_id) REFERENCES apps,
  FOREIGN KEY (workspace_id, user_id) REFERENCES users
);
CREATE INDEX installations_app ON installations (app_workspace_id, app_id) WHERE uninstalled_at IS NULL;
CREATE INDEX installations_installed ON installations
  (workspace_id, installed_at, app_id)
  WHERE uninstalled_at IS NULL;
CREATE INDEX installations_user ON installations (workspace_id, user_id);

-- The consent of a person. The app exchanges the code for tokens. All of them end when the grant is deleted. The tokens
-- act as the person if acts_as_user is true, and otherwise as the app user. If another account becomes the person, they
-- do not work. The grant expires with its code, and after its first use when its tokens have not been used for a time.
CREATE TABLE grants (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  acts_as_user boolean NOT NULL,
  scopes text[] NOT NULL,
  code_hash bytea NOT NULL CHECK (octet_length(code_hash) = 32),
  code_challenge text,
  redirect_uri text NOT NULL,
  code_used_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  account_id text COLLATE "C",
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, app_id) REFERENCES installations (workspace_id, app_id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES users
);
CREATE INDEX grants_expiry ON grants (expires_at);
CREATE INDEX grants_installation ON grants (workspace_id, app_id);
CREATE INDEX grants_user ON grants (workspace_id, user_id, created_at, id);
CREATE UNIQUE INDEX grants_code ON grants (code_hash);

-- A token has the scopes that were requested, as far as the installation still has them. With user_id, it acts as this
-- person.
CREATE TABLE access_tokens (
  workspace_id text COLLATE "C" NOT NULL,
  token_hash bytea NOT NULL CHECK (octet_length(token_hash) = 32),
  app_id text COLLATE "C" NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  scopes text[] NOT NULL,
  grant_id text COLLATE "C",
  user_id text COLLATE "C",
  PRIMARY KEY (workspace_id, token_hash),
  FOREIGN KEY (workspace_id, app_id) REFERENCES installations (workspace_id, app_id),
  FOREIGN KEY (workspace_id, grant_id) REFERENCES grants ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, user_id) REFERENCES users
);
CREATE INDEX access_tokens_expiry ON access_tokens (expires_at);
CREATE INDEX access_tokens_grant ON access_tokens (workspace_id, grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX access_tokens_hash ON access_tokens (token_hash);
CREATE INDEX access_tokens_installation ON access_tokens (workspace_id, app_id);

-- A refresh token is replaced when it is used. The row stays, so that a second use is noticed. During the grace period,
-- the successor is derived from the token and the salt.
CREATE TABLE refresh_tokens (
  workspace_id text COLLATE "C" NOT NULL,
  token_hash bytea NOT NULL CHECK (octet_length(token_hash) = 32),
  grant_id text COLLATE "C" NOT NULL,
  replaced_at timestamptz(3),
  successor_salt bytea,
  PRIMARY KEY (workspace_id, token_hash),
  CHECK (successor_salt IS NULL OR ((octet_length(successor_salt) = 32) AND replaced_at IS NOT NULL)),
  FOREIGN KEY (workspace_id, grant_id) REFERENCES grants ON DELETE CASCADE
);
CREATE INDEX refresh_tokens_grant ON refresh_tokens (workspace_id, grant_id);
CREATE INDEX refresh_tokens_replaced ON refresh_tokens (replaced_at) WHERE replaced_at IS NOT NULL;
CREATE INDEX refresh_tokens_salted ON refresh_tokens (replaced_at) WHERE successor_salt IS NOT NULL;
CREATE UNIQUE INDEX refresh_tokens_hash ON refresh_tokens (token_hash);

-- A disabled webhook keeps its name, so that it can be enabled again. last_used_at is the time of its last message or
-- upload.
CREATE TABLE webhooks (
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  description text,
  key_hash bytea NOT NULL CHECK (octet_length(key_hash) = 32),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  disabled_at timestamptz(3),
  deleted_at timestamptz(3),
  creator_id text COLLATE "C",
  last_used_at timestamptz(3),
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, creator_id) REFERENCES users,
  FOREIGN KEY (workspace_id, user_id) REFERENCES users
);
CREATE INDEX webhooks_created ON webhooks (workspace_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX webhooks_id ON webhooks (id);
CREATE INDEX webhooks_user ON webhooks (workspace_id, user_id);
CREATE UNIQUE INDEX one_webhook_per_name ON webhooks (workspace_id, lower(name)) WHERE deleted_at IS NULL;

-- Each message changes the last position and activity of its thread. Pages have room for new versions of rows, and the
-- activity is indexed by the second. Therefore a new version usually needs no new index entries (heap-only tuples). A
-- message that waited for the lock of a change of the thread compares `changes`, because PostgreSQL shows it the new
-- version of the row that it waited for, but the old recipients.
CREATE TABLE threads (
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
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
  closed_at timestamptz(3),
  recipients_locked boolean NOT NULL DEFAULT false,
  replies_off boolean NOT NULL DEFAULT false,
  from_message_id text COLLATE "C",
  changes integer NOT NULL DEFAULT 0,
  activity_period bigint NOT NULL
    GENERATED ALWAYS AS (floor(extract(epoch FROM last_activity_at AT TIME ZONE 'UTC'))::bigint) STORED,
  folded_subject text COLLATE "C",
  PRIMARY KEY (workspace_id, id),
  CONSTRAINT one_chat_per_group UNIQUE (workspace_id, chat_group_id),
  CONSTRAINT one_dm_per_pair UNIQUE (workspace_id, dm_low_user_id, dm_high_user_id),
  UNIQUE (workspace_id, id, kind),
  CONSTRAINT chat_has_one_group CHECK ((kind = 'group_chat') = (chat_group_id IS NOT NULL)),
  CONSTRAINT dm_has_two_users CHECK (
    (kind = 'dm') = (dm_low_user_id IS NOT NULL) AND (kind = 'dm') = (dm_high_user_id IS NOT NULL)),
  CONSTRAINT dm_users_differ CHECK (dm_low_user_id < dm_high_user_id),
  CONSTRAINT only_threads_have_states CHECK (
    kind = 'thread' OR NOT (closed_at IS NOT NULL OR recipients_locked OR replies_off OR from_message_id IS NOT NULL)),
  CONSTRAINT only_threads_have_subjects CHECK (kind = 'thread' OR (subject IS NULL AND thread_by IS NULL)),
  CONSTRAINT thread_by_has_target CHECK ((thread_by IS NULL) = (thread_by_target IS NULL)),
  CONSTRAINT thread_has_starter CHECK ((kind = 'thread') = (started_by_id IS NOT NULL)),
  FOREIGN KEY (workspace_id, chat_group_id) REFERENCES groups,
  FOREIGN KEY (workspace_id, dm_high_user_id) REFERENCES users,
  FOREIGN KEY (workspace_id, dm_low_user_id) REFERENCES users,
  FOREIGN KEY (workspace_id, started_by_id) REFERENCES users
) WITH (fillfactor = 60);
CREATE INDEX threads_activity ON threads (workspace_id, activity_period);
CREATE INDEX threads_created ON threads (workspace_id, created_at, id);
CREATE INDEX threads_dm_high ON threads (workspace_id, dm_high_user_id) WHERE dm_high_user_id IS NOT NULL;
CREATE INDEX threads_from_message ON threads
  (workspace_id, from_message_id, created_at, id)
  WHERE from_message_id IS NOT NULL;
CREATE INDEX threads_started_by ON threads
  (workspace_id, started_by_id, created_at, id)
  WHERE started_by_id IS NOT NULL;
CREATE INDEX threads_to_fold ON threads
  (workspace_id, id)
  WHERE folded_subject IS NULL AND subject IS NOT NULL;
CREATE UNIQUE INDEX one_thread_per_thread_by ON threads
  (workspace_id, started_by_id, thread_by_target, thread_by)
  WHERE thread_by IS NOT NULL;

-- The recipients of threads. The group of a chat and the two users of a DM are columns of the thread. The reference
-- with the kind allows no other recipients for them.
CREATE TABLE recipients (
  workspace_id text COLLATE "C" NOT NULL,
  thread_id text COLLATE "C" NOT NULL,
  thread_kind text NOT NULL DEFAULT 'thread' CHECK (thread_kind = 'thread'),
  recipient_id text COLLATE "C" GENERATED ALWAYS AS (coalesce(user_id, group_id)) STORED NOT NULL,
  user_id text COLLATE "C",
  group_id text COLLATE "C",
  PRIMARY KEY (workspace_id, thread_id, recipient_id),
  CONSTRAINT user_or_group CHECK (num_nonnulls(user_id, group_id) = 1),
  FOREIGN KEY (workspace_id, group_id) REFERENCES groups,
  FOREIGN KEY (workspace_id, thread_id, thread_kind) REFERENCES threads (workspace_id, id, kind),
  FOREIGN KEY (workspace_id, user_id) REFERENCES users
);
CREATE INDEX recipients_group ON recipients (workspace_id, group_id, thread_id) WHERE group_id IS NOT NULL;
CREATE INDEX recipients_user ON recipients (workspace_id, user_id, thread_id) WHERE user_id IS NOT NULL;

-- A message refers to the previous one. Therefore the positions of a thread are 1, 2, 3, ... without gaps. A message
-- with an event was written by the service. author_reads is true if the author can read threads, and null for webhooks,
-- which cost no entry in the index of own messages.
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
  attachment_count smallint NOT NULL DEFAULT 0 CHECK (attachment_count BETWEEN 0 AND 10),
  opened_thread_id text COLLATE "C" GENERATED ALWAYS AS (CASE WHEN position = 1 THEN thread_id END) STORED,
  deleted_at timestamptz(3),
  event jsonb,
  author_reads boolean,
  PRIMARY KEY (workspace_id, id),
  CONSTRAINT one_message_per_position UNIQUE (workspace_id, thread_id, position),
  CONSTRAINT deleted_is_empty CHECK (
    deleted_at IS NULL OR text = '' AND unique_by IS NULL AND attachment_count = 0 AND event IS NULL),
  FOREIGN KEY (workspace_id, author_id) REFERENCES users,
  FOREIGN KEY (workspace_id, opened_thread_id) REFERENCES threads (workspace_id, id),
  CONSTRAINT no_gap FOREIGN KEY (workspace_id, thread_id, previous_position)
    REFERENCES messages (workspace_id, thread_id, position)
);
CREATE INDEX messages_own ON messages (workspace_id, thread_id, author_id, position) WHERE author_reads;
CREATE UNIQUE INDEX one_message_per_unique_by ON messages
  (workspace_id, thread_id, author_id, unique_by)
  WHERE unique_by IS NOT NULL;
ALTER TABLE threads ADD FOREIGN KEY (workspace_id, from_message_id) REFERENCES messages (workspace_id, id);

CREATE TABLE attachments (
  workspace_id text COLLATE "C" NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  position smallint NOT NULL,
  file_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, message_id, position),
  UNIQUE (workspace_id, message_id, file_id),
  CONSTRAINT ten_at_most CHECK (position BETWEEN 1 AND 10),
  FOREIGN KEY (workspace_id, file_id) REFERENCES files,
  FOREIGN KEY (workspace_id, message_id) REFERENCES messages
);
CREATE INDEX attachments_file ON attachments (workspace_id, file_id);

-- The number is the order of reactions in the same millisecond.
CREATE TABLE reactions (
  workspace_id text COLLATE "C" NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  emoji text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  number bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (workspace_id, message_id, emoji, user_id),
  FOREIGN KEY (workspace_id, message_id) REFERENCES messages,
  FOREIGN KEY (workspace_id, user_id) REFERENCES users
);

-- How far a user has read a thread. Own messages are never unread: own_total counts them, and own_read those up to
-- read_up_to.
CREATE TABLE reads (
  workspace_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  thread_id text COLLATE "C" NOT NULL,
  read_up_to integer NOT NULL CHECK (read_up_to >= 0),
  own_total integer NOT NULL DEFAULT 0,
  own_read integer NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, user_id, thread_id),
  CONSTRAINT own_read_of_total CHECK (own_read BETWEEN 0 AND own_total),
  FOREIGN KEY (workspace_id, thread_id) REFERENCES threads (workspace_id, id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES users
) WITH (fillfactor = 80);

-- The search index. It is derived from messages and subjects, and written after them. Therefore it refers to nothing.
-- thread_changes is threads.changes when the words were read. Therefore an older subject never replaces a newer one.
-- There is no pending list, because every search would read it.
CREATE TABLE searchable_messages (
  workspace_id text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL,
  position integer NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  edited_at timestamptz(3),
  words tsvector NOT NULL,
  thread_changes integer NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, created_at, position, message_id)
);
CREATE INDEX searchable_messages_words ON searchable_messages USING gin (words) WITH (fastupdate=off);

-- A folded name or subject is the text as searches compare it. SQL cannot fold. Therefore the service fills the column
-- before a search reads it, and these triggers empty it when the text changes.
CREATE FUNCTION empty_folded_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.folded_name := NULL;
  RETURN NEW;
END $$;
CREATE FUNCTION empty_folded_subject() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.folded_subject := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER users_renamed BEFORE UPDATE OF name ON users
  FOR EACH ROW WHEN (NEW.name IS DISTINCT FROM OLD.name) EXECUTE FUNCTION empty_folded_name();
CREATE TRIGGER groups_renamed BEFORE UPDATE OF name ON groups
  FOR EACH ROW WHEN (NEW.name IS DISTINCT FROM OLD.name) EXECUTE FUNCTION empty_folded_name();
CREATE TRIGGER threads_renamed BEFORE UPDATE OF subject ON threads
  FOR EACH ROW WHEN (NEW.subject IS DISTINCT FROM OLD.subject) EXECUTE FUNCTION empty_folded_subject();

-- What changed, inserted by the statement that makes the change. A row can hold several events of a workspace. There is
-- no foreign key, because it would lock the row of the workspace in every write.
CREATE TABLE event_notes (
  workspace_id text COLLATE "C" NOT NULL,
  number bigserial,
  types text[] NOT NULL,
  thread_ids text[] NOT NULL,
  object_ids text[] NOT NULL,
  details jsonb[],
  noted_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (workspace_id, number)
) WITH (toast_tuple_target = 8160);

-- The position of the last event of each workspace.
CREATE TABLE event_heads (
  workspace_id text COLLATE "C" PRIMARY KEY REFERENCES workspaces,
  position bigint NOT NULL
);

-- The log: consecutive events of a workspace. Positions have no gaps. Numbers have the order of the commits.
CREATE TABLE event_batches (
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  last_position bigint NOT NULL,
  number bigserial,
  types text[] NOT NULL,
  thread_ids text[] NOT NULL,
  object_ids text[] NOT NULL,
  details jsonb[],
  times timestamptz(3)[] NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, last_position)
) WITH (toast_tuple_target = 8160);
CREATE UNIQUE INDEX event_batches_number ON event_batches (number);

-- How far the search index has read the log.
CREATE TABLE search_progress (
  workspace_id text COLLATE "C" PRIMARY KEY REFERENCES workspaces,
  position bigint NOT NULL
);

-- A URL to which events are sent. It belongs to an app or a webhook, and receives the events that the app or webhook
-- can see.
CREATE TABLE event_endpoints (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  app_id text COLLATE "C",
  webhook_id text COLLATE "C",
  url text NOT NULL,
  types text[] NOT NULL,
  group_id text COLLATE "C",
  secret bytea NOT NULL,
  previous_secret bytea,
  previous_secret_ends_at timestamptz(3),
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'paused', 'disabled')),
  failing_since timestamptz(3),
  creator_id text COLLATE "C",
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3),
  PRIMARY KEY (workspace_id, id),
  CONSTRAINT app_or_webhook CHECK (num_nonnulls(app_id, webhook_id) = 1),
  CONSTRAINT previous_secret_ends CHECK ((previous_secret IS NULL) = (previous_secret_ends_at IS NULL)),
  FOREIGN KEY (workspace_id, app_id) REFERENCES apps,
  FOREIGN KEY (workspace_id, creator_id) REFERENCES users,
  FOREIGN KEY (workspace_id, group_id) REFERENCES groups,
  FOREIGN KEY (workspace_id, webhook_id) REFERENCES webhooks
);
CREATE INDEX event_endpoints_app ON event_endpoints (workspace_id, app_id) WHERE deleted_at IS NULL;
CREATE INDEX event_endpoints_id ON event_endpoints (id);
CREATE INDEX event_endpoints_webhook ON event_endpoints (workspace_id, webhook_id) WHERE deleted_at IS NULL;

-- How far an endpoint has read the log of a workspace. The workspace of an event can differ from the workspace of the
-- endpoint, because an app is installed in several workspaces. Everything else is in the workspace of the endpoint.
CREATE TABLE event_listeners (
  workspace_id text COLLATE "C" NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  event_workspace_id text COLLATE "C" NOT NULL,
  position bigint NOT NULL,
  is_resuming boolean NOT NULL DEFAULT false,
  PRIMARY KEY (workspace_id, endpoint_id, event_workspace_id),
  FOREIGN KEY (workspace_id, endpoint_id) REFERENCES event_endpoints
);
CREATE INDEX event_listeners_event_workspace ON event_listeners (event_workspace_id);
CREATE INDEX event_listeners_resuming ON event_listeners (event_workspace_id) WHERE is_resuming;

-- One event for one endpoint. It refers to the change, and has no contents. A test event has no position.
CREATE TABLE event_deliveries (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  event_workspace_id text COLLATE "C" NOT NULL,
  position bigint,
  type text NOT NULL,
  thread_id text COLLATE "C",
  object_id text COLLATE "C" NOT NULL,
  details jsonb,
  event_created_at timestamptz(3) NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'succeeded', 'failed', 'dropped', 'skipped')),
  attempt_count integer NOT NULL DEFAULT 0,
  retry_count integer NOT NULL DEFAULT 0,
  started_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, endpoint_id) REFERENCES event_endpoints
);
CREATE INDEX event_deliveries_created ON event_deliveries (workspace_id, endpoint_id, created_at, id);
CREATE INDEX event_deliveries_pending ON event_deliveries
  (workspace_id, endpoint_id, key, position)
  WHERE status = 'pending';
CREATE INDEX event_deliveries_status ON event_deliveries
  (workspace_id, endpoint_id, status, created_at, id)
  WHERE status <> 'succeeded';

-- The pending deliveries of an endpoint with one key, such as those of one thread. They are sent one after another. A
-- process that claims a queue increases `claim`, and delays the next attempt until its claim expires.
CREATE TABLE event_queues (
  workspace_id text COLLATE "C" NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  pending integer NOT NULL,
  claim integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3),
  PRIMARY KEY (workspace_id, endpoint_id, key),
  CONSTRAINT attempt_while_pending CHECK ((pending > 0) = (next_attempt_at IS NOT NULL)),
  FOREIGN KEY (workspace_id, endpoint_id) REFERENCES event_endpoints
);
CREATE INDEX event_queues_due ON event_queues
  (workspace_id, endpoint_id, next_attempt_at)
  WHERE next_attempt_at IS NOT NULL;

-- One request of a delivery, with the beginning of the response.
CREATE TABLE event_attempts (
  workspace_id text COLLATE "C" NOT NULL,
  delivery_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  started_at timestamptz(3) NOT NULL,
  duration_ms integer NOT NULL,
  status smallint,
  error text,
  response text,
  PRIMARY KEY (workspace_id, delivery_id, number),
  FOREIGN KEY (workspace_id, delivery_id) REFERENCES event_deliveries ON DELETE CASCADE
);

-- The views say who can see what, for all statements. A statement names the viewer, a user, by viewer_id. OFFSET 0
-- stops PostgreSQL from answering a probe for the rows of all workspaces at once, because a page needs only a few.
CREATE VIEW visible_groups AS
SELECT viewer.id AS viewer_id, g.*
FROM users viewer JOIN groups g ON g.workspace_id = viewer.workspace_id
WHERE NOT g.is_private OR EXISTS (
  SELECT FROM group_members m
  WHERE m.workspace_id = g.workspace_id AND m.group_id = g.id AND m.user_id = viewer.id OFFSET 0);
COMMENT ON VIEW visible_groups IS
  'Public groups, and private groups that the viewer is a member of.';

CREATE VIEW group_admins AS
SELECT g.workspace_id, g.id AS group_id, m.user_id
FROM groups g JOIN group_members m
  ON m.workspace_id = g.workspace_id AND m.group_id IN (g.id, 'grp_' || substr(g.workspace_id, 5))
WHERE m.role = 'admin';
COMMENT ON VIEW group_admins IS
  'The users who administer a group: its admins, and the admins of the workspace, who are the admins of the General group.';

CREATE VIEW visible_threads AS
SELECT viewer.id AS viewer_id, t.*
FROM users viewer JOIN threads t ON t.workspace_id = viewer.workspace_id
WHERE t.dm_low_user_id = viewer.id OR t.dm_high_user_id = viewer.id
  OR t.chat_group_id IS NOT NULL AND EXISTS (
    SELECT FROM visible_groups g
    WHERE g.viewer_id = viewer.id AND g.workspace_id = t.workspace_id AND g.id = t.chat_group_id OFFSET 0)
  OR EXISTS (
    SELECT FROM recipients r
    WHERE r.workspace_id = t.workspace_id AND r.thread_id = t.id
      AND (r.user_id = viewer.id OR r.group_id IS NOT NULL AND EXISTS (
        SELECT FROM visible_groups g
        WHERE g.viewer_id = viewer.id AND g.workspace_id = r.workspace_id AND g.id = r.group_id OFFSET 0))
    OFFSET 0);
COMMENT ON VIEW visible_threads IS
  'DMs of the viewer, chats of visible groups, and threads whose recipients include the viewer or a visible group.';

CREATE VIEW visible_thread_ids AS
SELECT workspace_id, dm_low_user_id AS viewer_id, id, 'dm' AS found_as FROM threads
UNION ALL
SELECT workspace_id, dm_high_user_id, id, 'dm' FROM threads
UNION ALL
SELECT workspace_id, user_id, thread_id, 'recipient' FROM recipients
UNION ALL
SELECT g.workspace_id, g.viewer_id, t.id, 'group chat' FROM visible_groups g CROSS JOIN LATERAL (
  SELECT id FROM threads WHERE workspace_id = g.workspace_id AND chat_group_id = g.id OFFSET 0) AS t
UNION ALL
SELECT g.workspace_id, g.viewer_id, r.thread_id, 'recipient' FROM visible_groups g CROSS JOIN LATERAL (
  SELECT thread_id FROM recipients WHERE workspace_id = g.workspace_id AND group_id = g.id OFFSET 0) AS r;
COMMENT ON VIEW visible_thread_ids IS
  'The IDs of the visible threads, for statements that gather a few threads. An ID can occur several times.';

CREATE VIEW visible_files AS
SELECT viewer.id AS viewer_id, f.*
FROM users viewer JOIN files f ON f.workspace_id = viewer.workspace_id
WHERE f.uploader_id = viewer.id OR EXISTS (
  SELECT FROM attachments a
  JOIN messages m ON m.workspace_id = a.workspace_id AND m.id = a.message_id
  JOIN visible_threads t ON t.workspace_id = m.workspace_id AND t.id = m.thread_id
  WHERE a.workspace_id = f.workspace_id AND a.file_id = f.id AND a.position <= m.attachment_count
    AND t.viewer_id = viewer.id OFFSET 0);
COMMENT ON VIEW visible_files IS
  'Files that the viewer uploaded, and files attached to messages in visible threads.';

CREATE VIEW active_webhooks AS
SELECT * FROM webhooks WHERE disabled_at IS NULL AND deleted_at IS NULL;
COMMENT ON VIEW active_webhooks IS
  'Webhooks that can post. Disabled and deleted webhooks cannot.';

CREATE VIEW managed_apps AS
SELECT viewer.id AS viewer_id, a.*
FROM users viewer JOIN apps a ON a.workspace_id = viewer.workspace_id
WHERE a.deleted_at IS NULL AND (EXISTS (
    SELECT FROM group_members m
    WHERE m.workspace_id = viewer.workspace_id AND m.group_id = 'grp_' || substr(viewer.workspace_id, 5)
      AND m.user_id = viewer.id AND m.role = 'admin' OFFSET 0)
  OR a.creator_id = viewer.id AND viewer.kind = 'person' AND viewer.deleted_at IS NULL AND EXISTS (
    SELECT FROM workspaces w WHERE w.id = viewer.workspace_id AND w.members_may_create_apps OFFSET 0));
COMMENT ON VIEW managed_apps IS
  'The apps that the viewer manages: all apps of the workspace for its admins, and the viewer''s own apps while members may create apps.';

CREATE VIEW managed_webhooks AS
SELECT viewer.id AS viewer_id, h.*
FROM users viewer JOIN webhooks h ON h.workspace_id = viewer.workspace_id
WHERE h.deleted_at IS NULL AND (EXISTS (
    SELECT FROM group_members m
    WHERE m.workspace_id = viewer.workspace_id AND m.group_id = 'grp_' || substr(viewer.workspace_id, 5)
      AND m.user_id = viewer.id AND m.role = 'admin' OFFSET 0)
  OR h.creator_id = viewer.id AND viewer.kind = 'person' AND viewer.deleted_at IS NULL AND EXISTS (
    SELECT FROM workspaces w WHERE w.id = viewer.workspace_id AND w.members_may_create_webhooks OFFSET 0));
COMMENT ON VIEW managed_webhooks IS
  'The webhooks that the viewer manages: all webhooks of the workspace for its admins, and the viewer''s own webhooks while members may create webhooks.';

CREATE VIEW visible_installations AS
SELECT viewer.id AS viewer_id, i.*
FROM users viewer JOIN installations i ON i.workspace_id = viewer.workspace_id
WHERE i.uninstalled_at IS NULL AND (EXISTS (
    SELECT FROM group_members m
    WHERE m.workspace_id = viewer.workspace_id AND m.group_id = 'grp_' || substr(viewer.workspace_id, 5)
      AND m.user_id = viewer.id AND m.role = 'admin' OFFSET 0)
  OR EXISTS (
    SELECT FROM managed_apps a
    WHERE a.viewer_id = viewer.id AND a.workspace_id = viewer.workspace_id
      AND a.workspace_id = i.app_workspace_id AND a.id = i.app_id OFFSET 0));
COMMENT ON VIEW visible_installations IS
  'All installations in the workspace for its admins. For other users, the installations of the apps that they manage.';

