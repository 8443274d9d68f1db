-- The servers that share a database, each by its name, for people to see how far each has come; nothing is decided by it. A database that one
-- server has to itself has no rows here. All times are milliseconds since 1970, UTC, by the clock of the database.
CREATE TABLE servers (
    name text COLLATE "C" NOT NULL PRIMARY KEY,
    started_at bigint NOT NULL,
    seen_at bigint NOT NULL,
    sequence bigint NOT NULL
);
