/* What a client in C over libdbus needs for the same work: the limit that others are compared with. */
#ifndef LIMIT_H
#define LIMIT_H

#include <dbus/dbus.h>
#include <stdbool.h>
#include <stdint.h>

#define SERVICE "org.bluez"
#define ADAPTER_PATH "/org/bluez/hci0"
#define ADAPTER "org.bluez.Adapter1"
#define DEVICE "org.bluez.Device1"
#define GATT_SERVICE "org.bluez.GattService1"
#define GATT_MANAGER "org.bluez.GattManager1"
#define CHARACTERISTIC "org.bluez.GattCharacteristic1"
#define PROPERTIES "org.freedesktop.DBus.Properties"
#define MANAGER "org.freedesktop.DBus.ObjectManager"
#define PATH_SIZE 96
#define VALUE_LENGTH 20

#define NOTIFIED "/service0001/char0002"
#define READ_ONLY "/service0001/char0005"
#define CONTROL "/service0001/char0008"
#define WRITTEN "/service0001/char000b"
#define STATUS "/service0001/char000e"

extern DBusConnection *bus;
extern int bus_descriptor;

/* bus.c */
void fail(const char *what);
void open_bus(void);
void add_match(const char *rule);
DBusMessage *next_message(void);
DBusMessage *new_call(const char *path, const char *interface, const char *member);
DBusMessage *call(DBusMessage *message);
void call_plain(const char *path, const char *interface, const char *member);
void device_path(char *path, unsigned device, const char *below);
DBusMessage *new_read(unsigned device, const char *below);
DBusMessage *new_write(unsigned device, const char *below, const void *bytes, int count, const char *type);
void order_values(uint32_t count, uint32_t rate, uint32_t burst);
void watch_devices(void);
void connect_device(unsigned device);
void disconnect_device(unsigned device);
const uint8_t *notified_value(DBusMessage *message, int *count);

/* measure.c */
void begin(void);
void end(uint64_t items);

/* The work. */
void do_notifications(unsigned devices, uint32_t count, uint32_t rate, uint32_t burst);
void do_subscription(unsigned others, uint32_t count);
void do_acquired(uint32_t count, uint32_t rate, uint32_t burst);
void do_reads(uint32_t count);
void do_plain_reads(uint32_t count);
void do_reads_at_once(uint32_t count, unsigned outstanding);
void do_writes(uint32_t count, const char *type);
void do_acquired_writes(uint32_t count);
void do_scan(uint32_t count);
void do_rotating(uint32_t count);
void do_tree(void);
void do_start(void);
void do_connections(uint32_t count);
void do_process(void);
void do_idle(void);
void do_served_reads(uint32_t count);
void do_served_values(uint32_t count, bool is_plain);

#endif
