"""Firmware rollout.

Canaries are chosen so that each district and each hardware revision has at least one.
If more than 1 in 40 canaries doesn't come back within 11 minutes the rollout stops and stays stopped
until somebody runs ``lumenfleet rollout --acknowledge``.
"""
CANARY_MINUTES = 11
FAILED_SHARE = 1 / 40
CHUNK = 512  # bytes; 1024 broke the R3 boards (their radio buffer is 600)


async def rollout(image: bytes, lamps: list[Lamp]) -> None:
    ...


def signature_ok(image: bytes, key: bytes) -> bool:
    """Ed25519 over everything but the last 64 bytes."""
    ...
