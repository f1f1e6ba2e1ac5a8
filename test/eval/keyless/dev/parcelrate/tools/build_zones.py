"""Builds data/zones.json from the carriers' snapshots.

Snapshots are CSV files named zones-CARRIER-DATE.csv. Conflicts are settled for the dearer zone.
"""
import json
from pathlib import Path

import polars as pl

MAX_ZONE = 9


def read_snapshot(path: Path) -> pl.DataFrame:
    """Reads one snapshot; raises StaleSnapshot when it is older than max_age_days."""
    age = (today() - date_of(path)).days
    if age > settings()["max_age_days"]:
        raise StaleSnapshot(path, age)
    return pl.read_csv(path, dtypes={"postcode": pl.Utf8})  # leading zeros!


def merge(frames: list[pl.DataFrame]) -> pl.DataFrame:
    return pl.concat(frames).group_by(["postcode", "country"]).agg(pl.col("zone").max())


class StaleSnapshot(Exception):
    def __init__(self, path, age):
        super().__init__(f"{path.name} is {age} days old, ask the carrier for a new one")
