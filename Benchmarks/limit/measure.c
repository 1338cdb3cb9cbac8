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

/* The most that the process has had, and what it has now, in kilobytes. */
static void read_memory(long *peak, long *resident) {
    char line[128];
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        sscanf(line, "VmHWM: %ld", peak);
        sscanf(line, "VmRSS: %ld", resident);
    }
    if (file != NULL) fclose(file);
}

void begin(void) {
    clock_gettime(CLOCK_MONOTONIC, &wall);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &processor);
}

void end(uint64_t items) {
    double seconds = since(CLOCK_MONOTONIC, wall), cpu = since(CLOCK_PROCESS_CPUTIME_ID, processor);
    long peak = 0, resident = 0;
    read_memory(&peak, &resident);
    printf("result items=%llu seconds=%.6f cpu=%.6f memory=%ld resident=%ld\n", (unsigned long long)items, seconds, cpu,
        peak, resident);
    fflush(stdout);
}
