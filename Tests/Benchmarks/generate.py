"""Fills an empty database with apps and a history of any length, hashes included. After `gatehouse admin sign --keep`, `gatehouse verify`
finds it sound.

It writes what the server would have written, without its fsync a change. Usage: generate.py DATA APPS CHANGES
"""
import hashlib
import json
import sqlite3
import sys

DOMAIN = b"gatehouse changes 1"
CHANGES = ["sequence", "at", "actor_kind", "actor_name", "source", "kind", "reason", "request_id", "app", "target_count"]
TARGETS = ["sequence", "position", "app", "platform", "previous", "revision", "before", "after", "settings_before", "settings_after", "feeds"]
PLATFORMS = [("ios", "dotted"), ("android", "code")]
KILL = '{"killSwitch":{"message":"Back at 09:30.","retryInterval":30}}'
FEEDS = json.dumps(dict.fromkeys(["bellerophon", "launchgate", "prince-of-versions", "combined", "gate"], "0" * 64), separators=(",", ":"))
START = 1_700_000_000_000


def part(value):
    value = value if isinstance(value, bytes) else str(value).encode()
    return len(value).to_bytes(8, "big") + value


def hashed(table, columns, values):
    present = [part(name) + part(value) for name, value in zip(columns, values) if value is not None]
    return part(table) + len(present).to_bytes(8, "big") + b"".join(present)


def link(previous, change, targets):
    rows = [hashed("changes", CHANGES, change)] + [hashed("change_targets", TARGETS, row) for row in targets]
    head = part(DOMAIN) + change[0].to_bytes(8, "big") + previous + len(rows).to_bytes(8, "big")
    return hashlib.sha256(head + b"".join(rows)).digest()


def settings(scheme):
    return '{"versionScheme":"%s","storeURL":null,"releases":[],"defaultRetryInterval":15}' % scheme


def history(apps, length):
    """Every change with its target rows: apps and platforms are made first, then gates are set and cleared in turn."""
    keys = ["app-%04d" % number for number in range(apps)]
    sequence = 0

    def change(kind, app, count):
        return [sequence, START + sequence, "token", "bench", "api", kind, None, "req-%016x" % sequence, app, count]

    for key in keys:
        sequence += 1
        yield change("create", key, 0), []
    targets = [(key, platform, scheme) for key in keys for platform, scheme in PLATFORMS]
    for key, platform, scheme in targets:
        sequence += 1
        yield change("create", None, 1), [[sequence, 0, key, platform, 0, 1, "{}", "{}", "null", settings(scheme), FEEDS]]
    revision, turn = 1, 0
    while sequence < length:
        key, platform, _ = targets[turn]
        before, after = ("{}", KILL) if revision % 2 else (KILL, "{}")
        sequence += 1
        yield change("set", None, 1), [[sequence, 0, key, platform, revision, revision + 1, before, after, None, None, FEEDS]]
        turn += 1
        if turn == len(targets):
            revision, turn = revision + 1, 0


def fill(data, apps, length):
    database = sqlite3.connect(data + "/gatehouse.sqlite", isolation_level=None)
    database.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA foreign_keys=OFF; PRAGMA cache_size=-400000")
    # Triggers and indices would process every row as it comes; here they are made again when all rows are there.
    later = database.execute(
        "SELECT type, name, sql FROM sqlite_master WHERE tbl_name IN ('changes', 'change_targets') AND type IN ('trigger', 'index') AND sql IS NOT NULL"
    ).fetchall()
    database.execute("BEGIN")
    for kind, name, _ in later:
        database.execute(f"DROP {kind} {name}")
    insert_change = "INSERT INTO changes (%s, hash) VALUES (%s)" % (", ".join(CHANGES), ", ".join("?" * 11))
    insert_target = "INSERT INTO change_targets VALUES (%s)" % ", ".join("?" * 11)
    previous, current = bytes(32), {}
    changes, targets = [], []

    def write():
        database.executemany(insert_change, changes)
        database.executemany(insert_target, targets)
        changes.clear()
        targets.clear()

    for change, rows in history(apps, length):
        previous = link(previous, change, rows)
        changes.append(change + [previous])
        targets.extend(rows)
        for row in rows:
            current[row[2], row[3]] = (row[5], row[0], row[7])
        if len(changes) == 20_000:
            write()
    write()
    database.executemany("INSERT INTO apps (key, name, aliases) VALUES (?, ?, '[]')", [("app-%04d" % number, "App %d" % number) for number in range(apps)])
    database.executemany(
        "INSERT INTO targets VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (app, platform, settings(dict(PLATFORMS)[platform]), gate, revision, sequence, START + sequence, START + sequence)
            for (app, platform), (revision, sequence, gate) in current.items()
        ],
    )
    for _, _, sql in sorted(later, key=lambda entry: entry[0]):
        database.execute(sql)
    database.execute("COMMIT")
    database.execute("PRAGMA journal_mode=WAL")
    database.close()


if __name__ == "__main__":
    fill(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
