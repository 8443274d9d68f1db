/* The yardstick for a change on PostgreSQL: one durable commit of the rows that a change writes, under the writers' lock, and nothing else.

   commit_postgresql URL     for each line on standard input: one commit, and its nanoseconds on standard output */
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static PGconn *database;

static void check(PGresult *result) {
    ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
        fprintf(stderr, "%s", PQerrorMessage(database));
        exit(1);
    }
    PQclear(result);
}

static void run(const char *name) { check(PQexecPrepared(database, name, 0, 0, 0, 0, 0)); }

int main(int count, char **words) {
    if (count != 2) return 2;
    database = PQconnectdb(words[1]);
    if (PQstatus(database) != CONNECTION_OK) {
        fprintf(stderr, "%s", PQerrorMessage(database));
        return 1;
    }
    check(PQprepare(database, "change",
        "INSERT INTO changes (sequence, at, actor_kind, actor_name, source, kind, reason, request_id, app, target_count, hash)"
        " SELECT max(sequence) + 1, max(at) + 1, 'token', 'bench', 'api', 'set', NULL, 'req-0123456789abcdef', NULL, 1,"
        " sha256(gen_random_uuid()::text::bytea) FROM changes", 0, 0));
    check(PQprepare(database, "target",
        "INSERT INTO change_targets (sequence, position, app, platform, previous, revision, before, after, feeds)"
        " SELECT (SELECT max(sequence) FROM changes), 0, app, platform, revision, revision + 1, '{}',"
        " '{\"killSwitch\":{\"message\":\"Back at 09:30.\",\"retryInterval\":30}}',"
        " (SELECT feeds FROM change_targets WHERE feeds <> '{}' LIMIT 1) FROM targets WHERE app = 'app-0001' AND platform = 'ios'", 0, 0));
    check(PQprepare(database, "current",
        "UPDATE targets SET revision = revision + 1, sequence = (SELECT max(sequence) FROM changes), changed_at = changed_at + 1, gate ="
        " '{\"killSwitch\":{\"message\":\"Back at 09:30.\",\"retryInterval\":30}}' WHERE app = 'app-0001' AND platform = 'ios'", 0, 0));
    check(PQprepare(database, "record",
        "INSERT INTO idempotency_records (actor, key, request_digest, status, body, at)"
        " VALUES ('token:bench', gen_random_uuid()::text, sha256(gen_random_uuid()::text::bytea), 200, convert_to(repeat('x', 1400), 'UTF8'), 1)", 0, 0));
    char line[16];
    while (fgets(line, sizeof line, stdin)) {
        struct timespec start, end;
        clock_gettime(CLOCK_MONOTONIC, &start);
        /* One message, as gatehouse sends it: "gatehous" in ASCII. */
        check(PQexec(database, "BEGIN; SELECT pg_advisory_xact_lock(7449363237540164979)"));
        run("change");
        run("target");
        run("current");
        run("record");
        check(PQexec(database, "COMMIT"));
        clock_gettime(CLOCK_MONOTONIC, &end);
        printf("%lld\n", (long long)(end.tv_sec - start.tv_sec) * 1000000000 + end.tv_nsec - start.tv_nsec);
        fflush(stdout);
    }
    return 0;
}
