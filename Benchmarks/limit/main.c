/* limit WORK [NUMBER...]: does one piece of work on the mock, and prints what it took. */
#include "limit.h"

#include <stdlib.h>
#include <string.h>

static uint32_t numbers[4];

static void notifications(void) { do_notifications(1, numbers[0], numbers[1], numbers[2]); }
static void many(void) { do_notifications(numbers[3], numbers[0], numbers[1], numbers[2]); }
static void subscription(void) { do_subscription(numbers[1], numbers[0]); }
static void acquired(void) { do_acquired(numbers[0], numbers[1], numbers[2]); }
static void reads(void) { do_reads(numbers[0]); }
static void plain_reads(void) { do_plain_reads(numbers[0]); }
static void reads_at_once(void) { do_reads_at_once(numbers[0], 16); }
static void requests(void) { do_writes(numbers[0], "request"); }
static void commands(void) { do_writes(numbers[0], "command"); }
static void acquired_writes(void) { do_acquired_writes(numbers[0]); }
static void served_reads(void) { do_served_reads(numbers[0]); }
static void served_values(void) { do_served_values(numbers[0], false); }
static void plain_served_values(void) { do_served_values(numbers[0], true); }
static void scan(void) { do_scan(numbers[0]); }
static void rotating(void) { do_rotating(numbers[0]); }
static void connections(void) { do_connections(numbers[0]); }

int main(int count, char **arguments) {
    const struct { const char *name; void (*body)(void); } works[] = {
        {"notifications", notifications}, {"many", many}, {"subscription", subscription}, {"acquired", acquired},
        {"reads", reads}, {"plain-reads", plain_reads}, {"reads-at-once", reads_at_once}, {"requests", requests},
        {"commands", commands}, {"acquired-writes", acquired_writes}, {"scan", scan}, {"rotating", rotating},
        {"tree", do_tree}, {"start", do_start}, {"connections", connections}, {"process", do_process}, {"idle", do_idle},
        {"served-reads", served_reads}, {"served-values", served_values}, {"plain-served-values", plain_served_values},
    };
    for (int index = 2; index < count && index < 6; index++) {
        numbers[index - 2] = (uint32_t)strtoul(arguments[index], NULL, 10);
    }
    for (size_t index = 0; count > 1 && index < sizeof works / sizeof *works; index++) {
        if (strcmp(arguments[1], works[index].name) != 0) continue;
        open_bus();
        works[index].body();
        dbus_connection_close(bus);
        return 0;
    }
    fail("usage: limit WORK [NUMBER...]");
}
