#pragma once

/// libmicrohttpd, with the few calls Swift cannot make itself: those with variable arguments, and callbacks whose enum arguments
/// Swift would have to trust (a value outside a closed enum is undefined there, so they cross as plain integers).

#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>
#include <microhttpd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void (*gatehouse_logger)(void *context, const char *format, const char *message);
typedef void (*gatehouse_completed)(void *context, struct MHD_Connection *connection, void **exchange, int reason);
typedef void (*gatehouse_connection_changed)(void *context, struct MHD_Connection *connection, void **socket_context, int event);
typedef int (*gatehouse_field)(void *context, int kind, const char *name, size_t name_size, const char *value, size_t value_size);

/// Everything a daemon is started with.
struct gatehouse_settings {
    int listen_socket;
    unsigned int workers;
    unsigned int connection_limit;
    unsigned int idle_timeout_seconds;
    size_t connection_memory;
    /// Whether each handshake asks `gatehouse_identity_of` for its certificate.
    int is_encrypted;
    /// Handed to every callback.
    void *context;
    gatehouse_logger logger;
    MHD_AcceptPolicyCallback accept;
    void *(*target)(void *context, const char *target, struct MHD_Connection *connection);
    MHD_AccessHandlerCallback handler;
    gatehouse_completed completed;
    gatehouse_connection_changed connection_changed;
};

/// A certificate chain and its key as GnuTLS wants them.
struct gatehouse_identity {
    gnutls_pcert_st *chain;
    unsigned int count;
    gnutls_privkey_t key;
};

/// Longer chains are not in use: a root, some between, and the server's own.
enum { gatehouse_longest_chain = 16 };

static inline void gatehouse_identity_free(struct gatehouse_identity *identity) {
    for (unsigned int index = 0; index < identity->count; index++) gnutls_pcert_deinit(&identity->chain[index]);
    free(identity->chain);
    if (identity->key != NULL) gnutls_privkey_deinit(identity->key);
    memset(identity, 0, sizeof(*identity));
}

/// Reads PEM texts, which must belong together. Answers 0, or GnuTLS's code with nothing left to free.
static inline int gatehouse_identity_read(struct gatehouse_identity *identity, const char *certificate, const char *key) {
    const gnutls_datum_t chain = { (unsigned char *)certificate, (unsigned int)strlen(certificate) };
    const gnutls_datum_t secret = { (unsigned char *)key, (unsigned int)strlen(key) };
    memset(identity, 0, sizeof(*identity));

    // Nothing else in GnuTLS compares the two.
    gnutls_certificate_credentials_t both;
    int code = gnutls_certificate_allocate_credentials(&both);
    if (code < 0) return code;
    code = gnutls_certificate_set_x509_key_mem(both, &chain, &secret, GNUTLS_X509_FMT_PEM);
    gnutls_certificate_free_credentials(both);
    if (code < 0) return code;

    unsigned int count = gatehouse_longest_chain;
    identity->chain = (gnutls_pcert_st *)calloc(count, sizeof(gnutls_pcert_st));
    if (identity->chain == NULL) return GNUTLS_E_MEMORY_ERROR;
    code = gnutls_pcert_list_import_x509_raw(identity->chain, &count, &chain, GNUTLS_X509_FMT_PEM, GNUTLS_X509_CRT_LIST_SORT);
    if (code >= 0) identity->count = count;
    if (code >= 0) code = gnutls_privkey_init(&identity->key);
    if (code >= 0) code = gnutls_privkey_import_x509_raw(identity->key, &secret, GNUTLS_X509_FMT_PEM, NULL, 0);
    if (code < 0) gatehouse_identity_free(identity);
    return code < 0 ? code : 0;
}

/// What a connection shows of itself: the answer lives until the connection has closed. In Swift (`TLSIdentity`).
extern const struct gatehouse_identity *gatehouse_identity_of(void *socket_context);

static inline void *gatehouse_socket_context(struct MHD_Connection *connection);

/// Asked in each handshake. That a session's pointer is its connection is libmicrohttpd's doing (daemon.c, `new_connection_process_`) and
/// is held by a test.
static inline int gatehouse_certificate(gnutls_session_t session, const gnutls_datum_t *authorities, int authority_count,
                                        const gnutls_pk_algorithm_t *algorithms, int algorithm_count, gnutls_pcert_st **chain,
                                        unsigned int *count, gnutls_privkey_t *key) {
    (void)authorities;
    (void)authority_count;
    (void)algorithms;
    (void)algorithm_count;
    struct MHD_Connection *connection = (struct MHD_Connection *)gnutls_session_get_ptr(session);
    void *context = connection == NULL ? NULL : gatehouse_socket_context(connection);
    const struct gatehouse_identity *identity = context == NULL ? NULL : gatehouse_identity_of(context);
    if (identity == NULL) return -1;
    *chain = identity->chain;
    *count = identity->count;
    *key = identity->key;
    return 0;
}

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
    if (settings->is_encrypted) {
        flags |= MHD_USE_TLS;
        // Not the texts themselves, which the library would keep as they are until it ends.
        GATEHOUSE_OPTION(MHD_OPTION_HTTPS_CERT_CALLBACK, 0, &gatehouse_certificate);
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
