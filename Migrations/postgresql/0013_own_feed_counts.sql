-- How many an app has: of a page that was lost nothing else tells, and a start would take fewer feeds for all there are.
ALTER TABLE apps ADD COLUMN own_feed_count bigint NOT NULL DEFAULT 0;
UPDATE apps SET own_feed_count = (SELECT count(*) FROM own_feeds WHERE own_feeds.app = apps.key);

CREATE FUNCTION own_feeds_are_counted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE apps SET own_feed_count = own_feed_count + 1 WHERE key = NEW.app;
    RETURN NULL;
END $$;

CREATE TRIGGER own_feeds_are_counted AFTER INSERT ON own_feeds
    FOR EACH ROW EXECUTE FUNCTION own_feeds_are_counted();

CREATE FUNCTION own_feeds_are_discounted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE apps SET own_feed_count = own_feed_count - 1 WHERE key = OLD.app;
    RETURN NULL;
END $$;

CREATE TRIGGER own_feeds_are_discounted AFTER DELETE ON own_feeds
    FOR EACH ROW EXECUTE FUNCTION own_feeds_are_discounted();
