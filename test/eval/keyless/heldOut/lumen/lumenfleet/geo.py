"""Positions. Lamps have no GPS; where they are was walked with a tablet in 2022."""


def nearest(lamp: Lamp, lamps: list[Lamp], within_m: float = 35.0) -> Lamp | None:
    """For motion: a passer-by wakes the next lamp ahead, too."""
    ...
