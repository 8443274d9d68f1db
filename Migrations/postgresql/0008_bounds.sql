-- What one change and one caller cost.

-- The position is looked up in the key. Counting the rows before it took half a million steps for a change of a thousand targets.
CREATE OR REPLACE FUNCTION change_targets_follow_their_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.sequence IS DISTINCT FROM (SELECT max(sequence) FROM changes)
        OR NEW.position IS DISTINCT FROM (SELECT coalesce(max(position), -1) + 1 FROM change_targets WHERE sequence = NEW.sequence)
        OR NEW.position >= (SELECT target_count FROM changes WHERE sequence = NEW.sequence)
    THEN
        RAISE EXCEPTION 'a change is written with all of its targets, in order';
    END IF;
    RETURN NEW;
END $$;

-- How many answers are kept for each actor, and their bytes, so that nobody's grow without bound. The triggers keep it true.
CREATE TABLE idempotency_usage (
    actor text COLLATE "C" NOT NULL PRIMARY KEY,
    records bigint NOT NULL CHECK (records > 0),
    bytes bigint NOT NULL CHECK (bytes >= 0)
);

INSERT INTO idempotency_usage (actor, records, bytes)
SELECT actor, count(*), sum(length(body)) FROM idempotency_records GROUP BY actor;

CREATE INDEX idempotency_records_by_actor ON idempotency_records (actor, at);

CREATE FUNCTION idempotency_records_are_counted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO idempotency_usage (actor, records, bytes) VALUES (NEW.actor, 1, length(NEW.body))
    ON CONFLICT (actor) DO UPDATE SET records = idempotency_usage.records + 1, bytes = idempotency_usage.bytes + excluded.bytes;
    RETURN NULL;
END $$;

CREATE TRIGGER idempotency_records_are_counted AFTER INSERT ON idempotency_records
    FOR EACH ROW EXECUTE FUNCTION idempotency_records_are_counted();

CREATE FUNCTION idempotency_records_are_discounted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM idempotency_usage WHERE actor = OLD.actor AND records = 1;
    UPDATE idempotency_usage SET records = records - 1, bytes = bytes - length(OLD.body) WHERE actor = OLD.actor;
    RETURN NULL;
END $$;

CREATE TRIGGER idempotency_records_are_discounted AFTER DELETE ON idempotency_records
    FOR EACH ROW EXECUTE FUNCTION idempotency_records_are_discounted();
