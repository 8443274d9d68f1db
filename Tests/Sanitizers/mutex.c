// Linked into every program that Tests/Sanitizers/run builds with the thread sanitizer. Swift's Mutex takes a lock that nobody holds with an atomic
// operation in the program itself, which the sanitizer sees; one that somebody holds it takes in its library, which is not built with the
// sanitizer. Unless it is told, each access under a contended Mutex is a race to it (swift, stdlib/public/Synchronization/Mutex/LinuxImpl.swift:
// the functions below are those that the inlined parts call).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SELF __attribute__((swift_context))
#define SWIFT __attribute__((swiftcall))
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// Of the sanitizer (compiler-rt, tsan_interface.h and tsan_interface_atomic.h). A load of the lock's word, and not __tsan_acquire: that looks
// whether anybody has let go before it waits for whoever is just doing so for the first time.
extern int __tsan_atomic32_load(const volatile int *address, int order);
extern void __tsan_release(void *address);
static const int acquire = 2;

typedef SWIFT void lock_function(uint32_t thread, SELF void *handle);
typedef SWIFT bool try_function(SELF void *handle);
typedef SWIFT void unlock_function(SELF void *handle);

SWIFT void lock(uint32_t thread, SELF void *handle) __asm__(LOCK);
SWIFT bool try_lock(SELF void *handle) __asm__(TRY);
SWIFT void unlock(SELF void *handle) __asm__(UNLOCK);

SWIFT void lock(uint32_t thread, SELF void *handle) {
    ((lock_function *)dlsym(RTLD_NEXT, LOCK))(thread, handle);
    __tsan_atomic32_load(handle, acquire);
}

SWIFT bool try_lock(SELF void *handle) {
    bool is_taken = ((try_function *)dlsym(RTLD_NEXT, TRY))(handle);
    if (is_taken) __tsan_atomic32_load(handle, acquire);
    return is_taken;
}

SWIFT void unlock(SELF void *handle) {
    __tsan_release(handle);
    ((unlock_function *)dlsym(RTLD_NEXT, UNLOCK))(handle);
}
