-- What people and programs did that is no change of a gate: sign-ins, refusals, people, tokens. Append-only, with a chain of its own.

-- detail is a JSON object without secrets; hash covers the row and the hash of the row before it.
CREATE TABLE audit (
    sequence bigint PRIMARY KEY,
    at bigint NOT NULL,
    actor_kind text COLLATE "C",
    actor_name text COLLATE "C",
    action text COLLATE "C" NOT NULL,
    outcome text COLLATE "C" NOT NULL CHECK (outcome IN ('succeeded', 'refused')),
    subject text COLLATE "C",
    address text COLLATE "C",
    request_id text COLLATE "C" NOT NULL,
    detail text COLLATE "C",
    hash bytea NOT NULL CHECK (length(hash) = 32)
);

CREATE INDEX audit_by_actor ON audit (actor_name, sequence);
CREATE INDEX audit_by_action ON audit (action, sequence);

CREATE FUNCTION audit_is_gapless() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.sequence IS DISTINCT FROM (SELECT coalesce(max(sequence), 0) + 1 FROM audit) THEN
        RAISE EXCEPTION 'an audit entry takes the next sequence';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER audit_is_gapless BEFORE INSERT ON audit
    FOR EACH ROW EXECUTE FUNCTION audit_is_gapless();

CREATE TRIGGER audit_is_not_updated BEFORE UPDATE ON audit
    FOR EACH ROW EXECUTE FUNCTION refuse('audit is append-only');

CREATE TRIGGER audit_is_not_deleted BEFORE DELETE ON audit
    FOR EACH ROW EXECUTE FUNCTION refuse('audit is append-only');

CREATE TRIGGER audit_is_not_truncated BEFORE TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION refuse('audit is append-only');
