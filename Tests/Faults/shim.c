/* Makes the n-th write of a program fail, and counts writes: whatever alters a file, on any thread. Controlled through a file that both
   map. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Writes so far, which of them fails (0: none), and with which error. */
struct told { _Atomic long count, fails; _Atomic long error; };
static struct told *told;

__attribute__((constructor)) static void begin(void) {
    int file = open(getenv("FAULTS_TOLD"), O_RDWR | O_CLOEXEC);
    if (file < 0) return;
    void *page = mmap(0, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (page != MAP_FAILED) told = page;
}

static int fails(void) {
    if (!told || atomic_fetch_add(&told->count, 1) + 1 != atomic_load(&told->fails)) return 0;
    errno = (int) atomic_load(&told->error);
    return 1;
}

static int is_file(int file) {
    int kept = errno;
    struct stat status;
    int is = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    errno = kept;
    return is;
}

#define REAL(name) static __typeof__(&name) real; if (!real) real = (__typeof__(&name)) dlsym(RTLD_NEXT, #name)

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) { REAL(pwrite64); return fails() ? -1 : real(file, bytes, count, at); }
ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) { REAL(pwrite); return fails() ? -1 : real(file, bytes, count, at); }
ssize_t write(int file, const void *bytes, size_t count) { REAL(write); return is_file(file) && fails() ? -1 : real(file, bytes, count); }
int fsync(int file) { REAL(fsync); return fails() ? -1 : real(file); }
int fdatasync(int file) { REAL(fdatasync); return fails() ? -1 : real(file); }
int ftruncate64(int file, off64_t size) { REAL(ftruncate64); return fails() ? -1 : real(file, size); }
int ftruncate(int file, off_t size) { REAL(ftruncate); return fails() ? -1 : real(file, size); }
int rename(const char *from, const char *to) { REAL(rename); return fails() ? -1 : real(from, to); }
int unlink(const char *path) { REAL(unlink); return fails() ? -1 : real(path); }
