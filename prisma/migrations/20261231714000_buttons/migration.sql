-- A message can have buttons. buttons_revision counts how often they were replaced, and a press belongs to one revision:
-- each person can press each button once until the buttons are replaced. Earlier presses stay, because a client that
-- repeats a press after a lost answer must find it by its client_key.
ALTER TABLE messages
  ADD COLUMN buttons jsonb CHECK (jsonb_typeof(buttons) = 'array'),
  ADD COLUMN buttons_revision integer NOT NULL DEFAULT 0;

CREATE FUNCTION count_replaced_buttons() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.buttons_revision := OLD.buttons_revision + 1;
  RETURN NEW;
END $$;
CREATE TRIGGER messages_replaced_buttons BEFORE UPDATE OF buttons ON messages
  FOR EACH ROW WHEN (OLD.buttons IS DISTINCT FROM NEW.buttons) EXECUTE FUNCTION count_replaced_buttons();

CREATE TABLE button_presses (
  workspace_id text COLLATE "C" NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  buttons_revision integer NOT NULL,
  button_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  client_key text COLLATE "C" NOT NULL,
  pressed_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  number bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (workspace_id, message_id, buttons_revision, button_id, user_id),
  CONSTRAINT button_presses_client_key UNIQUE (workspace_id, message_id, user_id, client_key),
  FOREIGN KEY (workspace_id, message_id) REFERENCES messages,
  FOREIGN KEY (workspace_id, user_id) REFERENCES users
);
