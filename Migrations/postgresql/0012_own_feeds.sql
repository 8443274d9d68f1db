-- Feeds of a shape that is an app's own.

-- document is the JSON of the feed: {"name":…,"platform":…,"template":…,"accept":…}. The history tells of them in apps_after, as "ownFeeds" by
-- name, null for one that goes: of each change those that it altered. So the hashes of older rows stay what they were.
CREATE TABLE own_feeds (
    app text COLLATE "C" NOT NULL REFERENCES apps (key),
    name text COLLATE "C" NOT NULL,
    document text COLLATE "C" NOT NULL,
    PRIMARY KEY (app, name)
);
