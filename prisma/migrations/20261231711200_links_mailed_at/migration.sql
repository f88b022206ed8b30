-- Nothing reads it: sign_in_links.mailed_at has the times at which links were mailed.
ALTER TABLE users DROP COLUMN links_mailed_at;
