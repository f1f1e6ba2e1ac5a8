"""When lamps are on: sunset and sunrise with offsets, and the curve between."""
from datetime import time

# minutes after sunset / before sunrise
ON_OFFSET = 12
OFF_OFFSET = 18

CURVE = [
    (time(22, 0), 80),
    (time(0, 30), 45),
    (time(4, 45), 80),
]


def level_at(moment, position, fog: bool) -> int:
    """Fog beats the curve: always 100."""
    if fog:
        return 100
    ...
