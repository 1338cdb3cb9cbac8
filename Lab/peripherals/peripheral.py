"""A peripheral: one Bumble device on the link, and the verbs that a test can ask of it."""

import asyncio
import struct

from bumble import gatt, hci
from bumble.core import UUID
from bumble.device import Device, DeviceConfiguration
from bumble.host import Host
from bumble.transport.common import AsyncPipeSink

from .database import Database, Value, characteristic, full_uuid
from .link import PeripheralController
from .pairing import Pairing

# Bumble's device converts to units of 0.625 ms and its controller takes them for milliseconds.
BUMBLE_MILLISECOND = 0.625


class Peripheral:
    """Subclasses give the name, the address, the advertising data and the services."""

    peer = ""
    name = ""
    address = ""
    advertising_data = b""
    scan_response_data = b""
    advertising_interval_ms = 100
    own_address_type = hci.OwnAddressType.PUBLIC
    max_mtu = 23
    gap_name = b""
    appearance = 0
    # Whether it is in the air at the beginning and after a reset.
    advertises_at_start = True

    def __init__(self, link, adapter):
        self.adapter = adapter
        self.entries = []
        self.added = []
        self.tasks = set()
        self.advertises = self.advertises_at_start
        self.lock = asyncio.Lock()
        loop = asyncio.get_running_loop()
        self.controller = PeripheralController(self.peer, link, f"{self.address}/P", loop)
        self.host = Host(self.controller, AsyncPipeSink(self.controller))
        configuration = DeviceConfiguration(
            name=self.name, gap_service_enabled=False, gatt_service_enabled=False, keystore=None
        )
        self.device = Device(config=configuration, host=self.host)
        self.pairing = Pairing(self.device)
        self.device.on("connection", self.on_connection)
        self.database = Database(self.device, self.record, self.max_mtu)
        self.device.gatt_server = self.database
        self.database.add_service(self.gap_service())
        self.database.add_service(self.database.attribute_service())
        for service in self.services():
            self.database.add_service(service)

    def gap_service(self):
        return gatt.Service(
            "1800",
            [
                characteristic("2a00", ["read"], Value(self.gap_name)),
                characteristic("2a01", ["read"], Value(struct.pack("<H", self.appearance))),
                characteristic("2a04", ["read"], Value(struct.pack("<HHHH", 80, 800, 0, 1000))),
            ],
        )

    def services(self):
        """The services beside GAP and GATT, in the order of their handles."""
        return []

    def link_lost(self):
        """What the peripheral does when a connection has ended."""

    def record(self, operation, uuid, value):
        self.entries.append({"op": operation, "char": full_uuid(uuid), "value": value.hex()})

    async def start(self):
        await self.device.power_on()
        await self.update_advertising()

    async def update_advertising(self):
        """Advertises exactly when that is wanted and nobody is connected."""
        async with self.lock:
            wanted = self.advertises and not self.device.connections
            if wanted == self.controller.le_legacy_advertiser.enabled:
                return
            if wanted:
                interval = self.advertising_interval_ms * BUMBLE_MILLISECOND
                await self.device.start_advertising(
                    own_address_type=self.own_address_type,
                    advertising_data=self.advertising_data,
                    scan_response_data=self.scan_response_data,
                    advertising_interval_min=interval,
                    advertising_interval_max=interval,
                )
            else:
                await self.device.stop_advertising()

    def spawn(self, work):
        """Runs `work` beside everything else."""
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def on_connection(self, connection):
        connection.on("disconnection", self.on_disconnection)
        self.pairing.watch(connection)

    def on_disconnection(self, reason):
        self.link_lost()
        asyncio.get_running_loop().call_soon(self.spawn_advertising)

    def spawn_advertising(self):
        self.spawn(self.update_advertising())

    async def drop_links(self, reason=hci.HCI_REMOTE_USER_TERMINATED_CONNECTION_ERROR):
        connections = list(self.device.connections.values())
        for connection in connections:
            await connection.disconnect(reason)
        return len(connections)

    async def reset(self):
        """The state in which the peripheral came into the world."""
        await self.drop_links()
        for service in self.added:
            self.database.remove_service(service)
        self.added.clear()
        for contents in self.database.contents():
            contents.reset()
        self.pairing.forget()
        self.pairing.configure()
        self.link_lost()
        self.advertises = self.advertises_at_start
        await self.update_advertising()
        self.entries.clear()

    async def advertise(self, on):
        self.advertises = on
        await self.update_advertising()

    async def vanish(self):
        self.advertises = False
        links = len(self.device.connections)
        self.adapter.lose(self.controller)
        while self.device.connections:
            await asyncio.sleep(0.001)
        await self.update_advertising()
        return links

    async def notify_value(self, item, value):
        """Sends one notification or indication; true if somebody is subscribed."""
        sent = False
        for connection in list(self.device.connections.values()):
            subscribed = self.database.is_subscribed(connection, item)
            if not subscribed:
                continue
            value = value[: connection.att_mtu - 3]
            self.record("notify", item.uuid, value)
            if subscribed & 1:
                await self.database.notify_subscriber(connection, item, value)
            else:
                await self.database.indicate_subscriber(connection, item, value)
            sent = True
        return sent

    async def notify(self, name, value, count, interval, number):
        item = self.database.find_characteristic(name)
        sent = 0
        loop = asyncio.get_running_loop()
        start = loop.time()
        for index in range(count):
            contents = value + struct.pack("<I", index) if number else value
            sent += await self.notify_value(item, contents)
            if interval > 0 and index + 1 < count:
                await asyncio.sleep(max(0.0, start + (index + 1) * interval - loop.time()))
        return sent

    async def add_service(self, uuid, characteristics):
        made = [
            characteristic(each["uuid"], each.get("properties", ["read"]), Value(bytes.fromhex(each.get("value", ""))))
            for each in characteristics
        ]
        service = gatt.Service(UUID(uuid), made)
        self.database.add_service(service)
        self.added.append(service)
        await self.database.indicate_change(service)

    async def remove_service(self, uuid):
        service = self.database.find_service(uuid)
        if service not in self.added:
            raise ValueError("only a service that was added can be removed")
        self.added.remove(service)
        self.database.remove_service(service)
        await self.database.indicate_change(service)
