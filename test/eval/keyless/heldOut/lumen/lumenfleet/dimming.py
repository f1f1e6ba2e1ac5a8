"""Dimming of single lamps and of streets."""

MIN_LEVEL_CROSSING = 60  # percent; law, not taste: crossings may never be darker


class TooDark(Exception):
    """A crossing would get darker than MIN_LEVEL_CROSSING."""


async def dim(lamp: Lamp, level: int, fade_s: float = 4.0) -> None:
    """Fades a lamp to a level.

    Below 12 % the driver hums, so that 1 to 11 are raised to 12.
    """
    if lamp.is_crossing and level < MIN_LEVEL_CROSSING:
        raise TooDark(lamp)
    if 0 < level < 12:
        level = 12
    await lamp.put("/d", pack(level, fade_s))


async def dim_street(street: Street, level: int) -> Report:
    """Every second lamp first, the others 90 seconds later: nobody shall stand in a dark street."""
    ...
