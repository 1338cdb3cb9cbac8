"""A radio link and controllers on which Linux behaves as it does on real hardware.

Bumble's own virtual controller departs from hardware in ways that bluetoothd notices. Each override says which.
"""

import asyncio
import dataclasses
import errno
import os

from bumble import core, hci, ll
from bumble.controller import Controller, LegacyAdvertiser
from bumble.hci import LeFeatureMask
from bumble.link import LocalLink

ADVERTISED_RSSI = -50
ADVERTISING_SLOT = 0.000625
AdvertisingType = hci.HCI_LE_Set_Advertising_Parameters_Command.AdvertisingType


class KernelSink:
    """Writes to /dev/vhci.

    Linux refuses what arrives after the adapter was switched off (hci_recv_frame: ENXIO), such as the response to a
    command that it no longer waits for. Bumble's sink takes that for the end of the file, and closes the controller.
    """

    def __init__(self, sink):
        self.descriptor = sink.transport.get_extra_info("pipe").fileno()

    def on_packet(self, packet):
        try:
            os.write(self.descriptor, packet)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise


class RadioLink(LocalLink):
    """Delivers data by the addresses of the connection."""

    def send_acl_data(self, sender_controller, destination_address, transport, data):
        """Uses the connection's own address: Linux scans with a random address and connects with its public one."""
        connection = sender_controller.le_connections.get(destination_address)
        if transport != core.PhysicalTransport.LE or connection is None:
            return
        receiver = self.find_le_controller(destination_address)
        if receiver is not None:
            receiver.loop.call_soon(receiver.on_link_acl_data, connection.self_address, transport, data)

    def send_ll_control_pdu(self, sender_address, receiver_address, packet):
        """Drops what is sent to a device that is gone, as the air does."""
        if self.find_le_controller(receiver_address) is not None:
            super().send_ll_control_pdu(sender_address, receiver_address, packet)


@dataclasses.dataclass
class AdapterAdvertiser(LegacyAdvertiser):
    """Advertises at the interval of the host, and also so that nobody can connect."""

    def _on_timer_fired(self):
        """Bumble takes units of 0.625 ms for milliseconds."""
        self.send_advertising_data()
        interval = self.advertising_interval_min * ADVERTISING_SLOT
        self.timer_handle = asyncio.get_running_loop().call_later(interval, self._on_timer_fired)

    def send_advertising_data(self):
        """Bumble sends nothing that cannot be connected to."""
        if self.enabled and self.advertising_type in (AdvertisingType.ADV_SCAN_IND, AdvertisingType.ADV_NONCONN_IND):
            self.controller.send_advertising_pdu(ll.AdvNonConnInd(self.address, self.advertising_data))
        else:
            super().send_advertising_data()


class LabController(Controller):
    """What both ends have in common."""

    le_acl_data_packet_length = 251
    supported_max_tx_octets = 251
    supported_max_rx_octets = 251
    suggested_max_tx_octets = 251

    def __init__(self, name, link, public_address, loop, host_source=None, host_sink=None):
        self.loop = loop
        super().__init__(name, host_source=host_source, host_sink=host_sink, link=link, public_address=public_address)

    def on_le_disconnected(self, connection, reason):
        """A link ends once, even if both ends end it."""
        if self.le_connections.get(connection.peer_address) is connection:
            super().on_le_disconnected(connection, reason)

    def on_hci_le_create_connection_cancel_command(self, _command):
        """Ends the pending connection with an event, which the kernel waits for."""
        pending = self.pending_le_connection
        if pending is None:
            return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.COMMAND_DISALLOWED_ERROR)
        self.pending_le_connection = None
        self.loop.call_soon(self.report_cancelled, pending)
        return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.SUCCESS)

    def report_cancelled(self, pending):
        self.send_hci_packet(
            hci.HCI_LE_Connection_Complete_Event(
                status=hci.HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR,
                connection_handle=0,
                role=hci.Role.CENTRAL,
                peer_address_type=pending.peer_address_type,
                peer_address=pending.peer_address,
                connection_interval=0,
                peripheral_latency=0,
                supervision_timeout=0,
                central_clock_accuracy=0,
            )
        )


class PeripheralController(LabController):
    """The radio of a peripheral. Legacy advertising only, as the SensorTag's."""

    le_features = LabController.le_features & ~(
        LeFeatureMask.LL_PRIVACY | LeFeatureMask.LE_EXTENDED_ADVERTISING | LeFeatureMask.LE_PERIODIC_ADVERTISING
    )


class AdapterController(LabController):
    """The controller that Linux drives.

    Without these three features the kernel uses the legacy commands, which Bumble answers completely. With them it
    waits for LE Enhanced Connection Complete, which Bumble does not send.
    """

    le_features = PeripheralController.le_features

    def __init__(self, *arguments, **keywords):
        super().__init__(*arguments, **keywords)
        self.le_legacy_advertiser = AdapterAdvertiser(self)

    def on_advertising_pdu(self, pdu):
        """Reports the scan response as such, and only when Linux scans actively."""
        if self.le_scan_enable:
            kind = hci.HCI_LE_Advertising_Report_Event.EventType
            self.report(kind.ADV_IND, pdu.advertiser_address, pdu.data)
            sender = self.link.find_le_controller(pdu.advertiser_address)
            if self.le_scan_type == 1 and sender is not None:
                response = sender.le_legacy_advertiser.scan_response_data
                self.report(kind.SCAN_RSP, pdu.advertiser_address, response)
        pending = self.pending_le_connection
        if pending is not None and pending.peer_address == pdu.advertiser_address:
            self.create_le_connection(pdu.advertiser_address)

    def report(self, kind, address, data):
        entry = hci.HCI_LE_Advertising_Report_Event.Report(
            event_type=kind,
            address_type=address.address_type,
            address=address,
            data=data,
            rssi=ADVERTISED_RSSI,
        )
        self.send_hci_packet(hci.HCI_LE_Advertising_Report_Event([entry]))

    def on_hci_reset_command(self, command):
        """Forgets scans and links: the peers notice by their supervision timeouts."""
        self.le_scan_enable = False
        self.pending_le_connection = None
        self.le_legacy_advertiser.stop()
        for connection in list(self.le_connections.values()):
            connection.send_ll_control_pdu(ll.TerminateInd(hci.HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR))
        self.le_connections.clear()
        return super().on_hci_reset_command(command)

    def lose(self, peripheral):
        """Both ends of every link to `peripheral` run into the supervision timeout; nothing is sent on the air."""
        timeout = hci.HCI_ErrorCode.CONNECTION_TIMEOUT_ERROR
        for connection in list(peripheral.le_connections.values()):
            peripheral.on_le_disconnected(connection, timeout)
        for connection in list(self.le_connections.values()):
            if connection.peer_address == peripheral.public_address:
                self.on_le_disconnected(connection, timeout)
