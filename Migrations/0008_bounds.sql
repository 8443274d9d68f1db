-- What one change and one caller cost.

-- The position is looked up in the key. Counting the rows before it took half a million steps for a change of a thousand targets.
DROP TRIGGER change_targets_follow_their_change;

CREATE TRIGGER change_targets_follow_their_change BEFORE INSERT ON change_targets
WHEN NEW.sequence IS NOT (SELECT max(sequence) FROM changes)
    OR NEW.position IS NOT (SELECT coalesce(max(position), -1) + 1 FROM change_targets WHERE sequence = NEW.sequence)
    OR NEW.position >= (SELECT target_count FROM changes WHERE sequence = NEW.sequence)
BEGIN
    SELECT RAISE(ABORT, 'a change is written with all of its targets, in order');
END;

-- How many answers are kept for each actor, and their bytes, so that nobody's grow without bound. The triggers keep it true.
CREATE TABLE idempotency_usage (
    actor TEXT NOT NULL PRIMARY KEY,
    records INTEGER NOT NULL CHECK (records > 0),
    bytes INTEGER NOT NULL CHECK (bytes >= 0)
) STRICT, WITHOUT ROWID;

INSERT INTO idempotency_usage (actor, records, bytes)
SELECT actor, count(*), sum(length(body)) FROM idempotency_records GROUP BY actor;

CREATE INDEX idempotency_records_by_actor ON idempotency_records (actor, at);

CREATE TRIGGER idempotency_records_are_counted AFTER INSERT ON idempotency_records
BEGIN
    INSERT INTO idempotency_usage (actor, records, bytes) VALUES (NEW.actor, 1, length(NEW.body))
    ON CONFLICT (actor) DO UPDATE SET records = records + 1, bytes = bytes + excluded.bytes;
END;

CREATE TRIGGER idempotency_records_are_discounted AFTER DELETE ON idempotency_records
BEGIN
    DELETE FROM idempotency_usage WHERE actor = OLD.actor AND records = 1;
    UPDATE idempotency_usage SET records = records - 1, bytes = bytes - length(OLD.body) WHERE actor = OLD.actor;
END;
