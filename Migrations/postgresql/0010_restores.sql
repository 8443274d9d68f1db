-- A restore goes on above every sequence that may have been handed out since its backup was made, so that no phone sees feeds go backwards.

-- How many sequences the row of a restore leaves out before its own; NULL in every other row, so that the hashes of older ones stay what they were.
ALTER TABLE changes ADD COLUMN skipped bigint CHECK ((skipped IS NULL) = (kind <> 'restore') AND coalesce(skipped, 0) >= 0);

CREATE OR REPLACE FUNCTION changes_are_gapless() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.sequence IS DISTINCT FROM (SELECT coalesce(max(sequence), 0) + 1 FROM changes) + coalesce(NEW.skipped, 0) THEN
        RAISE EXCEPTION 'a change takes the next sequence';
    END IF;
    RETURN NEW;
END $$;
