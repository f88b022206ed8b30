-- What changed, inserted by the statement that makes the change. One row can hold several events of a workspace. There is
-- no foreign key, because it would lock the row of the workspace in every write.
CREATE TABLE event_notes (
  workspace_id text COLLATE "C" NOT NULL,
  number bigserial NOT NULL,
  types text[] NOT NULL,
  thread_ids text[] NOT NULL,
  object_ids text[] NOT NULL,
  details jsonb[],
  noted_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (workspace_id, number)
) WITH (toast_tuple_target = 8160);

-- The position of the last event of each workspace.
CREATE TABLE event_heads (
  workspace_id text COLLATE "C" PRIMARY KEY REFERENCES workspaces (id),
  position bigint NOT NULL
);

-- The log: consecutive events of a workspace. Positions have no gaps. Numbers have the order of the commits.
CREATE TABLE event_batches (
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces (id),
  last_position bigint NOT NULL,
  number bigserial NOT NULL,
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
  workspace_id text COLLATE "C" PRIMARY KEY REFERENCES workspaces (id),
  position bigint NOT NULL
);

INSERT INTO event_notes (workspace_id, types, thread_ids, object_ids, noted_at)
  SELECT workspace_id, array_fill('message.created'::text, ARRAY[cardinality(message_ids)]),
    array_fill(NULL::text, ARRAY[cardinality(message_ids)]), message_ids, noted_at
  FROM message_outbox ORDER BY number;

-- Processes of the previous version add messages to the outbox until they stop. A later release drops the view.
DROP VIEW unindexed_messages;
DROP TABLE message_outbox;
CREATE VIEW message_outbox AS
  SELECT workspace_id, number, object_ids AS message_ids, noted_at FROM event_notes WHERE FALSE;
CREATE FUNCTION note_message_outbox() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_notes (workspace_id, types, thread_ids, object_ids)
  VALUES (NEW.workspace_id, array_fill('message.created'::text, ARRAY[cardinality(NEW.message_ids)]),
    array_fill(NULL::text, ARRAY[cardinality(NEW.message_ids)]), NEW.message_ids);
  RETURN NEW;
END $$;
CREATE TRIGGER message_outbox_insert INSTEAD OF INSERT ON message_outbox
  FOR EACH ROW EXECUTE FUNCTION note_message_outbox();
