-- People, what lets them in, and windows carry a hash under a key that lies outside the database: what was written past the server is known, and
-- not obeyed.

-- generation numbers the write that made the row what it is, over all of these tables; signature is a keyed hash of it and of the columns. NULL
-- in a row that was never signed.
ALTER TABLE users ADD COLUMN generation bigint;
ALTER TABLE users ADD COLUMN signature bytea;
ALTER TABLE sessions ADD COLUMN generation bigint;
ALTER TABLE sessions ADD COLUMN signature bytea;
ALTER TABLE tokens ADD COLUMN generation bigint;
ALTER TABLE tokens ADD COLUMN signature bytea;
ALTER TABLE recovery_codes ADD COLUMN generation bigint;
ALTER TABLE recovery_codes ADD COLUMN signature bytea;
ALTER TABLE windows ADD COLUMN generation bigint;
ALTER TABLE windows ADD COLUMN signature bytea;

-- One row for each of those tables: the generations of its rows, so that a row that was removed, or put back as it once was, is known too. And
-- the row heads: the last links of both chains, and the generations of those lists.
CREATE TABLE signatures (
    name text COLLATE "C" NOT NULL PRIMARY KEY,
    content text COLLATE "C" NOT NULL,
    signature bytea NOT NULL CHECK (length(signature) = 32)
);

-- Tells the session that wrote a row of those tables which it was: gatehouse's own have a temporary table for that, which they read before they
-- commit, and sign what is named there. Who has none writes what nobody signs. When somebody was seen last is no part of the signature, and a
-- window is always written whole.
CREATE FUNCTION signed_row_is_told() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    unsigned CONSTANT text[] := ARRAY['generation', 'signature', 'last_seen_at', 'last_used_at'];
    written record;
BEGIN
    IF to_regclass('pg_temp.gatehouse_rows') IS NULL THEN
        RETURN NULL;
    END IF;
    IF TG_OP = 'DELETE' THEN
        written := OLD;
    ELSIF TG_OP = 'UPDATE' AND to_jsonb(NEW) - unsigned = to_jsonb(OLD) - unsigned THEN
        RETURN NULL;
    ELSE
        written := NEW;
    END IF;
    CASE TG_TABLE_NAME
        WHEN 'sessions' THEN INSERT INTO pg_temp.gatehouse_rows VALUES (TG_TABLE_NAME, NULL, NULL, written.id, TG_OP = 'UPDATE');
        WHEN 'tokens' THEN INSERT INTO pg_temp.gatehouse_rows VALUES (TG_TABLE_NAME, NULL, written.id, NULL, TG_OP = 'UPDATE');
        WHEN 'recovery_codes' THEN
            INSERT INTO pg_temp.gatehouse_rows VALUES (TG_TABLE_NAME, written.user_id, NULL, written.digest, TG_OP = 'UPDATE');
        ELSE INSERT INTO pg_temp.gatehouse_rows VALUES (TG_TABLE_NAME, written.id, NULL, NULL, TG_OP = 'UPDATE' AND TG_TABLE_NAME <> 'windows');
    END CASE;
    RETURN NULL;
END $$;

CREATE TRIGGER signed_users_are_told AFTER INSERT OR UPDATE OR DELETE ON users
    FOR EACH ROW EXECUTE FUNCTION signed_row_is_told();

CREATE TRIGGER signed_sessions_are_told AFTER INSERT OR UPDATE OR DELETE ON sessions
    FOR EACH ROW EXECUTE FUNCTION signed_row_is_told();

CREATE TRIGGER signed_tokens_are_told AFTER INSERT OR UPDATE OR DELETE ON tokens
    FOR EACH ROW EXECUTE FUNCTION signed_row_is_told();

CREATE TRIGGER signed_recovery_codes_are_told AFTER INSERT OR UPDATE OR DELETE ON recovery_codes
    FOR EACH ROW EXECUTE FUNCTION signed_row_is_told();

CREATE TRIGGER signed_windows_are_told AFTER INSERT OR UPDATE OR DELETE ON windows
    FOR EACH ROW EXECUTE FUNCTION signed_row_is_told();
