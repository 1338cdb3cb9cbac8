/* bluetoothd, as far as a benchmark wants it: mock ADDRESS [OPTION...]. See mock.h for the options. */
#include "mock.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Flat out, the bus is not given more than this beyond what it has taken. */
#define OUTGOING_LIMIT 65536

DBusConnection *bus;
struct options options = {.devices = 1, .found = 1, .alive = 1000, .burst = 1, .outstanding = 1};
struct device *devices;
struct counts counts;
bool discovering;

static void fail(const char *what) {
    fprintf(stderr, "mock: %s\n", what);
    exit(1);
}

static void parse(int count, char **arguments) {
    const struct { const char *name; unsigned *value; } numbers[] = {
        {"--devices", &options.devices}, {"--found", &options.found}, {"--advertisements", &options.advertisements},
        {"--rotating", &options.rotating}, {"--alive", &options.alive}, {"--rate", &options.rate},
        {"--burst", &options.burst}, {"--reads", &options.reads}, {"--outstanding", &options.outstanding},
        {"--values", &options.values},
    };
    for (int index = 2; index < count; index++) {
        size_t number = 0;
        if (strcmp(arguments[index], "--attributes") == 0) {
            options.attributes = true;
            continue;
        }
        while (number < sizeof numbers / sizeof *numbers && strcmp(arguments[index], numbers[number].name) != 0) number++;
        if (number == sizeof numbers / sizeof *numbers || index + 1 == count) fail("unknown option");
        *numbers[number].value = (unsigned)strtoul(arguments[++index], NULL, 10);
    }
    if (options.devices == 0) fail("there must be a device");
    devices = calloc(options.devices, sizeof *devices);
    for (unsigned index = 0; index < options.devices; index++) {
        /* The first has to be discovered. */
        devices[index].exported = options.attributes && index > 0;
        devices[index].notify_socket = devices[index].write_socket = -1;
        devices[index].rssi = -60;
    }
}

static void open_bus(const char *address) {
    DBusError error = DBUS_ERROR_INIT;
    bus = dbus_connection_open_private(address, &error);
    if (bus == NULL || !dbus_bus_register(bus, &error)) fail(error.message);
    dbus_connection_set_exit_on_disconnect(bus, FALSE);
    dbus_connection_set_max_message_size(bus, DBUS_MAXIMUM_MESSAGE_LENGTH);
    if (dbus_bus_request_name(bus, SERVICE, 0, &error) != DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER) fail("no name");
}

static int add_sockets(struct pollfd *polled) {
    int count = 0;
    for (unsigned index = 0; has_sockets() && index < options.devices; index++) {
        if (devices[index].write_socket < 0) continue;
        polled[count++] = (struct pollfd){devices[index].write_socket, POLLIN, 0};
    }
    return count;
}

static void drain_sockets(void) {
    for (unsigned index = 0; has_sockets() && index < options.devices; index++) drain_written(index);
}

static int64_t earlier(int64_t first, int64_t second) {
    return first < 0 ? second : second < 0 ? first : first < second ? first : second;
}

int main(int count, char **arguments) {
    if (count < 2) fail("usage: mock ADDRESS [--devices N] [--found N] [--attributes] [--advertisements N] "
                        "[--rotating N] [--alive N] [--rate N] [--burst N] [--reads N] [--outstanding N] [--values N]");
    parse(count, arguments);
    open_bus(arguments[1]);
    struct pollfd *polled = calloc(options.devices + 2, sizeof *polled);
    int descriptor;
    dbus_connection_get_unix_fd(bus, &descriptor);
    puts("ready");
    fflush(stdout);
    for (;;) {
        dbus_connection_read_write(bus, 0);
        DBusMessage *message;
        while ((message = dbus_connection_pop_message(bus)) != NULL) {
            if (dbus_message_is_signal(message, DBUS_INTERFACE_LOCAL, "Disconnected")) return 0;
            if (dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_CALL) {
                handle_call(message);
            } else {
                handle_answer(message);
            }
            dbus_message_unref(message);
        }
        drain_sockets();
        bool is_full = dbus_connection_get_outgoing_size(bus) > OUTGOING_LIMIT;
        bool has_more = (is_full && values.socket < 0) ? values.left > 0 : advance(&values);
        has_more |= is_full ? advertisements.left > 0 : advance(&advertisements);
        short events = dbus_connection_has_messages_to_send(bus) ? POLLIN | POLLOUT : POLLIN;
        polled[0] = (struct pollfd){descriptor, events, 0};
        int used = 1 + add_sockets(polled + 1);
        if (values.left > 0 && values.rate == 0 && values.socket >= 0) {
            polled[used++] = (struct pollfd){values.socket, POLLOUT, 0};
        } else if (has_more && (events & POLLOUT) == 0) {
            continue;
        }
        int64_t wait = earlier(wait_of(&values), wait_of(&advertisements));
        struct timespec time = {wait / 1000000000, wait % 1000000000};
        ppoll(polled, (nfds_t)used, wait < 0 ? NULL : &time, NULL);
    }
}
