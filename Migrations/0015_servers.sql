-- The servers that share a database, each by its name, for people to see how far each has come; nothing is decided by it. A database that one
-- server has to itself has no rows here. All times are milliseconds since 1970, UTC, by the clock of the database.
CREATE TABLE servers (
    name TEXT NOT NULL PRIMARY KEY,
    started_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    sequence INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
