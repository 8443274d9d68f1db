-- Apps and targets as they stand, and the history of every change of them. All times are milliseconds since 1970, UTC.

-- The ledger: the text of every migration that made this database. A file that was edited since is seen by comparing it.
CREATE TABLE migrations (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    sql TEXT NOT NULL,
    applied_at INTEGER NOT NULL
) STRICT;

-- aliases is the JSON array of the admin API.
CREATE TABLE apps (
    key TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    aliases TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Append-only. hash covers the row, its rows of change_targets and the hash of the row before it.
CREATE TABLE changes (
    sequence INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    actor_kind TEXT NOT NULL,
    actor_name TEXT NOT NULL,
    source TEXT NOT NULL,
    kind TEXT NOT NULL,
    reason TEXT,
    request_id TEXT NOT NULL,
    app TEXT,
    target_count INTEGER NOT NULL,
    hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;

-- An index ends with the row's sequence by itself, so that a page of one actor or source comes newest first without sorting.
CREATE INDEX changes_by_actor ON changes (actor_name);
CREATE INDEX changes_by_source ON changes (source);
CREATE INDEX changes_by_app ON changes (app) WHERE app IS NOT NULL;

-- Append-only. Gates and settings are the JSON documents of the admin API. settings_before and settings_after are NULL when the change
-- touched no settings, and the JSON text null where the target did not exist.
CREATE TABLE change_targets (
    sequence INTEGER NOT NULL REFERENCES changes (sequence),
    position INTEGER NOT NULL,
    app TEXT NOT NULL,
    platform TEXT NOT NULL,
    previous INTEGER NOT NULL,
    revision INTEGER NOT NULL CHECK (revision > previous),
    before TEXT NOT NULL,
    after TEXT NOT NULL,
    settings_before TEXT,
    settings_after TEXT,
    feeds TEXT NOT NULL,
    PRIMARY KEY (sequence, position)
) STRICT;

-- Revisions of a key go on counting when it is deleted and used again, so one names one row for ever.
CREATE UNIQUE INDEX change_targets_by_revision ON change_targets (app, platform, revision);
CREATE INDEX change_targets_by_app ON change_targets (app, sequence, platform);
CREATE INDEX change_targets_by_platform ON change_targets (platform, sequence);

CREATE TABLE targets (
    app TEXT NOT NULL REFERENCES apps (key),
    platform TEXT NOT NULL,
    settings TEXT NOT NULL,
    gate TEXT NOT NULL,
    revision INTEGER NOT NULL CHECK (revision > 0),
    sequence INTEGER NOT NULL REFERENCES changes (sequence),
    since INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    PRIMARY KEY (app, platform)
) STRICT;

-- The last revision of every deleted target.
CREATE TABLE retired_targets (
    app TEXT NOT NULL,
    platform TEXT NOT NULL,
    revision INTEGER NOT NULL,
    PRIMARY KEY (app, platform)
) STRICT, WITHOUT ROWID;

-- The first answer to each Idempotency-Key of each actor.
CREATE TABLE idempotency_records (
    actor TEXT NOT NULL,
    key TEXT NOT NULL,
    request_digest BLOB NOT NULL CHECK (length(request_digest) = 32),
    status INTEGER NOT NULL,
    body BLOB NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (actor, key)
) STRICT;

CREATE INDEX idempotency_records_by_age ON idempotency_records (at);

-- The triggers refuse what the program never does. Someone with the file can drop them: that is what the hashes are for.
CREATE TRIGGER changes_are_gapless BEFORE INSERT ON changes
WHEN NEW.sequence IS NOT (SELECT coalesce(max(sequence), 0) + 1 FROM changes)
BEGIN
    SELECT RAISE(ABORT, 'a change takes the next sequence');
END;

CREATE TRIGGER changes_are_not_updated BEFORE UPDATE ON changes
BEGIN
    SELECT RAISE(ABORT, 'changes are append-only');
END;

-- With recursive_triggers on, INSERT OR REPLACE comes here too.
CREATE TRIGGER changes_are_not_deleted BEFORE DELETE ON changes
BEGIN
    SELECT RAISE(ABORT, 'changes are append-only');
END;

CREATE TRIGGER change_targets_follow_their_change BEFORE INSERT ON change_targets
WHEN NEW.sequence IS NOT (SELECT max(sequence) FROM changes)
    OR NEW.position IS NOT (SELECT count(*) FROM change_targets WHERE sequence = NEW.sequence)
    OR NEW.position >= (SELECT target_count FROM changes WHERE sequence = NEW.sequence)
BEGIN
    SELECT RAISE(ABORT, 'a change is written with all of its targets, in order');
END;

CREATE TRIGGER change_targets_are_not_updated BEFORE UPDATE ON change_targets
BEGIN
    SELECT RAISE(ABORT, 'change_targets are append-only');
END;

CREATE TRIGGER change_targets_are_not_deleted BEFORE DELETE ON change_targets
BEGIN
    SELECT RAISE(ABORT, 'change_targets are append-only');
END;
