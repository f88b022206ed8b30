ALTER TABLE sessions ADD COLUMN may_reset_password boolean NOT NULL DEFAULT false;
