// Makes the n-th call of one of libc's functions fail in the program that it is loaded into with LD_PRELOAD.
//
//   FAILING_CALL=NAME      the function
//   FAILING_CALL_NUMBER=N  which of its calls fails, counted from 1
//   FAILING_CALL_ERROR=E   the error number; 0 passes half of the bytes (a short write), -1 ends the process by SIGKILL
//   FAILING_CALL_MARK=PATH a file that exists afterwards if the call was reached
//
// `malloc` counts and fails the calls of libdbus only: Swift stops a program without memory.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *wanted = "";
static const char *mark = "/dev/null";
static long number;
static int failure;
static atomic_long count;

__attribute__((constructor)) static void read_settings(void) {
    const char *text = getenv("FAILING_CALL_NUMBER");
    number = text ? atol(text) : 0;
    text = getenv("FAILING_CALL_ERROR");
    failure = text ? atoi(text) : EIO;
    text = getenv("FAILING_CALL_MARK");
    if (text) mark = text;
    text = getenv("FAILING_CALL");
    if (text) wanted = text;
    // Programs that this one starts run undisturbed.
    unsetenv("LD_PRELOAD");
}

static int is_due(const char *name) {
    if (!number || strcmp(name, wanted) || atomic_fetch_add(&count, 1) + 1 != number) return 0;
    long file = syscall(SYS_openat, AT_FDCWD, mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file >= 0) syscall(SYS_close, file);
    if (failure < 0) syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
    errno = failure;
    return 1;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FAILS(result, name, parameters, arguments, value) \
    result name parameters { \
        if (is_due(#name)) return value; \
        return NEXT(name) arguments; \
    }
// A short call passes half of the bytes.
#define TRANSFERS(name, parameters, arguments, half) \
    ssize_t name parameters { \
        if (!is_due(#name)) return NEXT(name) arguments; \
        return failure ? -1 : NEXT(name) half; \
    }
#define OPENS(name) \
    int name(const char *path, int flags, ...) { \
        va_list list; \
        va_start(list, flags); \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0; \
        va_end(list); \
        return is_due("open") ? -1 : NEXT(name)(path, flags, mode); \
    }

OPENS(open)
OPENS(open64)
FAILS(int, socket, (int domain, int type, int protocol), (domain, type, protocol), -1)
FAILS(int, socketpair, (int domain, int type, int protocol, int pair[2]), (domain, type, protocol, pair), -1)
FAILS(int, connect, (int file, const struct sockaddr *address, socklen_t size), (file, address, size), -1)
FAILS(int, bind, (int file, const struct sockaddr *address, socklen_t size), (file, address, size), -1)
FAILS(int, listen, (int file, int backlog), (file, backlog), -1)
FAILS(int, accept4, (int file, struct sockaddr *address, socklen_t *size, int flags), (file, address, size, flags), -1)
FAILS(int, dup, (int file), (file), -1)
FAILS(int, pipe2, (int pair[2], int flags), (pair, flags), -1)
FAILS(int, eventfd, (unsigned value, int flags), (value, flags), -1)
FAILS(int, timerfd_create, (clockid_t clock, int flags), (clock, flags), -1)
FAILS(int, epoll_create1, (int flags), (flags), -1)
FAILS(int, epoll_ctl, (int queue, int verb, int file, struct epoll_event *event), (queue, verb, file, event), -1)
FAILS(int, epoll_wait, (int queue, struct epoll_event *events, int most, int time), (queue, events, most, time), -1)
FAILS(int, poll, (struct pollfd *files, nfds_t most, int time), (files, most, time), -1)
FAILS(int, fsync, (int file), (file), -1)
FAILS(int, ftruncate, (int file, off_t size), (file, size), -1)
FAILS(int, rename, (const char *from, const char *to), (from, to), -1)
FAILS(int, unlink, (const char *path), (path), -1)
FAILS(int, mkdir, (const char *path, mode_t mode), (path, mode), -1)
FAILS(int, fchmod, (int file, mode_t mode), (file, mode), -1)
TRANSFERS(read, (int file, void *bytes, size_t size), (file, bytes, size), (file, bytes, (size + 1) / 2))
TRANSFERS(write, (int file, const void *bytes, size_t size), (file, bytes, size), (file, bytes, (size + 1) / 2))
TRANSFERS(recv, (int file, void *bytes, size_t size, int flags), (file, bytes, size, flags),
          (file, bytes, (size + 1) / 2, flags))
TRANSFERS(send, (int file, const void *bytes, size_t size, int flags), (file, bytes, size, flags),
          (file, bytes, (size + 1) / 2, flags))
TRANSFERS(recvmsg, (int file, struct msghdr *message, int flags), (file, message, flags), (file, message, flags))
TRANSFERS(sendmsg, (int file, const struct msghdr *message, int flags), (file, message, flags),
          (file, message, flags))

void *malloc(size_t size) {
    static void *(*next)(size_t);
    if (!next) next = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
    if (number && !strcmp(wanted, "malloc")) {
        Dl_info caller;
        if (dladdr(__builtin_return_address(0), &caller) && strstr(caller.dli_fname, "libdbus-1") && is_due("malloc"))
            return NULL;
    }
    return next(size);
}
