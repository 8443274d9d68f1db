/* Makes a load of polls that are answered 304. wrk cannot: it waits for as many bytes as a 304's Content-Length says, which are those of
   the 200 (RFC 9110 section 8.6) and never come.

   poll PORT CONNECTIONS SECONDS PATH TAG     answers a second on standard output */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int count, char **words) {
    if (count != 6) return 2;
    char request[2048];
    int length = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nIf-None-Match: %s\r\n\r\n", words[4], words[1], words[5]);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(words[1])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int events = epoll_create1(0), one = 1;
    for (int number = atoi(words[2]); number > 0; number--) {
        int caller = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(caller, (struct sockaddr *)&address, sizeof address)) return 1;
        setsockopt(caller, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        struct epoll_event event = {.events = EPOLLIN, .data.fd = caller};
        epoll_ctl(events, EPOLL_CTL_ADD, caller, &event);
        if (write(caller, request, (size_t)length) != length) return 1;
    }
    double start = now(), end = start + atof(words[3]);
    long answers = 0;
    while (now() < end) {
        struct epoll_event ready[64];
        int found = epoll_wait(events, ready, 64, 100);
        for (int index = 0; index < found; index++) {
            // A header this small comes in one piece over loopback; if not, it counts as a failure.
            char answer[4096];
            ssize_t size = read(ready[index].data.fd, answer, sizeof answer);
            if (size < 16 || memcmp(answer + 9, "304", 3) || memcmp(answer + size - 4, "\r\n\r\n", 4)) return 1;
            answers++;
            if (write(ready[index].data.fd, request, (size_t)length) != length) return 1;
        }
    }
    printf("%.0f\n", (double)answers / (now() - start));
    return 0;
}
