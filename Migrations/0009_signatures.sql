-- People, what lets them in, and windows carry a hash under a key that lies outside the database: what was written past the server is known, and
-- not obeyed.

-- generation numbers the write that made the row what it is, over all of these tables; signature is a keyed hash of it and of the columns. NULL
-- in a row that was never signed.
ALTER TABLE users ADD COLUMN generation INTEGER;
ALTER TABLE users ADD COLUMN signature BLOB;
ALTER TABLE sessions ADD COLUMN generation INTEGER;
ALTER TABLE sessions ADD COLUMN signature BLOB;
ALTER TABLE tokens ADD COLUMN generation INTEGER;
ALTER TABLE tokens ADD COLUMN signature BLOB;
ALTER TABLE recovery_codes ADD COLUMN generation INTEGER;
ALTER TABLE recovery_codes ADD COLUMN signature BLOB;
ALTER TABLE windows ADD COLUMN generation INTEGER;
ALTER TABLE windows ADD COLUMN signature BLOB;

-- One row for each of those tables: the generations of its rows, so that a row that was removed, or put back as it once was, is known too. And
-- the row heads: the last links of both chains, and the generations of those lists.
CREATE TABLE signatures (
    name TEXT NOT NULL PRIMARY KEY,
    content TEXT NOT NULL,
    signature BLOB NOT NULL CHECK (length(signature) = 32)
) STRICT, WITHOUT ROWID;
