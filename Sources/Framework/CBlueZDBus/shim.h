#ifndef CDBUS_SHIM_H
#define CDBUS_SHIM_H

#include <dbus/dbus.h>
#include <sys/eventfd.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The flags are an enumeration that Swift does not see as integers. */
static inline int cdbus_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/* prctl is variadic, which Swift cannot call. */
static inline void cdbus_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

/* pipe2 needs a feature macro that Swift does not set. pipe and fcntl are not atomic if another thread forks. */
static inline int cdbus_pipe(int ends[2]) { return (int)syscall(SYS_pipe2, ends, O_CLOEXEC); }

/* The socket types are enumerations that Swift does not see as integers. */
static inline int cdbus_packet_pair(int ends[2]) {
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends);
}

static inline int cdbus_stream_pair(int ends[2]) { return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends); }

/* accept4 needs the same feature macro. */
static inline int cdbus_accept(int listener) {
    return (int)syscall(SYS_accept4, listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

static inline int cdbus_stream_socket(void) {
    return socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

/* A packet for recvmmsg: the kernel's struct mmsghdr, which needs the same feature macro. */
struct cdbus_packet {
    struct msghdr header;
    unsigned int length;
};

static inline int cdbus_receive_packets(int descriptor, struct cdbus_packet *packets, unsigned int count) {
    return (int)syscall(SYS_recvmmsg, descriptor, packets, count, MSG_DONTWAIT, NULL);
}

/* Starts a program that ends with the thread that started it, which posix_spawn cannot do. Between fork and exec, only
   async-signal-safe functions are called. The program inherits only descriptors 0, 1 and `keep`. Its standard error is
   written to the file `log`. Returns its process ID, or -1 with errno set. */
static inline pid_t cdbus_spawn(const char *path, char *const *arguments, int keep, const char *log) {
    pid_t parent = getpid();
    pid_t child = fork();
    if (child != 0) return child;
    /* Otherwise the parent's handlers would report the child's signals to the parent. */
    const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    for (unsigned index = 0; index < sizeof numbers / sizeof *numbers; index++) signal(numbers[index], SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    setpgid(0, 0);
    if (getppid() != parent) _exit(127);
    int errors = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (errors >= 0) dup2(errors, STDERR_FILENO);
#ifdef SYS_close_range
    /* The parent may have descriptors without close-on-exec. 4 is CLOSE_RANGE_CLOEXEC. Old kernels have neither. */
    syscall(SYS_close_range, 3u, ~0u, 4u);
#endif
    fcntl(keep, F_SETFD, 0);
    execvp(path, arguments);
    _exit(127);
}

#endif
