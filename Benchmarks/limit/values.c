/* Notifications by signals and through an acquired socket. */
#include "limit.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define VALUE_RULE                                                                                                     \
    "type='signal',sender='" SERVICE "',interface='" PROPERTIES "',member='PropertiesChanged',arg0='" CHARACTERISTIC "'"

static void subscribe(unsigned device, const char *below, const char *member) {
    char path[PATH_SIZE];
    device_path(path, device, below);
    call_plain(path, CHARACTERISTIC, member);
}

/* Values of one device, or of several that send in turn. */
void do_notifications(unsigned devices, uint32_t count, uint32_t rate, uint32_t burst) {
    uint64_t bytes = 0;
    uint32_t left = count;
    int length = 0;
    watch_devices();
    for (unsigned device = 0; device < devices; device++) connect_device(device);
    add_match(VALUE_RULE);
    for (unsigned device = 0; device < devices; device++) subscribe(device, NOTIFIED, "StartNotify");
    begin();
    order_values(count, rate, burst);
    while (left > 0) {
        DBusMessage *message = next_message();
        if (notified_value(message, &length) != NULL) {
            bytes += (uint64_t)length;
            left--;
        }
        dbus_message_unref(message);
    }
    end(count);
    if (bytes != (uint64_t)count * VALUE_LENGTH) fail("the values are not those that were sent");
}

/* Subscribes and unsubscribes one characteristic again and again, while others are subscribed. */
void do_subscription(unsigned others, uint32_t count) {
    char below[PATH_SIZE];
    watch_devices();
    add_match(VALUE_RULE);
    for (unsigned device = 1; others > 0; device++) {
        connect_device(device);
        for (unsigned index = 5; index < 21 && others > 0; index++, others--) {
            snprintf(below, sizeof below, "/service0001/char%04x", 2 + 3 * index);
            subscribe(device, below, "StartNotify");
        }
    }
    connect_device(0);
    begin();
    for (uint32_t index = 0; index < count; index++) {
        subscribe(0, NOTIFIED, "StartNotify");
        subscribe(0, NOTIFIED, "StopNotify");
    }
    end(count);
}

static int acquire(const char *below, const char *member) {
    char path[PATH_SIZE];
    DBusMessageIter body, options;
    int descriptor = -1;
    uint16_t mtu;
    device_path(path, 0, below);
    DBusMessage *message = new_call(path, CHARACTERISTIC, member);
    dbus_message_iter_init_append(message, &body);
    dbus_message_iter_open_container(&body, DBUS_TYPE_ARRAY, "{sv}", &options);
    dbus_message_iter_close_container(&body, &options);
    DBusMessage *reply = call(message);
    dbus_message_get_args(reply, NULL, DBUS_TYPE_UNIX_FD, &descriptor, DBUS_TYPE_UINT16, &mtu, DBUS_TYPE_INVALID);
    dbus_message_unref(reply);
    if (descriptor < 0) fail("there is no socket");
    return descriptor;
}

void do_acquired(uint32_t count, uint32_t rate, uint32_t burst) {
    uint8_t packet[512];
    uint32_t left = count;
    watch_devices();
    connect_device(0);
    int descriptor = acquire(NOTIFIED, "AcquireNotify");
    begin();
    order_values(count, rate, burst);
    while (left > 0) {
        struct pollfd polled[] = {{descriptor, POLLIN, 0}, {bus_descriptor, POLLIN, 0}};
        poll(polled, 2, -1);
        if (polled[1].revents != 0) {
            DBusMessage *message;
            dbus_connection_read_write(bus, 0);
            while ((message = dbus_connection_pop_message(bus)) != NULL) dbus_message_unref(message);
        }
        while (left > 0 && recv(descriptor, packet, sizeof packet, MSG_DONTWAIT) == VALUE_LENGTH) left--;
    }
    end(count);
    close(descriptor);
}

void do_acquired_writes(uint32_t count) {
    uint8_t packet[VALUE_LENGTH] = {1, 2, 3};
    uint32_t arrived[3] = {0, 0, 0};
    const uint8_t *pointer;
    int length = 0;
    watch_devices();
    connect_device(0);
    int descriptor = acquire(WRITTEN, "AcquireWrite");
    begin();
    for (uint32_t index = 0; index < count;) {
        if (send(descriptor, packet, sizeof packet, MSG_NOSIGNAL | MSG_DONTWAIT) > 0) {
            index++;
        } else if (errno == EAGAIN) {
            struct pollfd polled = {descriptor, POLLOUT, 0};
            poll(&polled, 1, -1);
        } else {
            fail("the socket is closed");
        }
    }
    end(count);
    DBusMessage *reply = call(new_read(0, STATUS));
    dbus_message_get_args(reply, NULL, DBUS_TYPE_ARRAY, DBUS_TYPE_BYTE, &pointer, &length, DBUS_TYPE_INVALID);
    memcpy(arrived, pointer, (size_t)length < sizeof arrived ? (size_t)length : sizeof arrived);
    dbus_message_unref(reply);
    if (arrived[2] != count) fail("packets are missing");
    close(descriptor);
}
