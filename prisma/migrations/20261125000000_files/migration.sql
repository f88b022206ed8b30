-- What storage holds, by its SHA-256. The files of several uploads share it, and of several workspaces, so it is of none.
-- It is removed in the transaction that deletes its row, which the reference from files refuses as long as there is one.
-- sweep_at is when to look whether there is one, or null: whoever is about to store the bytes puts it off before.
CREATE TABLE contents (
  sha256 bytea PRIMARY KEY CHECK (octet_length(sha256) = 32),
  sweep_at timestamptz(3)
);
CREATE INDEX contents_sweep ON contents (sweep_at) WHERE sweep_at IS NOT NULL;
INSERT INTO contents (sha256) SELECT DISTINCT sha256 FROM files;

-- Of a file, sweep_at is when to look whether it is attached to something.
ALTER TABLE files
  ADD COLUMN content_type text NOT NULL DEFAULT 'application/octet-stream',
  ADD COLUMN width integer CHECK (width > 0),
  ADD COLUMN height integer CHECK (height > 0),
  ADD COLUMN sweep_at timestamptz(3) NOT NULL DEFAULT now() + interval '1 day',
  ADD CONSTRAINT both_or_neither CHECK ((width IS NULL) = (height IS NULL)),
  ADD CONSTRAINT files_content FOREIGN KEY (sha256) REFERENCES contents (sha256);
CREATE INDEX files_content ON files (sha256);
CREATE INDEX files_md5 ON files (workspace_id, md5, uploader_id);
CREATE INDEX files_sweep ON files (sweep_at);

-- Leave to upload one file. Whose upload begins claims it, and its file is named when the bytes are there.
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
  FOREIGN KEY (workspace_id, uploader_id) REFERENCES users (workspace_id, id),
  FOREIGN KEY (workspace_id, file_id) REFERENCES files (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT claimed_before_filled CHECK (file_id IS NULL OR claimed_at IS NOT NULL)
);
CREATE INDEX upload_tickets_expiry ON upload_tickets (expires_at);
