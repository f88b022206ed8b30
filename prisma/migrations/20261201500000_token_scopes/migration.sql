-- A token has the scopes that were asked for when it was issued. It allows those of them that its installation still has.
ALTER TABLE access_tokens ADD COLUMN scopes text[];
UPDATE access_tokens t SET scopes = i.scopes
  FROM installations i WHERE i.workspace_id = t.workspace_id AND i.app_id = t.app_id;
ALTER TABLE access_tokens ALTER COLUMN scopes SET NOT NULL;
