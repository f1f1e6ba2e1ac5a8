"""CoAP to the gateways.

Confirmable messages only; a lost acknowledgement is repeated after 2.5 s, 5 s, 10 s, then the lamp counts as silent.
"""


class Gateway:
    """One per district. Keeps a token bucket of 8 messages a second, the duty cycle of the band allows no more."""

    async def put(self, lamp_id: str, path: str, payload: bytes) -> None:
        """Raises Silent after the last repetition."""
        ...

    async def observe(self, lamp_id: str):
        """Yields readings; a lamp reports on change and at least every 6 hours."""
        ...
