"""Command line.

    lumenfleet dim LAMP LEVEL      level in percent, 0 switches off
    lumenfleet rollout IMAGE       firmware to all lamps, canaries first
    lumenfleet where LAMP          last known position
    lumenfleet replay FILE         feeds a recorded night into the simulator
"""
import argparse

from .dimming import dim
from .rollout import rollout


def main(argv: list[str] | None = None) -> int:
    """Exit code 0 done, 3 some lamps did not answer, 4 refused by the safety rules."""
    parser = argparse.ArgumentParser("lumenfleet")
    parser.add_argument("--gateway", default="coap://127.0.0.1:5683")
    parser.add_argument("--jobs", type=int, default=24, help="lamps spoken to at the same time")
    ...
