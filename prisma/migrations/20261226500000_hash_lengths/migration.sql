-- A token or a code itself does not have this length. Therefore it cannot be stored in place of its hash.
ALTER TABLE sessions ADD CHECK (octet_length(token_hash) = 32);
ALTER TABLE sign_in_links ADD CHECK (octet_length(code_hash) = 32);
