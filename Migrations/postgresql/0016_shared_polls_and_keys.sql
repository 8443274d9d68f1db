-- What servers that share a database tell each other beside the changes. A database that one server has to itself has no rows here.

-- The polls that each server has counted, as a JSON object, so that reach is of all of them; nothing is decided by it.
-- taken_at is by the database's clock, counted_at the same moment by that server's, by which the times in the document are. A server that ends in
-- order leaves its row: what it counted was counted.
CREATE TABLE server_polls (
    server text COLLATE "C" NOT NULL PRIMARY KEY,
    taken_at bigint NOT NULL,
    counted_at bigint NOT NULL,
    document text COLLATE "C" NOT NULL
);

-- The files of keys/, each sealed with a secret that is in no database; revision tells one content of a file from the next.
CREATE TABLE shared_keys (
    name text COLLATE "C" NOT NULL PRIMARY KEY,
    revision bigint NOT NULL,
    sealed bytea NOT NULL
);
