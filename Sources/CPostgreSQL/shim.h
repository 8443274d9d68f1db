#ifndef GATEHOUSE_CPOSTGRESQL_SHIM_H
#define GATEHOUSE_CPOSTGRESQL_SHIM_H

#include <libpq-fe.h>
#include <stdio.h>
#include <string.h>

/// The parts of an error that the server tells apart. libpq-fe.h has them as macros of character constants, which say nothing of the type
/// that PQresultErrorField takes.
enum gatehouse_error_field {
    gatehouse_sqlstate = PG_DIAG_SQLSTATE,
    gatehouse_message = PG_DIAG_MESSAGE_PRIMARY,
    gatehouse_detail = PG_DIAG_MESSAGE_DETAIL,
    gatehouse_hint = PG_DIAG_MESSAGE_HINT,
    gatehouse_table = PG_DIAG_TABLE_NAME,
    gatehouse_column = PG_DIAG_COLUMN_NAME,
    gatehouse_constraint = PG_DIAG_CONSTRAINT_NAME,
};

/// NULL where the error has no such part; lives as long as the result.
static inline const char *gatehouse_error_part(const PGresult *result, enum gatehouse_error_field field) {
    return PQresultErrorField(result, field);
}

static inline void gatehouse_ignore(void *context, const PGresult *notice) {
    (void)context;
    (void)notice;
}

/// Without this libpq writes the server's notices to standard error, which is the log.
static inline void gatehouse_ignore_notices(PGconn *connection) { PQsetNoticeReceiver(connection, gatehouse_ignore, NULL); }

/// Why a server ends a session. It says so while nothing was asked, or as a warning beside what was: to libpq both are notices.
struct gatehouse_farewell {
    /// Empty as long as the server stays.
    char sqlstate[6];
    char message[250];
};

static inline void gatehouse_take_farewell(void *context, const PGresult *notice) {
    struct gatehouse_farewell *farewell = context;
    const char *sqlstate = PQresultErrorField(notice, PG_DIAG_SQLSTATE);
    const char *message = PQresultErrorField(notice, PG_DIAG_MESSAGE_PRIMARY);
    // Class 57P, "operator intervention", and 25P03, "idle in transaction session timeout".
    if (!sqlstate || !message || (strncmp(sqlstate, "57P", 3) != 0 && strcmp(sqlstate, "25P03") != 0)) return;
    snprintf(farewell->sqlstate, sizeof farewell->sqlstate, "%s", sqlstate);
    snprintf(farewell->message, sizeof farewell->message, "%s", message);
}

/// All other notices are ignored.
/// `farewell` must live as long as the connection.
static inline void gatehouse_keep_farewell(PGconn *connection, struct gatehouse_farewell *farewell) {
    PQsetNoticeReceiver(connection, gatehouse_take_farewell, farewell);
}

static inline const char *gatehouse_farewell_sqlstate(const struct gatehouse_farewell *farewell) { return farewell->sqlstate; }

static inline const char *gatehouse_farewell_message(const struct gatehouse_farewell *farewell) { return farewell->message; }

#endif
