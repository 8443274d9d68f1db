-- What became of apps' names and aliases stands in the history too, so that its hashes cover them.

-- A JSON object by key of the apps whose name or aliases the change altered: {"name":…,"aliases":[…]}, null for one that it deleted. NULL when
-- it altered none, as in every row before this migration: those hashes stay what they were.
ALTER TABLE changes ADD COLUMN apps_after text COLLATE "C";
