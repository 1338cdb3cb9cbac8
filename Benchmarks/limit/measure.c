/* What a piece of work took, as one line. */
#include "limit.h"

#include <stdio.h>
#include <time.h>

static struct timespec wall, processor;

static double since(clockid_t clock, struct timespec start) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)(now.tv_sec - start.tv_sec) + (double)(now.tv_nsec - start.tv_nsec) / 1e9;
}

static long peak_memory(void) {
    char line[128];
    long kilobytes = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "VmHWM: %ld", &kilobytes) == 1) break;
    }
    if (file != NULL) fclose(file);
    return kilobytes;
}

void begin(void) {
    clock_gettime(CLOCK_MONOTONIC, &wall);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &processor);
}

void end(uint64_t items) {
    double seconds = since(CLOCK_MONOTONIC, wall), cpu = since(CLOCK_PROCESS_CPUTIME_ID, processor);
    printf("result items=%llu seconds=%.6f cpu=%.6f memory=%ld\n", (unsigned long long)items, seconds, cpu, peak_memory());
    fflush(stdout);
}
