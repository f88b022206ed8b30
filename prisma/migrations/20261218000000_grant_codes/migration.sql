-- Until its code is used, a grant expires with the code. Therefore expires_at is enough.
ALTER TABLE grants DROP COLUMN code_expires_at;
