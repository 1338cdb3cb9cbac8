#define _GNU_SOURCE
#include "CBlueZTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

static char path[64];
static int leader = -1;
/* This program's descriptor of the other end. Without it, exclusive use would outlast the program that requested it. */
static int follower = -1;
static int inotify = -1;
static int watch = -1;
static int number = -1;

static int open_follower(void) { return open(path, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK); }

static int begin_watch(void) { return inotify_add_watch(inotify, path, IN_OPEN | IN_CLOSE); }

/* Both ends share their settings, so this sets those of the follower. */
static int make_raw(void) {
    struct termios settings;
    if (tcgetattr(leader, &settings) != 0) return -1;
    cfmakeraw(&settings);
    return tcsetattr(leader, TCSANOW, &settings);
}

static int open_ends(void) {
    leader = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (leader < 0 || grantpt(leader) != 0 || unlockpt(leader) != 0) return -1;
    int error = ptsname_r(leader, path, sizeof path);
    if (error != 0) {
        errno = error;
        return -1;
    }
    if (ioctl(leader, TIOCGPTN, &number) != 0) return -1;
    follower = open_follower();
    if (follower < 0 || fchmod(follower, 0600) != 0 || make_raw() != 0) return -1;
    /* This may fail: by default, a user can have 128 of these in all programs. */
    inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    watch = begin_watch();
    return 0;
}

int pseudo_terminal_open(void) {
    if (leader >= 0) return EBUSY;
    if (open_ends() == 0) return 0;
    int error = errno;
    pseudo_terminal_close();
    return error;
}

int pseudo_terminal_leader(void) { return leader; }

int pseudo_terminal_watch(void) { return inotify; }

int pseudo_terminal_number(void) { return number; }

static void forget_events(void) {
    char buffer[4096];
    while (read(inotify, buffer, sizeof buffer) > 0) continue;
}

int pseudo_terminal_is_used(void) {
    if (leader < 0) return 0;
    /* inotify merges equal events, so they cannot be counted. When the other end is not open here, the leader shows
       whether it is open anywhere. */
    inotify_rm_watch(inotify, watch);
    forget_events();
    int is_exclusive = 0;
    if (follower >= 0) {
        ioctl(follower, TIOCGEXCL, &is_exclusive);
        ioctl(follower, TIOCNXCL);
        close(follower);
    }
    struct pollfd state = {.fd = leader, .events = 0};
    int is_used = poll(&state, 1, 0) == 0;
    follower = open_follower();
    if (follower >= 0 && is_exclusive && is_used) ioctl(follower, TIOCEXCL);
    watch = begin_watch();
    return is_used;
}

void pseudo_terminal_reset(void) {
    make_raw();
    if (follower < 0) return;
    ioctl(follower, TIOCNXCL);
    /* A program may have stopped the output. */
    tcflow(follower, TCOON);
    tcflush(follower, TCIFLUSH);
}

static void close_descriptor(int *descriptor) {
    if (*descriptor >= 0) close(*descriptor);
    *descriptor = -1;
}

void pseudo_terminal_close(void) {
    close_descriptor(&inotify);
    close_descriptor(&follower);
    close_descriptor(&leader);
    watch = number = -1;
}
