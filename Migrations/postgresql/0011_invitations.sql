-- Invitations: with one somebody sets their own password, once.

-- Two columns of people, NULL where nobody is invited, which leaves the signatures of older rows as they were: the SHA-256 of what stands in the
-- link, and until when it is good. Who has no password yet has an empty password_hash, which no password fits.
ALTER TABLE users ADD COLUMN invitation_digest bytea CHECK (length(invitation_digest) = 32);
ALTER TABLE users ADD COLUMN invitation_expires_at bigint CHECK ((invitation_expires_at IS NULL) = (invitation_digest IS NULL));

CREATE UNIQUE INDEX users_by_invitation ON users (invitation_digest) WHERE invitation_digest IS NOT NULL;
