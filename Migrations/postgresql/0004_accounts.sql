-- Second factors, and whose a token is.

-- totp_pending is a secret that its authenticator has not confirmed yet; totp_step is the last step of a code that was used, for each
-- serves once.
ALTER TABLE users ADD COLUMN totp_pending bytea;
ALTER TABLE users ADD COLUMN totp_step bigint NOT NULL DEFAULT 0;

-- The person whose token it is, who must be there and enabled for it to open anything; NULL for the server's own. No foreign key: a
-- token stays when the person goes, and identifiers of people are never used again.
ALTER TABLE tokens ADD COLUMN owner_id bigint;

CREATE INDEX tokens_by_owner ON tokens (owner_id);
