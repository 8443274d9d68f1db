/* The yardstick for the feed path: libmicrohttpd and nothing else. It serves prepared answers by path, with the options of Gatehouse's
   feeds listener (a pool of epoll threads, 8 KiB a connection), and checks nothing in a request.

   bare PORT WORKERS LIST     each line of LIST: path TAB file TAB entity tag */
#include <microhttpd.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 1 << 17, MEMORY = 8192, CONNECTIONS = 12000, IDLE_SECONDS = 15 };

struct feed {
    char *path, *tag;
    struct MHD_Response *response;
};

static struct feed feeds[SLOTS];

static unsigned slot_of(const char *path) {
    unsigned hash = 2166136261u;
    for (const char *at = path; *at; at++) hash = (hash ^ (unsigned char)*at) * 16777619u;
    unsigned slot = hash % SLOTS;
    while (feeds[slot].path && strcmp(feeds[slot].path, path)) slot = (slot + 1) % SLOTS;
    return slot;
}

static enum MHD_Result answer(void *cls, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
                              const char *upload, size_t *upload_size, void **context) {
    static int seen;
    (void)cls, (void)method, (void)version, (void)upload, (void)upload_size;
    if (!*context) {
        *context = &seen;
        return MHD_YES;
    }
    const struct feed *feed = &feeds[slot_of(url)];
    if (!feed->path) return MHD_NO;
    const char *known = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "If-None-Match");
    return MHD_queue_response(connection, known && !strcmp(known, feed->tag) ? 304 : 200, feed->response);
}

static void load(const char *list) {
    char path[1024], file[1024], tag[1024];
    FILE *lines = fopen(list, "r");
    if (!lines) exit(1);
    while (fscanf(lines, "%1023[^\t]\t%1023[^\t]\t%1023[^\n]\n", path, file, tag) == 3) {
        static char bytes[1 << 20];
        FILE *content = fopen(file, "r");
        if (!content) exit(1);
        size_t size = fread(bytes, 1, sizeof bytes, content);
        fclose(content);
        struct feed *feed = &feeds[slot_of(path)];
        feed->path = strdup(path);
        feed->tag = strdup(tag);
        feed->response = MHD_create_response_from_buffer(size, bytes, MHD_RESPMEM_MUST_COPY);
        MHD_add_response_header(feed->response, "Content-Type", "application/json; charset=utf-8");
        MHD_add_response_header(feed->response, "Cache-Control", "public, max-age=0, s-maxage=2, stale-if-error=86400");
        MHD_add_response_header(feed->response, "Access-Control-Allow-Origin", "*");
        MHD_add_response_header(feed->response, "ETag", tag);
    }
    fclose(lines);
}

int main(int count, char **words) {
    if (count != 4) return 2;
    signal(SIGPIPE, SIG_IGN);
    sigset_t endings;
    sigemptyset(&endings);
    sigaddset(&endings, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &endings, 0);
    load(words[3]);
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ITC | MHD_USE_ERROR_LOG, (unsigned short)atoi(words[1]), 0, 0, answer, 0,
        MHD_OPTION_CONNECTION_LIMIT, CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, IDLE_SECONDS, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)MEMORY, MHD_OPTION_THREAD_POOL_SIZE, (unsigned)atoi(words[2]), MHD_OPTION_END);
    if (!daemon) return 1;
    puts("ready");
    fflush(stdout);
    int signal_number;
    sigwait(&endings, &signal_number);
    MHD_stop_daemon(daemon);
    return 0;
}
