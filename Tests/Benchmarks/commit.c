/* The yardstick for a change: one durable SQLite commit (WAL, synchronous=FULL) of the rows that a change writes, and nothing else.

   commit DATABASE     for each line on standard input: one commit, and its nanoseconds on standard output */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static sqlite3 *database;

static void check(int result) {
    if (result == SQLITE_OK || result == SQLITE_DONE || result == SQLITE_ROW) return;
    fprintf(stderr, "%s\n", sqlite3_errmsg(database));
    exit(1);
}

static sqlite3_stmt *prepared(const char *sql) {
    sqlite3_stmt *statement;
    check(sqlite3_prepare_v2(database, sql, -1, &statement, 0));
    return statement;
}

static void run(sqlite3_stmt *statement) {
    int result;
    while ((result = sqlite3_step(statement)) == SQLITE_ROW) {}
    check(result);
    check(sqlite3_reset(statement));
}

int main(int count, char **words) {
    if (count != 2) return 2;
    check(sqlite3_open(words[1], &database));
    check(sqlite3_exec(database, "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA recursive_triggers=ON", 0, 0, 0));
    sqlite3_stmt *begin = prepared("BEGIN IMMEDIATE"), *commit = prepared("COMMIT");
    sqlite3_stmt *change = prepared(
        "INSERT INTO changes (sequence, at, actor_kind, actor_name, source, kind, reason, request_id, app, target_count, hash)"
        " SELECT max(sequence) + 1, max(at) + 1, 'token', 'bench', 'api', 'set', NULL, 'req-0123456789abcdef', NULL, 1, randomblob(32) FROM changes");
    sqlite3_stmt *target = prepared(
        "INSERT INTO change_targets (sequence, position, app, platform, previous, revision, before, after, feeds)"
        " SELECT (SELECT max(sequence) FROM changes), 0, app, platform, revision, revision + 1, '{}',"
        " '{\"killSwitch\":{\"message\":\"Back at 09:30.\",\"retryInterval\":30}}',"
        " (SELECT feeds FROM change_targets WHERE feeds <> '{}' LIMIT 1) FROM targets WHERE app = ?1 AND platform = 'ios'");
    sqlite3_stmt *current = prepared(
        "UPDATE targets SET revision = revision + 1, sequence = (SELECT max(sequence) FROM changes), changed_at = changed_at + 1, gate ="
        " '{\"killSwitch\":{\"message\":\"Back at 09:30.\",\"retryInterval\":30}}' WHERE app = ?1 AND platform = 'ios'");
    sqlite3_stmt *record = prepared(
        "INSERT INTO idempotency_records (actor, key, request_digest, status, body, at)"
        " VALUES ('token:bench', hex(randomblob(16)), randomblob(32), 200, randomblob(1400), 1)");
    check(sqlite3_bind_text(target, 1, "app-0001", -1, SQLITE_STATIC));
    check(sqlite3_bind_text(current, 1, "app-0001", -1, SQLITE_STATIC));
    char line[16];
    while (fgets(line, sizeof line, stdin)) {
        struct timespec start, end;
        clock_gettime(CLOCK_MONOTONIC, &start);
        run(begin);
        run(change);
        run(target);
        run(current);
        run(record);
        run(commit);
        clock_gettime(CLOCK_MONOTONIC, &end);
        printf("%lld\n", (long long)(end.tv_sec - start.tv_sec) * 1000000000 + end.tv_nsec - start.tv_nsec);
        fflush(stdout);
    }
    return 0;
}
