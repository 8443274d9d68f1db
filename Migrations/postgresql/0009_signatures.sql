-- People, what lets them in, and windows carry a hash under a key that lies outside the database: what was written past the server is known, and
-- not obeyed.

-- generation numbers the write that made the row what it is, over all of these tables; signature is a keyed hash of it and of the columns. NULL
-- in a row that was never signed.
ALTER TABLE users ADD COLUMN generation bigint;
ALTER TABLE users ADD COLUMN signature bytea;
ALTER TABLE sessions ADD COLUMN generation bigint;
ALTER TABLE sessions ADD COLUMN signature bytea;
ALTER TABLE tokens ADD COLUMN generation bigint;
ALTER TABLE tokens ADD COLUMN signature bytea;
ALTER TABLE recovery_codes ADD COLUMN generation bigint;
ALTER TABLE recovery_codes ADD COLUMN signature bytea;
ALTER TABLE windows ADD COLUMN generation bigint;
ALTER TABLE windows ADD COLUMN signature bytea;

-- One row for each of those tables: the generations of its rows, so that a row that was removed, or put back as it once was, is known too. And
-- the row heads: the last links of both chains, and the generations of those lists.
CREATE TABLE signatures (
    name text COLLATE "C" NOT NULL PRIMARY KEY,
    content text COLLATE "C" NOT NULL,
    signature bytea NOT NULL CHECK (length(signature) = 32)
);
