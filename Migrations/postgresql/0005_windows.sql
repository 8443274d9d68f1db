-- Windows: changes made for a span of time. All times are milliseconds since 1970, UTC.

-- document is the JSON document of the admin API; the other columns repeat what is searched for. version counts every write of any
-- window on, so that a reader knows by one number whether there is anything new, and a writer whether somebody was faster. due_at is
-- NULL when the clock has nothing more to do with the window.
CREATE TABLE windows (
    id bigint PRIMARY KEY,
    version bigint NOT NULL UNIQUE,
    state text COLLATE "C" NOT NULL CHECK (state IN ('pending', 'running', 'done', 'missed', 'cancelled', 'failed')),
    due_at bigint,
    document text COLLATE "C" NOT NULL,
    CHECK (due_at IS NULL OR state IN ('pending', 'running'))
);

CREATE INDEX windows_by_state ON windows (state);

CREATE TABLE window_targets (
    app text COLLATE "C" NOT NULL,
    window_id bigint NOT NULL REFERENCES windows (id),
    platform text COLLATE "C" NOT NULL,
    PRIMARY KEY (app, window_id, platform)
);

-- A window that is over tells why people were kept out, so it stays.
CREATE TRIGGER windows_are_not_deleted BEFORE DELETE ON windows
    FOR EACH ROW EXECUTE FUNCTION refuse('windows are kept');

CREATE TRIGGER windows_are_not_truncated BEFORE TRUNCATE ON windows
    FOR EACH STATEMENT EXECUTE FUNCTION refuse('windows are kept');
