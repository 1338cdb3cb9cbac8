"""Discovers the services of a GATT server: those that are primary, and those that are only included."""

import struct

from bumble import att, gatt
from bumble.core import UUID
from bumble.gatt_client import ServiceProxy

from .database import full_uuid

KINDS = {True: gatt.GATT_PRIMARY_SERVICE_ATTRIBUTE_TYPE, False: gatt.GATT_SECONDARY_SERVICE_ATTRIBUTE_TYPE}


async def discover(client):
    """All services with what is in them, by handle."""
    services = [service for primary in KINDS for service in await discover_groups(client, primary)]
    services.sort(key=lambda each: each.handle)
    for service in services:
        service.includes = await discover_includes(client, service)
        for item in await client.discover_characteristics([], service):
            await client.discover_descriptors(item)
    return services


async def discover_groups(client, primary):
    services = []
    start = 1
    while start <= 0xFFFF:
        response = await client.send_request(
            att.ATT_Read_By_Group_Type_Request(
                starting_handle=start, ending_handle=0xFFFF, attribute_group_type=KINDS[primary]
            )
        )
        if response.op_code == att.Opcode.ATT_ERROR_RESPONSE:
            if response.error_code != att.ATT_ATTRIBUTE_NOT_FOUND_ERROR:
                raise ValueError(f"discovery ended with ATT error 0x{response.error_code:02x}")
            break
        for first, last, value in response.attributes:
            services.append(ServiceProxy(client, first, last, UUID.from_bytes(value), primary))
            start = last + 1
    return services


async def discover_includes(client, service):
    """The handles of the included services. Bumble expects a UUID in each declaration; one of 128 bits is left out."""
    handles = []
    start = service.handle
    while start <= service.end_group_handle:
        response = await client.send_request(
            att.ATT_Read_By_Type_Request(
                starting_handle=start,
                ending_handle=service.end_group_handle,
                attribute_type=gatt.GATT_INCLUDE_ATTRIBUTE_TYPE,
            )
        )
        if response.op_code == att.Opcode.ATT_ERROR_RESPONSE:
            break
        for handle, value in response.attributes:
            handles.append(struct.unpack_from("<H", value)[0])
            start = handle + 1
    return handles


def describe(service):
    """A service as the control channel shows it."""
    return {
        "uuid": full_uuid(service.uuid),
        "handle": service.handle,
        "primary": service.type == KINDS[True],
        "includes": service.includes,
        "characteristics": [
            {
                "uuid": full_uuid(item.uuid),
                "handle": item.handle,
                "properties": int(item.properties),
                "descriptors": [{"uuid": full_uuid(each.type), "handle": each.handle} for each in item.descriptors],
            }
            for item in service.characteristics
        ],
    }
