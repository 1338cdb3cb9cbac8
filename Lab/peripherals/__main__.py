"""Plays the adapter and its peripherals until it is killed: python -m peripherals --control SOCKET"""

import argparse
import asyncio
import logging

from bumble.transport import open_transport

from .beacons import BEACONS
from .central import Central
from .control import Control
from .gatt_peers import GATT_PEERS
from .issc_reader import ISSCReader
from .link import AdapterController, KernelSink, RadioLink
from .nordic_uart import NordicUART
from .probe import Probe
from .sensortag import SensorTag
from .sensortag2650 import SensorTag2650

PERIPHERALS = [SensorTag, SensorTag2650, Probe, *GATT_PEERS, *BEACONS, NordicUART, ISSCReader]
ADAPTER_ADDRESS = "C0:B1:00:00:00:01"


async def play(transport_name, control_path):
    link = RadioLink()
    async with await open_transport(transport_name) as transport:
        loop, sink = asyncio.get_running_loop(), KernelSink(transport.sink)
        adapter = AdapterController("adapter", link, f"{ADAPTER_ADDRESS}/P", loop, transport.source, sink)
        peripherals = [made(link, adapter) for made in PERIPHERALS]
        central = Central(link, adapter)
        for each in [*peripherals, central]:
            await each.start()
        server = await Control(peripherals, central).serve(control_path)
        async with server:
            await transport.source.wait_for_termination()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--transport", default="vhci", help="where Linux finds its controller")
    parser.add_argument("--control", required=True, help="path of the control socket")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.DEBUG if arguments.verbose else logging.INFO)
    asyncio.run(play(arguments.transport, arguments.control))


main()
