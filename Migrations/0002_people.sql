-- People, their sessions and tokens, and what slows guessing down. Secrets are kept as digests only.

-- name_folded is the name as it is compared; apps is a JSON array of keys, NULL for all of them.
CREATE TABLE users (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    name_folded TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL CHECK (role IN ('viewer', 'operator', 'admin')),
    apps TEXT,
    password_hash TEXT NOT NULL,
    disabled INTEGER NOT NULL CHECK (disabled IN (0, 1)),
    totp_secret BLOB,
    created_at INTEGER NOT NULL,
    password_changed_at INTEGER NOT NULL
) STRICT;

-- id is the SHA-256 of what the cookie holds.
CREATE TABLE sessions (
    id BLOB NOT NULL PRIMARY KEY CHECK (length(id) = 32),
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    csrf_digest BLOB NOT NULL CHECK (length(csrf_digest) = 32),
    created_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    reauthenticated_at INTEGER NOT NULL,
    address TEXT NOT NULL,
    user_agent TEXT NOT NULL
) STRICT;

CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- Revoked tokens stay, so that the history's names keep a meaning.
CREATE TABLE tokens (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    secret_digest BLOB NOT NULL CHECK (length(secret_digest) = 32),
    role TEXT NOT NULL CHECK (role IN ('viewer', 'operator', 'admin')),
    apps TEXT,
    created_by TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    last_used_at INTEGER,
    revoked_at INTEGER
) STRICT;

-- One row a counter: an account, an account at an address, an address.
CREATE TABLE throttles (
    scope TEXT NOT NULL PRIMARY KEY,
    failures INTEGER NOT NULL CHECK (failures > 0),
    first_failure_at INTEGER NOT NULL,
    not_before INTEGER NOT NULL
) STRICT;

CREATE INDEX throttles_by_age ON throttles (not_before);

CREATE TABLE recovery_codes (
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    digest BLOB NOT NULL CHECK (length(digest) = 32),
    used_at INTEGER,
    PRIMARY KEY (user_id, digest)
) STRICT;
