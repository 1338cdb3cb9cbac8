#define _GNU_SOURCE
#include "CBlueZTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static const char enter[] = "\033[?1049h\033[?25l\033[?7l\033[2J";
static const char leave[] = "\033[0m\033[?7h\033[?25h\033[?1049l";
static const int deadly[] = {SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE};
enum { deadly_count = sizeof deadly / sizeof *deadly };
static struct sigaction previous[deadly_count];

static struct termios saved;
static int input_descriptor = -1;
static int output_descriptor = -1;
static atomic_int is_taken;
/* The link that terminal_link created, and its target. */
static char link_path[PATH_MAX];
static char link_target[PATH_MAX];
static atomic_int is_linked;
static int asked[2] = {-1, -1};

static void put(const char *text, size_t length) {
    while (length > 0) {
        ssize_t count = write(output_descriptor, text, length);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return;
        text += count;
        length -= (size_t)count;
    }
}

static void clean_up(void) {
    terminal_end();
    terminal_unlink();
}

/* Restores the terminal, and lets the signal have the effect that it would have without this handler. A fault of the
 * processor recurs when the handler returns; every other signal is raised again. */
static void die(int number, siginfo_t *information, void *context) {
    (void)context;
    clean_up();
    for (size_t index = 0; index < deadly_count; index++) {
        if (deadly[index] == number) sigaction(number, &previous[index], NULL);
    }
    if (information->si_code <= 0 || number == SIGTRAP || number == SIGQUIT) raise(number);
}

static void watch(size_t index) {
    struct sigaction action;
    if (sigaction(deadly[index], NULL, &previous[index]) != 0 || previous[index].sa_handler == SIG_IGN) return;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = die;
    action.sa_flags = SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    sigaction(deadly[index], &action, NULL);
}

struct terminal_size terminal_size_of(int descriptor) {
    struct winsize size;
    struct terminal_size result = {0, 0};
    if (ioctl(descriptor, TIOCGWINSZ, &size) == 0) {
        result.columns = size.ws_col;
        result.rows = size.ws_row;
    }
    return result;
}

/* Arranges that everything is restored when the program ends. Returns 0, or an errno value. */
static int prepare(void) {
    static int is_prepared;
    if (is_prepared) return 0;
    if (atexit(clean_up) != 0) return ENOMEM;
    for (size_t index = 0; index < deadly_count; index++) watch(index);
    is_prepared = 1;
    return 0;
}

int terminal_begin(int input, int output) {
    if (atomic_load(&is_taken)) return 0;
    int error = prepare();
    if (error != 0) return error;
    output_descriptor = output;
    input_descriptor = -1;
    if (tcgetattr(input, &saved) == 0) {
        struct termios keys = saved;
        keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
        keys.c_cc[VMIN] = 0;
        keys.c_cc[VTIME] = 0;
        if (tcsetattr(input, TCSANOW, &keys) != 0) return errno;
        input_descriptor = input;
    }
    atomic_store(&is_taken, 1);
    put(enter, sizeof enter - 1);
    return 0;
}

int terminal_begin_raw(int input) {
    struct termios keys;
    if (atomic_load(&is_taken)) return 0;
    int error = prepare();
    if (error != 0) return error;
    if (tcgetattr(input, &saved) != 0) return errno;
    keys = saved;
    cfmakeraw(&keys);
    /* Output still translates a line feed to CR LF. */
    keys.c_oflag |= saved.c_oflag & OPOST;
    if (tcsetattr(input, TCSANOW, &keys) != 0) return errno;
    input_descriptor = input;
    output_descriptor = -1;
    atomic_store(&is_taken, 1);
    return 0;
}

void terminal_end(void) {
    int error = errno;
    if (atomic_exchange(&is_taken, 0)) {
        if (output_descriptor >= 0) put(leave, sizeof leave - 1);
        if (input_descriptor >= 0) tcsetattr(input_descriptor, TCSANOW, &saved);
    }
    errno = error;
}

int terminal_link(const char *target, const char *path) {
    if (atomic_load(&is_linked)) return EBUSY;
    if (strlen(target) >= sizeof link_target || strlen(path) >= sizeof link_path) return ENAMETOOLONG;
    int error = prepare();
    if (error != 0) return error;
    if (symlink(target, path) != 0) return errno;
    strcpy(link_target, target);
    strcpy(link_path, path);
    atomic_store(&is_linked, 1);
    return 0;
}

void terminal_unlink(void) {
    char target[PATH_MAX];
    int error = errno;
    if (atomic_exchange(&is_linked, 0)) {
        ssize_t count = readlink(link_path, target, sizeof target);
        /* Another program may have replaced it. */
        if (count == (ssize_t)strlen(link_target) && memcmp(target, link_target, (size_t)count) == 0) unlink(link_path);
    }
    errno = error;
}

int terminal_read_byte(void) {
    unsigned char byte;
    if (!atomic_load(&is_taken) || input_descriptor < 0) return -1;
    return read(input_descriptor, &byte, 1) == 1 ? byte : -1;
}

void terminal_die_of(int number) {
    sigset_t set;
    clean_up();
    signal(number, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    kill(getpid(), number);
    _exit(128 + number);
}

/* The bit for a signal that the kernel sent. */
enum { from_kernel = 0x80 };
static int reached_group;

static void ask(int number, siginfo_t *information, void *context) {
    int error = errno;
    unsigned char byte = (unsigned char)(number | (information->si_code > 0 ? from_kernel : 0));
    (void)context;
    /* If the pipe is full, enough signals are waiting. */
    ssize_t count = write(asked[1], &byte, 1);
    (void)count;
    errno = error;
}

static void watch_end(int number) {
    struct sigaction action;
    if (sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN) return;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = ask;
    action.sa_flags = SA_RESTART | SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

int terminal_watch_signals(void) {
    if (asked[0] >= 0) return asked[0];
    if (pipe2(asked, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
    signal(SIGPIPE, SIG_IGN);
    watch_end(SIGINT);
    watch_end(SIGTERM);
    watch_end(SIGHUP);
    return asked[0];
}

void terminal_wait_for_signal(void) {
    struct pollfd state = {.fd = asked[0], .events = POLLIN};
    poll(&state, 1, -1);
}

int terminal_next_signal(void) {
    unsigned char number;
    if (read(asked[0], &number, 1) != 1) return 0;
    reached_group = number & from_kernel;
    return number & ~from_kernel;
}

int terminal_signal_reached_group(void) { return reached_group != 0; }

void terminal_buffer_lines(void) { setvbuf(stdout, NULL, _IOLBF, 0); }
