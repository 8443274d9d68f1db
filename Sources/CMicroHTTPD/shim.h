#pragma once

/// libmicrohttpd, with the few calls Swift cannot make itself: those with variable arguments, and callbacks whose enum arguments
/// Swift would have to trust (a value outside a closed enum is undefined there, so they cross as plain integers).

#include <microhttpd.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef void (*gatehouse_logger)(void *context, const char *format, const char *message);
typedef void (*gatehouse_completed)(void *context, struct MHD_Connection *connection, void **exchange, int reason);
typedef void (*gatehouse_connection_changed)(void *context, struct MHD_Connection *connection, void **socket_context, int event);
typedef int (*gatehouse_field)(void *context, int kind, const char *name, size_t name_size, const char *value, size_t value_size);

/// Everything a daemon is started with. The strings must live until the daemon has been stopped.
struct gatehouse_settings {
    int listen_socket;
    unsigned int workers;
    unsigned int connection_limit;
    unsigned int idle_timeout_seconds;
    size_t connection_memory;
    const char *tls_certificate;
    const char *tls_key;
    /// Handed to every callback.
    void *context;
    gatehouse_logger logger;
    MHD_AcceptPolicyCallback accept;
    void *(*target)(void *context, const char *target, struct MHD_Connection *connection);
    MHD_AccessHandlerCallback handler;
    gatehouse_completed completed;
    gatehouse_connection_changed connection_changed;
};

/// The library formats into a va_list; only the finished line crosses over, and the format, which tells one kind of line from another.
struct gatehouse_log {
    gatehouse_logger logger;
    void *context;
};

static inline void gatehouse_log_line(void *log, const char *format, va_list arguments) {
    char line[512];
    const struct gatehouse_log *to = (const struct gatehouse_log *)log;
    vsnprintf(line, sizeof(line), format, arguments);
    to->logger(to->context, format, line);
}

/// Paths and queries stay as they were sent; the caller decodes each piece once.
static inline size_t gatehouse_leave_escaped(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

/// Starts a daemon; NULL when it cannot, with the reason told to the logger. `log` must live until the daemon has been stopped.
static inline struct MHD_Daemon *gatehouse_start(const struct gatehouse_settings *settings, struct gatehouse_log *log) {
    unsigned int flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ITC | MHD_USE_ERROR_LOG;
    struct MHD_OptionItem options[20];
    unsigned int count = 0;
#define GATEHOUSE_OPTION(name, number, pointer) \
    options[count++] = (struct MHD_OptionItem){ (name), (intptr_t)(number), (void *)(pointer) }

    // First, or faults in the others would be told on standard error.
    GATEHOUSE_OPTION(MHD_OPTION_EXTERNAL_LOGGER, &gatehouse_log_line, log);
    GATEHOUSE_OPTION(MHD_OPTION_LISTEN_SOCKET, settings->listen_socket, NULL);
    // A pool of one is no pool; without it the daemon has its one thread.
    if (settings->workers > 1) GATEHOUSE_OPTION(MHD_OPTION_THREAD_POOL_SIZE, settings->workers, NULL);
    GATEHOUSE_OPTION(MHD_OPTION_CONNECTION_LIMIT, settings->connection_limit, NULL);
    GATEHOUSE_OPTION(MHD_OPTION_CONNECTION_TIMEOUT, settings->idle_timeout_seconds, NULL);
    GATEHOUSE_OPTION(MHD_OPTION_PER_IP_CONNECTION_LIMIT, 0, NULL);
    GATEHOUSE_OPTION(MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->connection_memory, NULL);
    // 1 would answer a missing Host with two heads (0.9.75); the check is the caller's.
    GATEHOUSE_OPTION(MHD_OPTION_STRICT_FOR_CLIENT, 0, NULL);
    GATEHOUSE_OPTION(MHD_OPTION_UNESCAPE_CALLBACK, &gatehouse_leave_escaped, NULL);
    GATEHOUSE_OPTION(MHD_OPTION_URI_LOG_CALLBACK, settings->target, settings->context);
    GATEHOUSE_OPTION(MHD_OPTION_NOTIFY_COMPLETED, settings->completed, settings->context);
    GATEHOUSE_OPTION(MHD_OPTION_NOTIFY_CONNECTION, settings->connection_changed, settings->context);
    if (settings->tls_certificate != NULL) {
        flags |= MHD_USE_TLS;
        GATEHOUSE_OPTION(MHD_OPTION_HTTPS_MEM_CERT, 0, settings->tls_certificate);
        GATEHOUSE_OPTION(MHD_OPTION_HTTPS_MEM_KEY, 0, settings->tls_key);
        GATEHOUSE_OPTION(MHD_OPTION_HTTPS_PRIORITIES, 0, "SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2");
    }
    GATEHOUSE_OPTION(MHD_OPTION_END, 0, NULL);
#undef GATEHOUSE_OPTION
    return MHD_start_daemon(flags, 0, settings->accept, settings->context, settings->handler, settings->context,
                            MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

/// The `socket_context` that `connection_changed` set when the connection started.
static inline void *gatehouse_socket_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info == NULL ? NULL : info->socket_context;
}

/// The connection's descriptor, or -1.
static inline int gatehouse_descriptor(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}

/// The other end's address, or NULL.
static inline const struct sockaddr *gatehouse_peer(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info == NULL ? NULL : info->client_addr;
}

/// Bytes from the request line's first to the end of the empty line behind the header.
static inline size_t gatehouse_header_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info == NULL ? 0 : info->header_size;
}

/// Calls `field` for each header field in the order sent.
static inline void gatehouse_each_header(struct MHD_Connection *connection, gatehouse_field field, void *context) {
    MHD_get_connection_values_n(connection, MHD_HEADER_KIND, (MHD_KeyValueIteratorN)field, context);
}

/// Calls `field` for each pair of the query in the order sent; the value is NULL where there was no `=`.
static inline void gatehouse_each_parameter(struct MHD_Connection *connection, gatehouse_field field, void *context) {
    MHD_get_connection_values_n(connection, MHD_GET_ARGUMENT_KIND, (MHD_KeyValueIteratorN)field, context);
}

/// Records that the library keeps of the request: one for each field, cookie and parameter.
static inline size_t gatehouse_record_count(struct MHD_Connection *connection) {
    int records = MHD_get_connection_values_n(
        connection, (enum MHD_ValueKind)(MHD_HEADER_KIND | MHD_COOKIE_KIND | MHD_GET_ARGUMENT_KIND), NULL, NULL);
    return records < 0 ? 0 : (size_t)records;
}

/// Where the query begins: the first `?`, or the text's end.
static inline const char *gatehouse_query(const char *target) {
    extern char *strchrnul(const char *, int);
    return strchrnul(target, '?');
}
