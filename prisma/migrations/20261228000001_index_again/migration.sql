-- Messages whose words a migration has made obsolete. The service indexes them again and removes them from this table.
CREATE TABLE messages_to_index (
  workspace_id text COLLATE "C" NOT NULL,
  message_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, message_id),
  FOREIGN KEY (workspace_id, message_id) REFERENCES messages (workspace_id, id) ON DELETE CASCADE
);

-- Letters that are now folded, apostrophes that are letters, characters that are not shown, and Hebrew and Arabic.
INSERT INTO messages_to_index (workspace_id, message_id)
  SELECT m.workspace_id, m.id
  FROM messages m LEFT JOIN threads t ON m.position = 1 AND t.workspace_id = m.workspace_id AND t.id = m.thread_id
  WHERE m.text <> '' AND m.text || coalesce(t.subject, '') ~
    '[\u00ad\u00c6\u00d0\u00d8\u00de\u00e6\u00f0\u00f8\u00fe\u0100-\u02ff\u034f\u0591-\u08ff\u115f\u1160\u17b4\u17b5\u180b-\u180f\u1d00-\u1dff\u1e9a-\u1eff\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2c60-\u2c7f\u3164\ua720-\ua7ff\ufb1d-\ufdff\ufe00-\ufe0f\ufe70-\ufeff\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]';
