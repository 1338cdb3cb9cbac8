"""A central: a Bumble device that hears everything, connects to the adapter, and uses its GATT server."""

import asyncio

from bumble import att, core, hci, ll
from bumble.device import Device, DeviceConfiguration
from bumble.gatt_client import Client
from bumble.host import Host
from bumble.transport.common import AsyncPipeSink

from .database import CCCD, full_uuid, parse_uuid
from .discovery import discover
from .link import PeripheralController
from .pairing import Pairing

CONNECTION_LIMIT = 60.0
PAIRING_LIMIT = 120.0
SECURITY_LIMIT = 30.0
SUBSCRIPTIONS = {"off": b"\x00\x00", "notify": b"\x01\x00", "indicate": b"\x02\x00"}


class CentralController(PeripheralController):
    """Keeps what it hears, and connects only to what can be connected to at that moment."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.heard = {}

    def on_ll_advertising_pdu(self, pdu):
        connectable = isinstance(pdu, ll.AdvInd)
        if not connectable and not isinstance(pdu, ll.AdvNonConnInd):
            return
        sender = self.link.find_le_controller(pdu.advertiser_address)
        if sender is None or not sender.le_legacy_advertiser.enabled:
            return
        response = sender.le_legacy_advertiser.scan_response_data
        self.heard[(bytes(pdu.advertiser_address), connectable)] = (pdu.advertiser_address, pdu.data, response)
        pending = self.pending_le_connection
        if connectable and pending is not None and pending.peer_address == pdu.advertiser_address:
            self.create_le_connection(pdu.advertiser_address)

    def send_advertising_pdu(self, packet):
        """Asks for a link at once: an adapter that alternates between advertisements may send the next one already."""
        sender = self.link.find_le_controller(packet.advertiser_address)
        if sender is not None:
            sender.on_ll_advertising_pdu(packet)


class RecordingClient(Client):
    """Hands everything that the server sends to the central."""

    def __init__(self, central, connection):
        super().__init__(connection)
        self.central = central

    def on_att_handle_value_notification(self, notification):
        self.central.receive("notify", notification)

    def on_att_handle_value_indication(self, indication):
        self.central.receive("indicate", indication)
        if self.central.confirms:
            self.confirm()
        else:
            self.central.unconfirmed.append(self)

    def confirm(self):
        self.send_confirmation(att.ATT_Handle_Value_Confirmation())


class Central:
    """What a test can ask of a central. An answer of ATT is a code; 0 is success."""

    peer = "central"
    name = "central"
    address = "F0:CA:FE:00:00:01"

    def __init__(self, link, adapter):
        self.adapter = adapter
        loop = asyncio.get_running_loop()
        self.controller = CentralController(self.peer, link, f"{self.address}/P", loop)
        configuration = DeviceConfiguration(name=self.name, keystore=None)
        self.device = Device(
            config=configuration, host=Host(self.controller, AsyncPipeSink(self.controller))
        )
        self.pairing = Pairing(self.device)
        self.device.on("connection", self.watch)
        self.clear()

    def clear(self):
        self.controller.heard.clear()
        self.values = []
        self.confirms = True
        self.unconfirmed = []
        self.services = []

    async def start(self):
        await self.device.power_on()

    async def reset(self):
        await self.drop_links()
        self.pairing.forget()
        self.pairing.configure()
        self.clear()

    @property
    def connection(self):
        return next(iter(self.device.connections.values()), None)

    @property
    def client(self):
        if self.connection is None:
            raise ValueError("the central has no link")
        return self.connection.gatt_client

    async def connect(self, address, mtu):
        if self.connection is not None:
            raise ValueError("the central has a link already")
        self.services = []
        self.unconfirmed = []
        # bluetoothd exchanges the MTU as well, as the client of this device.
        self.device.gatt_server.max_mtu = mtu
        peer = hci.Address(address, hci.Address.PUBLIC_DEVICE_ADDRESS)
        try:
            connection = await self.device.connect(
                peer, own_address_type=hci.OwnAddressType.PUBLIC, timeout=CONNECTION_LIMIT
            )
        except core.TimeoutError:
            raise TimeoutError(f"{address} was not heard connectable") from None
        if await self.device.keystore.get(str(connection.peer_address)) is not None:
            await self.encrypt(connection)
        if mtu > att.ATT_DEFAULT_MTU:
            await self.client.request_mtu(mtu)
        return connection.att_mtu

    async def encrypt(self, connection):
        """Waits until bluetoothd asks for it, before the first request.

        bluetoothd ends a link that is encrypted before it asks (src/device.c: device_attach_att; setting BT_SECURITY
        fails with EINVAL), and loses what it responds between asking and encryption (ENOTCONN).
        """
        try:
            await asyncio.wait_for(self.asked_for_security.wait(), SECURITY_LIMIT)
        except TimeoutError:
            pass  # bluetoothd has no keys
        await connection.encrypt()

    def watch(self, connection):
        connection.gatt_client = RecordingClient(self, connection)
        self.asked_for_security = asyncio.Event()
        connection.on(connection.EVENT_SECURITY_REQUEST, lambda *_: self.asked_for_security.set())
        self.pairing.watch(connection)

    async def drop_links(self):
        connections = list(self.device.connections.values())
        for connection in connections:
            await connection.disconnect()
        return len(connections)

    async def vanish(self):
        links = len(self.device.connections)
        self.adapter.lose(self.controller)
        while self.device.connections:
            await asyncio.sleep(0.001)
        return links

    def receive(self, kind, pdu):
        self.values.append((kind, pdu.attribute_handle, pdu.attribute_value))

    def confirm(self, on):
        self.confirms = on
        while on and self.unconfirmed:
            client = self.unconfirmed.pop()
            if client is getattr(self.connection, "gatt_client", None):
                client.confirm()

    async def request(self, pdu):
        """The response; an error response as well."""
        return await self.client.send_request(pdu)

    async def discover(self):
        self.services = await discover(self.client)
        return self.services

    async def find_characteristic(self, uuid):
        if not self.services:
            await self.discover()
        wanted = parse_uuid(uuid)
        for service in self.services:
            for item in service.characteristics:
                if item.uuid == wanted:
                    return item
        raise ValueError(f"no characteristic {uuid}")

    def describe(self, handle):
        """The UUID of the characteristic with this value handle; the handle if it has not been discovered."""
        for service in self.services:
            for item in service.characteristics:
                if item.handle == handle:
                    return full_uuid(item.uuid)
        return f"{handle:04x}"

    async def read(self, handle, offset):
        if offset:
            request = att.ATT_Read_Blob_Request(attribute_handle=handle, value_offset=offset)
        else:
            request = att.ATT_Read_Request(attribute_handle=handle)
        response = await self.request(request)
        code = error_code(response)
        if code:
            return code, b""
        return 0, response.part_attribute_value if offset else response.attribute_value

    async def read_long(self, handle):
        """Reads parts until one is shorter than a part can be."""
        value = b""
        while True:
            code, part = await self.read(handle, len(value))
            if code:
                return code, b""
            value += part
            if len(part) < self.client.mtu - 1:
                return 0, value

    async def write(self, handle, value):
        return error_code(await self.request(att.ATT_Write_Request(attribute_handle=handle, attribute_value=value)))

    async def write_command(self, handle, value):
        await self.client.send_command(att.ATT_Write_Command(attribute_handle=handle, attribute_value=value))

    async def prepare(self, handle, parts, execute):
        for offset, value in parts:
            request = att.ATT_Prepare_Write_Request(
                attribute_handle=handle, value_offset=offset, part_attribute_value=value
            )
            code = error_code(await self.request(request))
            if code:
                return code
        return error_code(await self.request(att.ATT_Execute_Write_Request(flags=1))) if execute else 0

    async def subscribe(self, uuid, kind):
        item = await self.find_characteristic(uuid)
        found = [each.handle for each in item.descriptors if each.type == CCCD]
        if not found:
            raise ValueError(f"the characteristic {uuid} has no configuration descriptor")
        return await self.write(found[0], SUBSCRIPTIONS[kind])

    async def pair(self):
        if self.connection is None:
            raise ValueError("the central has no link")
        self.pairing.clear()
        try:
            await asyncio.wait_for(self.connection.pair(), PAIRING_LIMIT)
        except (core.ProtocolError, asyncio.CancelledError):
            return False
        return True


def error_code(response):
    return response.error_code if response.op_code == att.Opcode.ATT_ERROR_RESPONSE else 0
