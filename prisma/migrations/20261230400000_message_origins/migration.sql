-- The app or the personal access token with which a person wrote a message. Null if the person wrote it in a browser, and
-- for the messages of app users and webhook users, whose origin follows from the author. It refers to nothing, because it
-- stays when the app or the token is deleted.
ALTER TABLE messages
  ADD COLUMN origin_id text COLLATE "C" CHECK (origin_id LIKE 'app\_%' OR origin_id LIKE 'pat\_%');
