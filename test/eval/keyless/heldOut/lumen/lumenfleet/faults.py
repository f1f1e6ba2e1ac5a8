"""Guesses what is wrong with a lamp from its readings."""
from enum import Enum


class Fault(Enum):
    DRIVER = "driver"        # power below 60 % of what the level asks for
    WATER = "water"          # humidity in the housing over 85 % for three days
    DAYBURNER = "dayburner"  # on while the sun is up
    TILTED = "tilted"        # accelerometer off by more than 7 degrees: a lorry, mostly
    SILENT = "silent"


def guess(readings: list[Reading]) -> Fault | None:
    """At most one, the first that fits in the order above."""
    ...
