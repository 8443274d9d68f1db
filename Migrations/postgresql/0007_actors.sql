-- Which of several tokens of one name it was, and for whom it acted.

-- actor_id is the number of the user or the public part of the token; actor_user the name of the person whose token it is. NULL where there is
-- none, as in every row before this migration: those hashes stay what they were.
ALTER TABLE changes ADD COLUMN actor_id text COLLATE "C";
ALTER TABLE changes ADD COLUMN actor_user text COLLATE "C";
ALTER TABLE audit ADD COLUMN actor_id text COLLATE "C";
ALTER TABLE audit ADD COLUMN actor_user text COLLATE "C";

CREATE INDEX changes_by_actor_user ON changes (actor_user, sequence) WHERE actor_user IS NOT NULL;
CREATE INDEX audit_by_actor_user ON audit (actor_user, sequence) WHERE actor_user IS NOT NULL;
