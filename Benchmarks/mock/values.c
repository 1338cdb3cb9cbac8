/* The entries of dictionaries of type a{sv}, and the signal that carries them. */
#include "mock.h"

void send_message(DBusMessage *message) {
    dbus_connection_send(bus, message, NULL);
    dbus_message_unref(message);
}

static bool is_bare;
static unsigned put_count;

/* Until the next call, values stand alone, as in the reply to Get, and not in the entries of a dictionary. */
void put_bare(bool bare) {
    is_bare = bare;
    put_count = 0;
}

/* How many values were put since. */
unsigned bare_count(void) { return put_count; }

static DBusMessageIter *open_entry(DBusMessageIter *dictionary, DBusMessageIter *entry, const char *name) {
    put_count++;
    if (is_bare) return dictionary;
    dbus_message_iter_open_container(dictionary, DBUS_TYPE_DICT_ENTRY, NULL, entry);
    dbus_message_iter_append_basic(entry, DBUS_TYPE_STRING, &name);
    return entry;
}

static void close_entry(DBusMessageIter *dictionary, DBusMessageIter *entry) {
    if (!is_bare) dbus_message_iter_close_container(dictionary, entry);
}

void put_number(DBusMessageIter *dictionary, const char *name, int type, const void *value) {
    char signature[] = {(char)type, 0};
    DBusMessageIter space, variant;
    DBusMessageIter *entry = open_entry(dictionary, &space, name);
    dbus_message_iter_open_container(entry, DBUS_TYPE_VARIANT, signature, &variant);
    dbus_message_iter_append_basic(&variant, type, value);
    dbus_message_iter_close_container(entry, &variant);
    close_entry(dictionary, entry);
}

void put_string(DBusMessageIter *dictionary, const char *name, const char *value) {
    put_number(dictionary, name, DBUS_TYPE_STRING, &value);
}

void put_bool(DBusMessageIter *dictionary, const char *name, bool value) {
    dbus_bool_t number = value;
    put_number(dictionary, name, DBUS_TYPE_BOOLEAN, &number);
}

static void put_byte_array(DBusMessageIter *parent, const uint8_t *bytes, int count) {
    DBusMessageIter array;
    dbus_message_iter_open_container(parent, DBUS_TYPE_ARRAY, "y", &array);
    dbus_message_iter_append_fixed_array(&array, DBUS_TYPE_BYTE, &bytes, count);
    dbus_message_iter_close_container(parent, &array);
}

void put_bytes(DBusMessageIter *dictionary, const char *name, const uint8_t *bytes, int count) {
    DBusMessageIter space, variant;
    DBusMessageIter *entry = open_entry(dictionary, &space, name);
    dbus_message_iter_open_container(entry, DBUS_TYPE_VARIANT, "ay", &variant);
    put_byte_array(&variant, bytes, count);
    dbus_message_iter_close_container(entry, &variant);
    close_entry(dictionary, entry);
}

void put_strings(DBusMessageIter *dictionary, const char *name, const char *const *values) {
    DBusMessageIter space, variant, array;
    DBusMessageIter *entry = open_entry(dictionary, &space, name);
    dbus_message_iter_open_container(entry, DBUS_TYPE_VARIANT, "as", &variant);
    dbus_message_iter_open_container(&variant, DBUS_TYPE_ARRAY, "s", &array);
    for (; *values != NULL; values++) dbus_message_iter_append_basic(&array, DBUS_TYPE_STRING, values);
    dbus_message_iter_close_container(&variant, &array);
    dbus_message_iter_close_container(entry, &variant);
    close_entry(dictionary, entry);
}

void put_manufacturer_data(DBusMessageIter *dictionary, uint32_t counter) {
    /* A RuuviTag's format 5, with another temperature and sequence number each time. */
    uint8_t bytes[24] = {5, 0x12, counter, 0x53, 0x94, 0xC3, 0x7C, 0, 4, 0xFF, 0xFC, 4, 0x0C, 0xAC, 0x36, 0x42,
                         counter >> 8, counter, 0xCB, 0xB8, 0x33, 0x4C, 0x88, 0x4F};
    uint16_t company = 0x0499;
    DBusMessageIter space, variant, map, item, value;
    DBusMessageIter *entry = open_entry(dictionary, &space, "ManufacturerData");
    dbus_message_iter_open_container(entry, DBUS_TYPE_VARIANT, "a{qv}", &variant);
    dbus_message_iter_open_container(&variant, DBUS_TYPE_ARRAY, "{qv}", &map);
    dbus_message_iter_open_container(&map, DBUS_TYPE_DICT_ENTRY, NULL, &item);
    dbus_message_iter_append_basic(&item, DBUS_TYPE_UINT16, &company);
    dbus_message_iter_open_container(&item, DBUS_TYPE_VARIANT, "ay", &value);
    put_byte_array(&value, bytes, sizeof bytes);
    dbus_message_iter_close_container(&item, &value);
    dbus_message_iter_close_container(&map, &item);
    dbus_message_iter_close_container(&variant, &map);
    dbus_message_iter_close_container(entry, &variant);
    close_entry(dictionary, entry);
}

/* Begins a PropertiesChanged; send_changed ends it. */
DBusMessage *changed(const char *path, const char *interface, DBusMessageIter *body, DBusMessageIter *dictionary) {
    DBusMessage *message = dbus_message_new_signal(path, PROPERTIES, "PropertiesChanged");
    dbus_message_iter_init_append(message, body);
    dbus_message_iter_append_basic(body, DBUS_TYPE_STRING, &interface);
    dbus_message_iter_open_container(body, DBUS_TYPE_ARRAY, "{sv}", dictionary);
    return message;
}

static void close_changed(DBusMessageIter *body, DBusMessageIter *dictionary) {
    DBusMessageIter invalidated;
    dbus_message_iter_close_container(body, dictionary);
    dbus_message_iter_open_container(body, DBUS_TYPE_ARRAY, "s", &invalidated);
    dbus_message_iter_close_container(body, &invalidated);
}

void send_changed(DBusMessage *message, DBusMessageIter *body, DBusMessageIter *dictionary) {
    close_changed(body, dictionary);
    send_message(message);
}
