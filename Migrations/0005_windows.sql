-- Windows: changes made for a span of time. All times are milliseconds since 1970, UTC.

-- document is the JSON document of the admin API; the other columns repeat what is searched for. version counts every write of any
-- window on, so that a reader knows by one number whether there is anything new, and a writer whether somebody was faster. due_at is
-- NULL when the clock has nothing more to do with the window.
CREATE TABLE windows (
    id INTEGER PRIMARY KEY,
    version INTEGER NOT NULL UNIQUE,
    state TEXT NOT NULL CHECK (state IN ('pending', 'running', 'done', 'missed', 'cancelled', 'failed')),
    due_at INTEGER,
    document TEXT NOT NULL,
    CHECK (due_at IS NULL OR state IN ('pending', 'running'))
) STRICT;

CREATE INDEX windows_by_state ON windows (state);

CREATE TABLE window_targets (
    app TEXT NOT NULL,
    window_id INTEGER NOT NULL REFERENCES windows (id),
    platform TEXT NOT NULL,
    PRIMARY KEY (app, window_id, platform)
) STRICT, WITHOUT ROWID;

-- A window that is over tells why people were kept out, so it stays.
CREATE TRIGGER windows_are_not_deleted BEFORE DELETE ON windows
BEGIN
    SELECT RAISE(ABORT, 'windows are kept');
END;
