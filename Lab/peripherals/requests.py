"""The arguments of a request of the control channel."""


def number(request, key, default, low, high):
    value = request.get(key, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
        raise ValueError(f"{key} must be a number from {low} to {high}")
    return value


def octets(request, key):
    try:
        return bytes.fromhex(request[key])
    except (KeyError, TypeError, ValueError):
        raise ValueError(f"{key} must be hexadecimal digits") from None


def flag(request, key, default):
    value = request.get(key, default)
    if not isinstance(value, bool):
        raise ValueError(f"{key} must be true or false")
    return value
