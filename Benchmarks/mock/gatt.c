/* The methods of characteristics. */
#include "mock.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const uint8_t value[VALUE_LENGTH] = "a measured value...";
static unsigned sockets;

bool has_sockets(void) { return sockets > 0; }

/* The sockets of the devices are closed at the link's end, or when the client has closed its side. */
void close_sockets(unsigned index) {
    struct device *device = &devices[index];
    if (device->notify_socket >= 0) close(device->notify_socket);
    if (device->write_socket >= 0) {
        close(device->write_socket);
        sockets--;
    }
    device->notify_socket = device->write_socket = -1;
}

void drain_written(unsigned index) {
    struct device *device = &devices[index];
    uint8_t packet[512];
    ssize_t count;
    while (device->write_socket >= 0) {
        count = recv(device->write_socket, packet, sizeof packet, MSG_DONTWAIT);
        if (count > 0) {
            counts.packets++;
        } else if (count == 0 || errno != EAGAIN) {
            close(device->write_socket);
            device->write_socket = -1;
            sockets--;
        } else {
            return;
        }
    }
}

static DBusMessage *acquire(DBusMessage *message, struct object object, bool is_write) {
    struct device *device = &devices[object.device];
    int *mine = is_write ? &device->write_socket : &device->notify_socket, pair[2];
    uint16_t mtu = MTU;
    if (*mine >= 0 || object.service != 0 || object.characteristic != (is_write ? WRITTEN : NOTIFIED)) {
        return dbus_message_new_error(message, "org.bluez.Error.NotPermitted", "It cannot be acquired");
    }
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) != 0) {
        return dbus_message_new_error(message, "org.bluez.Error.Failed", strerror(errno));
    }
    *mine = pair[0];
    if (is_write) sockets++;
    DBusMessage *reply = dbus_message_new_method_return(message);
    dbus_message_append_args(reply, DBUS_TYPE_UNIX_FD, &pair[1], DBUS_TYPE_UINT16, &mtu, DBUS_TYPE_INVALID);
    close(pair[1]);
    return reply;
}

static void announce_notifying(struct object object, bool is_on) {
    char path[PATH_SIZE];
    DBusMessageIter body, dictionary;
    put_path(path, object);
    DBusMessage *message = changed(path, CHARACTERISTIC, &body, &dictionary);
    put_bool(&dictionary, "Notifying", is_on);
    send_changed(message, &body, &dictionary);
}

/* A value is signalled before it is returned, as bluetoothd does. */
static DBusMessage *read_value(DBusMessage *message, struct object object) {
    char path[PATH_SIZE];
    uint8_t bytes[VALUE_LENGTH];
    const uint8_t *pointer = bytes;
    int count = VALUE_LENGTH;
    DBusMessageIter body, dictionary;
    memcpy(bytes, value, sizeof bytes);
    if (object.service == 0 && object.characteristic == STATUS) {
        drain_written(object.device);
        memcpy(bytes, &counts, count = sizeof counts);
    }
    put_path(path, object);
    DBusMessage *signal = changed(path, CHARACTERISTIC, &body, &dictionary);
    put_bytes(&dictionary, "Value", bytes, count);
    send_changed(signal, &body, &dictionary);
    DBusMessage *reply = dbus_message_new_method_return(message);
    dbus_message_append_args(reply, DBUS_TYPE_ARRAY, DBUS_TYPE_BYTE, &pointer, count, DBUS_TYPE_INVALID);
    return reply;
}

static bool is_command(DBusMessageIter *arguments) {
    DBusMessageIter array, entry, variant;
    const char *name, *type;
    if (!dbus_message_iter_next(arguments)) return false;
    dbus_message_iter_recurse(arguments, &array);
    for (; dbus_message_iter_get_arg_type(&array) == DBUS_TYPE_DICT_ENTRY; dbus_message_iter_next(&array)) {
        dbus_message_iter_recurse(&array, &entry);
        dbus_message_iter_get_basic(&entry, &name);
        if (strcmp(name, "type") != 0) continue;
        dbus_message_iter_next(&entry);
        dbus_message_iter_recurse(&entry, &variant);
        if (dbus_message_iter_get_arg_type(&variant) != DBUS_TYPE_STRING) return false;
        dbus_message_iter_get_basic(&variant, &type);
        return strcmp(type, "command") == 0;
    }
    return false;
}

/* The control characteristic takes a count, a rate a second (0: flat out) and how many come at once, of 4 bytes each. */
static DBusMessage *write_value(DBusMessage *message, struct object object) {
    DBusMessageIter arguments, array;
    const uint8_t *bytes;
    uint32_t order[3];
    int count = 0;
    if (!dbus_message_has_signature(message, "aya{sv}")) {
        return dbus_message_new_error(message, "org.bluez.Error.InvalidArguments", "Invalid arguments in method call");
    }
    dbus_message_iter_init(message, &arguments);
    dbus_message_iter_recurse(&arguments, &array);
    dbus_message_iter_get_fixed_array(&array, &bytes, &count);
    DBusMessage *reply = dbus_message_new_method_return(message);
    if (object.characteristic == CONTROL && object.service == 0 && count == sizeof order) {
        memcpy(order, bytes, sizeof order);
        dbus_connection_send(bus, reply, NULL);
        dbus_message_unref(reply);
        start_values(object.device, order[0], order[1], order[2]);
        return NULL;
    }
    if (is_command(&arguments)) counts.commands++; else counts.requests++;
    return reply;
}

/* The answer; NULL if it was sent already. */
DBusMessage *call_characteristic(DBusMessage *message, struct object object, const char *member) {
    struct device *device = &devices[object.device];
    if (!device->connected) return dbus_message_new_error(message, "org.bluez.Error.Failed", "Not connected");
    if (strcmp(member, "ReadValue") == 0) return read_value(message, object);
    if (strcmp(member, "WriteValue") == 0) return write_value(message, object);
    if (strcmp(member, "AcquireNotify") == 0) return acquire(message, object, false);
    if (strcmp(member, "AcquireWrite") == 0) return acquire(message, object, true);
    bool is_start = strcmp(member, "StartNotify") == 0;
    if (!is_start && strcmp(member, "StopNotify") != 0) {
        return dbus_message_new_error(message, DBUS_ERROR_UNKNOWN_METHOD, member);
    }
    uint32_t bit = object.service == 0 ? UINT32_C(1) << object.characteristic : 0;
    device->notifying = is_start ? device->notifying | bit : device->notifying & ~bit;
    announce_notifying(object, is_start);
    return dbus_message_new_method_return(message);
}
