-- A restore goes on above every sequence that may have been handed out since its backup was made, so that no phone sees feeds go backwards.

-- How many sequences the row of a restore leaves out before its own; NULL in every other row, so that the hashes of older ones stay what they were.
ALTER TABLE changes ADD COLUMN skipped INTEGER CHECK ((skipped IS NULL) = (kind <> 'restore') AND coalesce(skipped, 0) >= 0);

DROP TRIGGER changes_are_gapless;

CREATE TRIGGER changes_are_gapless BEFORE INSERT ON changes
WHEN NEW.sequence IS NOT (SELECT coalesce(max(sequence), 0) + 1 FROM changes) + coalesce(NEW.skipped, 0)
BEGIN
    SELECT RAISE(ABORT, 'a change takes the next sequence');
END;
