"""Discovers the services of a GATT server: those that are primary, and those that are only included."""

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
        await client.discover_included_services(service)
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


def describe(service):
    """A service as the control channel shows it."""
    return {
        "uuid": full_uuid(service.uuid),
        "handle": service.handle,
        "primary": service.type == KINDS[True],
        "includes": [each.handle for each in service.included_services],
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
