#include "CBlueZTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns the content of a file whose length the kernel does not report, or NULL with errno set. */
static char *contents(const char *path, size_t *length) {
    size_t capacity = 4096;
    char *buffer = malloc(capacity);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    *length = 0;
    while (buffer != NULL && file >= 0) {
        ssize_t count = read(file, buffer + *length, capacity - *length);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        *length += (size_t)count;
        if (*length == capacity) {
            char *larger = realloc(buffer, capacity *= 2);
            if (larger == NULL) free(buffer);
            buffer = larger;
        }
    }
    if (file >= 0) close(file);
    return buffer;
}

static const char *const suffixes[] = {"-web", "-gateway", "-fleet"};

int terminal_become_companion(enum terminal_companion companion, int dropped) {
    const char *suffix = suffixes[companion];
    char path[PATH_MAX + 16];
    ssize_t size = readlink("/proc/self/exe", path, PATH_MAX);
    if (size < 0) return errno;
    snprintf(path + size, sizeof path - (size_t)size, "%s", suffix);

    size_t length = 0;
    char *text = contents("/proc/self/cmdline", &length);
    if (text == NULL) return ENOMEM;
    size_t count = 0;
    for (size_t index = 0; index < length; index++) count += text[index] == '\0';
    char **words = calloc(count + 2, sizeof *words);
    if (words == NULL) {
        free(text);
        return ENOMEM;
    }
    size_t kept = 0;
    words[kept++] = path;
    char *word = text;
    for (size_t index = 0; index < count; index++) {
        if ((int)index >= dropped) words[kept++] = word;
        word += strlen(word) + 1;
    }
    execv(path, words);
    int error = errno;
    const char *name = strrchr(path, '/');
    if (error == ENOENT && name != NULL) {
        execvp(name + 1, words);
        error = errno;
    }
    free(words);
    free(text);
    return error;
}
