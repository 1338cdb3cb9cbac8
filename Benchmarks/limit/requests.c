/* Reads and writes. */
#include "limit.h"

static void check_value(DBusMessage *reply) {
    const uint8_t *bytes;
    int count = 0;
    if (!dbus_message_get_args(reply, NULL, DBUS_TYPE_ARRAY, DBUS_TYPE_BYTE, &bytes, &count, DBUS_TYPE_INVALID) ||
        count != VALUE_LENGTH) {
        fail("the value is not that which was to be read");
    }
    dbus_message_unref(reply);
}

/* One after the other, each a copy of a template. */
void do_reads(uint32_t count) {
    watch_devices();
    connect_device(0);
    DBusMessage *template = new_read(0, READ_ONLY);
    begin();
    for (uint32_t index = 0; index < count; index++) check_value(call(dbus_message_copy(template)));
    end(count);
}

/* One after the other, each built afresh. */
void do_plain_reads(uint32_t count) {
    watch_devices();
    connect_device(0);
    begin();
    for (uint32_t index = 0; index < count; index++) check_value(call(new_read(0, READ_ONLY)));
    end(count);
}

static const char *const many[] = {
    "/service0001/char0011", "/service0001/char0014", "/service0001/char0017", "/service0001/char001a",
    "/service0001/char001d", "/service0001/char0020", "/service0001/char0023", "/service0001/char0026",
    "/service0001/char0029", "/service0001/char002c", "/service0001/char002f", "/service0001/char0032",
    "/service0001/char0035", "/service0001/char0038", "/service0001/char003b", "/service0001/char003e",
};

/* Several characteristics, of each of which one read is always under way. */
void do_reads_at_once(uint32_t count, unsigned outstanding) {
    DBusMessage *templates[16];
    dbus_uint32_t serials[16];
    uint32_t sent = 0, received = 0;
    watch_devices();
    connect_device(0);
    for (unsigned index = 0; index < outstanding; index++) templates[index] = new_read(0, many[index]);
    begin();
    for (; sent < outstanding && sent < count; sent++) {
        DBusMessage *message = dbus_message_copy(templates[sent]);
        dbus_connection_send(bus, message, &serials[sent]);
        dbus_message_unref(message);
    }
    while (received < count) {
        DBusMessage *reply = next_message();
        dbus_uint32_t serial = dbus_message_get_reply_serial(reply);
        unsigned index = 0;
        while (index < outstanding && serials[index] != serial) index++;
        if (index == outstanding) {
            dbus_message_unref(reply);
            continue;
        }
        check_value(reply);
        received++;
        if (sent == count) continue;
        DBusMessage *message = dbus_message_copy(templates[index]);
        dbus_connection_send(bus, message, &serials[index]);
        dbus_message_unref(message);
        sent++;
    }
    end(count);
}

/* One after the other, each with bluetoothd's answer: "request" is confirmed by the peripheral, "command" only queued. */
void do_writes(uint32_t count, const char *type) {
    uint8_t bytes[VALUE_LENGTH] = {1, 2, 3};
    watch_devices();
    connect_device(0);
    begin();
    for (uint32_t index = 0; index < count; index++) {
        dbus_message_unref(call(new_write(0, WRITTEN, bytes, sizeof bytes, type)));
    }
    end(count);
}
