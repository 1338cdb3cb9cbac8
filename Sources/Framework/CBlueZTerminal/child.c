#define _GNU_SOURCE
#include "CBlueZTerminal.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Returns this program's environment with `setting` instead of another value of its variable, or NULL. */
static char **environment_with(const char *setting) {
    size_t length = strcspn(setting, "=") + 1;
    size_t count = 0;
    size_t kept = 0;
    while (environ[count] != NULL) count++;
    char **result = calloc(count + 2, sizeof *result);
    if (result == NULL) return NULL;
    for (size_t index = 0; index < count; index++) {
        if (strncmp(environ[index], setting, length) != 0) result[kept++] = environ[index];
    }
    result[kept] = (char *)setting;
    return result;
}

int child_start(char *const words[], const char *setting) {
    pid_t child = 0;
    sigset_t set;
    posix_spawnattr_t attributes;
    char **environment = environment_with(setting);
    if (environment == NULL) return -ENOMEM;
    int code = posix_spawnattr_init(&attributes);
    if (code == 0) {
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        sigemptyset(&set);
        posix_spawnattr_setsigmask(&attributes, &set);
        /* terminal_watch_signals ignores it. */
        sigaddset(&set, SIGPIPE);
        posix_spawnattr_setsigdefault(&attributes, &set);
        code = posix_spawnp(&child, words[0], NULL, &attributes, words, environment);
        posix_spawnattr_destroy(&attributes);
    }
    free(environment);
    return code == 0 ? child : -code;
}

int child_watch(int process) {
#ifdef SYS_pidfd_open
    return (int)syscall(SYS_pidfd_open, process, 0);
#else
    (void)process;
    errno = ENOSYS;
    return -1;
#endif
}
