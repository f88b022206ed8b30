-- A person at an identity provider. The account stays the same if the provider changes the address of the person.
CREATE TABLE oidc_subjects (
  issuer text NOT NULL,
  subject text NOT NULL,
  account_id text COLLATE "C" NOT NULL REFERENCES accounts,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX oidc_subjects_account ON oidc_subjects (account_id);
