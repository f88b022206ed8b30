CREATE INDEX accounts_by_creation ON accounts (created_at, id);
