-- The key that signs the links to files and the cookies of browsers that signed in. The first process
-- creates it, and all processes share it. Before, links were signed with the operator token, so that a new token ended them.
CREATE TABLE signing_keys (
  id smallint PRIMARY KEY CONSTRAINT one_signing_key CHECK (id = 1),
  secret text NOT NULL
);

-- When sign-in links were mailed to an address, at most the last three times. A new mailed link replaces the earlier one.
-- Links of the operator and invitations have no such times.
ALTER TABLE sign_in_links ADD COLUMN mailed_at timestamptz(3)[];
CREATE UNIQUE INDEX one_mailed_link_per_address ON sign_in_links (email) WHERE mailed_at IS NOT NULL;
