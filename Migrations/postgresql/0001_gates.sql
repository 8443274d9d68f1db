-- Apps and targets as they stand, and the history of every change of them. All times are milliseconds since 1970, UTC.
--
-- These files are those of the folder above, for PostgreSQL: the same tables, columns and refusals under the same numbers and names. Text is
-- compared and sorted by its bytes, whatever order the database has; a table that only grows also refuses TRUNCATE, which asks no row.

-- The ledger: the text of every migration that made this database. A file that was edited since is seen by comparing it.
CREATE TABLE migrations (
    number bigint PRIMARY KEY,
    name text COLLATE "C" NOT NULL,
    sql text COLLATE "C" NOT NULL,
    applied_at bigint NOT NULL
);

-- aliases is the JSON array of the admin API.
CREATE TABLE apps (
    key text COLLATE "C" NOT NULL PRIMARY KEY,
    name text COLLATE "C" NOT NULL,
    aliases text COLLATE "C" NOT NULL
);

-- Append-only. hash covers the row, its rows of change_targets and the hash of the row before it.
CREATE TABLE changes (
    sequence bigint PRIMARY KEY,
    at bigint NOT NULL,
    actor_kind text COLLATE "C" NOT NULL,
    actor_name text COLLATE "C" NOT NULL,
    source text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    reason text COLLATE "C",
    request_id text COLLATE "C" NOT NULL,
    app text COLLATE "C",
    target_count bigint NOT NULL,
    hash bytea NOT NULL CHECK (length(hash) = 32)
);

-- An index ends with the row's sequence, so that a page of one actor or source comes newest first without sorting.
CREATE INDEX changes_by_actor ON changes (actor_name, sequence);
CREATE INDEX changes_by_source ON changes (source, sequence);
CREATE INDEX changes_by_app ON changes (app, sequence) WHERE app IS NOT NULL;

-- Append-only. Gates and settings are the JSON documents of the admin API. settings_before and settings_after are NULL when the change
-- touched no settings, and the JSON text null where the target did not exist.
CREATE TABLE change_targets (
    sequence bigint NOT NULL REFERENCES changes (sequence),
    position bigint NOT NULL,
    app text COLLATE "C" NOT NULL,
    platform text COLLATE "C" NOT NULL,
    previous bigint NOT NULL,
    revision bigint NOT NULL CHECK (revision > previous),
    before text COLLATE "C" NOT NULL,
    after text COLLATE "C" NOT NULL,
    settings_before text COLLATE "C",
    settings_after text COLLATE "C",
    feeds text COLLATE "C" NOT NULL,
    PRIMARY KEY (sequence, position)
);

-- Revisions of a key go on counting when it is deleted and used again, so one names one row for ever.
CREATE UNIQUE INDEX change_targets_by_revision ON change_targets (app, platform, revision);
CREATE INDEX change_targets_by_app ON change_targets (app, sequence, platform);
CREATE INDEX change_targets_by_platform ON change_targets (platform, sequence);

CREATE TABLE targets (
    app text COLLATE "C" NOT NULL REFERENCES apps (key),
    platform text COLLATE "C" NOT NULL,
    settings text COLLATE "C" NOT NULL,
    gate text COLLATE "C" NOT NULL,
    revision bigint NOT NULL CHECK (revision > 0),
    sequence bigint NOT NULL REFERENCES changes (sequence),
    since bigint NOT NULL,
    changed_at bigint NOT NULL,
    PRIMARY KEY (app, platform)
);

-- The last revision of every deleted target.
CREATE TABLE retired_targets (
    app text COLLATE "C" NOT NULL,
    platform text COLLATE "C" NOT NULL,
    revision bigint NOT NULL,
    PRIMARY KEY (app, platform)
);

-- The first answer to each Idempotency-Key of each actor.
CREATE TABLE idempotency_records (
    actor text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    request_digest bytea NOT NULL CHECK (length(request_digest) = 32),
    status bigint NOT NULL,
    body bytea NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (actor, key)
);

CREATE INDEX idempotency_records_by_age ON idempotency_records (at);

-- The triggers refuse what the program never does. Who owns the tables can drop them: that is what the hashes are for.
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '%', TG_ARGV[0];
END $$;

CREATE FUNCTION changes_are_gapless() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.sequence IS DISTINCT FROM (SELECT coalesce(max(sequence), 0) + 1 FROM changes) THEN
        RAISE EXCEPTION 'a change takes the next sequence';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER changes_are_gapless BEFORE INSERT ON changes
    FOR EACH ROW EXECUTE FUNCTION changes_are_gapless();

CREATE TRIGGER changes_are_not_updated BEFORE UPDATE ON changes
    FOR EACH ROW EXECUTE FUNCTION refuse('changes are append-only');

CREATE TRIGGER changes_are_not_deleted BEFORE DELETE ON changes
    FOR EACH ROW EXECUTE FUNCTION refuse('changes are append-only');

CREATE TRIGGER changes_are_not_truncated BEFORE TRUNCATE ON changes
    FOR EACH STATEMENT EXECUTE FUNCTION refuse('changes are append-only');

CREATE FUNCTION change_targets_follow_their_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.sequence IS DISTINCT FROM (SELECT max(sequence) FROM changes)
        OR NEW.position IS DISTINCT FROM (SELECT count(*) FROM change_targets WHERE sequence = NEW.sequence)
        OR NEW.position >= (SELECT target_count FROM changes WHERE sequence = NEW.sequence)
    THEN
        RAISE EXCEPTION 'a change is written with all of its targets, in order';
    END IF;
    RETURN NEW;
END $$;

CREATE TRIGGER change_targets_follow_their_change BEFORE INSERT ON change_targets
    FOR EACH ROW EXECUTE FUNCTION change_targets_follow_their_change();

CREATE TRIGGER change_targets_are_not_updated BEFORE UPDATE ON change_targets
    FOR EACH ROW EXECUTE FUNCTION refuse('change_targets are append-only');

CREATE TRIGGER change_targets_are_not_deleted BEFORE DELETE ON change_targets
    FOR EACH ROW EXECUTE FUNCTION refuse('change_targets are append-only');

CREATE TRIGGER change_targets_are_not_truncated BEFORE TRUNCATE ON change_targets
    FOR EACH STATEMENT EXECUTE FUNCTION refuse('change_targets are append-only');
