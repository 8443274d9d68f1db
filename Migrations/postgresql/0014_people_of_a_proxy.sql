-- People whom a proxy in front signs in.

-- NULL for who has, or will have, a password here, which leaves the signatures of older rows as they were.
ALTER TABLE users ADD COLUMN origin text COLLATE "C" CHECK (origin IS NULL OR origin = 'proxy' AND password_hash = '' AND invitation_digest IS NULL);
