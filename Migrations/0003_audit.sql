-- What people and programs did that is no change of a gate: sign-ins, refusals, people, tokens. Append-only, with a chain of its own.

-- detail is a JSON object without secrets; hash covers the row and the hash of the row before it.
CREATE TABLE audit (
    sequence INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    actor_kind TEXT,
    actor_name TEXT,
    action TEXT NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('succeeded', 'refused')),
    subject TEXT,
    address TEXT,
    request_id TEXT NOT NULL,
    detail TEXT,
    hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;

CREATE INDEX audit_by_actor ON audit (actor_name);
CREATE INDEX audit_by_action ON audit (action);

CREATE TRIGGER audit_is_gapless BEFORE INSERT ON audit
WHEN NEW.sequence IS NOT (SELECT coalesce(max(sequence), 0) + 1 FROM audit)
BEGIN
    SELECT RAISE(ABORT, 'an audit entry takes the next sequence');
END;

CREATE TRIGGER audit_is_not_updated BEFORE UPDATE ON audit
BEGIN
    SELECT RAISE(ABORT, 'audit is append-only');
END;

CREATE TRIGGER audit_is_not_deleted BEFORE DELETE ON audit
BEGIN
    SELECT RAISE(ABORT, 'audit is append-only');
END;
