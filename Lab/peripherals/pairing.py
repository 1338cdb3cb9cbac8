"""The peer's side of pairing: what it can show and enter, what it answers, and the keys that it keeps."""

import asyncio

from bumble import att
from bumble.keys import MemoryKeyStore
from bumble.pairing import PairingConfig, PairingDelegate

CAPABILITIES = {
    "none": PairingDelegate.IoCapability.NO_OUTPUT_NO_INPUT,
    "display-only": PairingDelegate.IoCapability.DISPLAY_OUTPUT_ONLY,
    "display-yes-no": PairingDelegate.IoCapability.DISPLAY_OUTPUT_AND_YES_NO_INPUT,
    "keyboard-only": PairingDelegate.IoCapability.KEYBOARD_INPUT_ONLY,
    "keyboard-display": PairingDelegate.IoCapability.DISPLAY_OUTPUT_AND_KEYBOARD_INPUT,
}
# Bumble takes a passkey of zero for none.
PASSKEYS = range(1, 1_000_000)


class Pairing:
    """The settings of a peer, and what its user saw. A test is that user."""

    def __init__(self, device):
        self.device = device
        device.pairing_config_factory = self.configuration
        self.forget()
        self.configure()

    def configure(self, io="none", accept=True, compare=True, sc=True, mitm=False, bonding=True, passkey=None):
        """How the next pairing goes. `passkey` is what the peer shows; None lets it choose."""
        if io not in CAPABILITIES:
            raise ValueError(f"io must be one of {', '.join(CAPABILITIES)}")
        if passkey is not None and passkey not in PASSKEYS:
            raise ValueError("passkey must be a number from 1 to 999999")
        for name, value in (("accept", accept), ("compare", compare), ("sc", sc), ("mitm", mitm), ("bonding", bonding)):
            if not isinstance(value, bool):
                raise ValueError(f"{name} must be true or false")
        self.settings = {"io": io, "sc": sc, "mitm": mitm, "bonding": bonding}
        self.accepts = accept
        self.agrees = compare
        self.passkey = passkey
        self.clear()

    def clear(self):
        """Forgets what the user saw."""
        self.shown = None
        self.compared = None
        self.failure = None
        self.asked = False
        self.entry = None

    def forget(self):
        """Drops the keys of every central."""
        self.device.keystore = MemoryKeyStore()

    def configuration(self, _connection):
        return PairingConfig(
            sc=self.settings["sc"],
            mitm=self.settings["mitm"],
            bonding=self.settings["bonding"],
            delegate=Delegate(self),
        )

    def watch(self, connection):
        """Notes how the pairing of a link ends."""
        connection.on("pairing_failure", self.on_failure)
        # Without this, a second attempt on the same link meets the session that failed.
        connection.on("pairing_failure", lambda _: self.device.smp_manager.sessions.pop(connection.handle, None))

    def on_failure(self, reason):
        self.failure = getattr(reason, "name", str(reason)).lower().replace("_", "-")
        if self.entry is not None and not self.entry.done():
            self.entry.cancel()

    def enter(self, passkey):
        """The user types a passkey; None cancels."""
        if passkey is not None and passkey not in PASSKEYS:
            raise ValueError("passkey must be a number from 1 to 999999, or null")
        if self.entry is None or self.entry.done():
            raise ValueError("nobody asks for a passkey")
        self.entry.set_result(passkey)

    async def require_encryption(self, connection):
        """The ATT error of a value for paired centrals, or 0."""
        return 0 if connection.encryption else att.ATT_INSUFFICIENT_ENCRYPTION_ERROR

    async def require_authentication(self, connection):
        """The ATT error of a value for centrals that somebody compared or typed a number for, or 0."""
        keys = await self.device.keystore.get(str(connection.peer_address))
        authenticated = keys is not None and self.is_authenticated(keys)
        return 0 if connection.encryption and authenticated else att.ATT_INSUFFICIENT_AUTHENTICATION_ERROR

    @staticmethod
    def is_authenticated(keys):
        return any(each.authenticated for each in (keys.ltk, keys.ltk_central, keys.ltk_peripheral) if each)

    async def state(self):
        """What the user saw, and the keys that are kept."""
        answer = {"asked": self.asked, "shown": self.shown, "compared": self.compared, "failure": self.failure}
        keys = [each for _, each in await self.device.keystore.get_all()]
        links = list(self.device.connections.values())
        answer["bonds"] = len(keys)
        answer["encrypted"] = any(bool(each.encryption) for each in links)
        # Keys of LE Secure Connections are one for both sides; legacy pairing has one for each.
        answer["sc"] = any(each.ltk is not None for each in keys)
        answer["authenticated"] = any(self.is_authenticated(each) for each in keys)
        return answer


class Delegate(PairingDelegate):
    """Bumble's questions, answered by a `Pairing`."""

    def __init__(self, pairing):
        super().__init__(CAPABILITIES[pairing.settings["io"]])
        self.pairing = pairing

    async def accept(self):
        self.pairing.clear()
        return self.pairing.accepts

    async def compare_numbers(self, number, digits):
        self.pairing.compared = number
        return self.pairing.agrees

    async def get_number(self):
        self.pairing.asked = True
        self.pairing.entry = asyncio.get_running_loop().create_future()
        return await self.pairing.entry

    async def generate_passkey(self):
        if self.pairing.passkey is not None:
            return self.pairing.passkey
        return await super().generate_passkey() or 1

    async def display_number(self, number, digits):
        self.pairing.shown = number
