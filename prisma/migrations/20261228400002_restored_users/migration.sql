-- Tokens and grants from before the person was restored stay invalid.
ALTER TABLE users ADD COLUMN restored_at timestamptz(3);
-- An invitation looks for deleted people who had the address.
CREATE INDEX deleted_people_emails ON users (workspace_id, lower(email)) WHERE deleted_at IS NOT NULL AND email IS NOT NULL;

-- The groups of a person at the time of their deletion, without the General group.
CREATE TABLE former_members (
  workspace_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  group_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, user_id, group_id),
  FOREIGN KEY (workspace_id, user_id) REFERENCES users,
  FOREIGN KEY (workspace_id, group_id) REFERENCES groups
);
