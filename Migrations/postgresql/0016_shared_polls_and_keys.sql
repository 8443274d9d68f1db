-- What servers that share a database tell each other beside the changes. A database that one server has to itself has no rows here.

-- The polls that each server has counted, as a JSON object, so that reach is of all of them; nothing is decided by it.
CREATE TABLE server_polls (
    server text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES servers (name) ON DELETE CASCADE,
    taken_at bigint NOT NULL,
    document text COLLATE "C" NOT NULL
);

-- The files of keys/, each sealed with a secret that is in no database; revision tells one content of a file from the next.
CREATE TABLE shared_keys (
    name text COLLATE "C" NOT NULL PRIMARY KEY,
    revision bigint NOT NULL,
    sealed bytea NOT NULL
);
