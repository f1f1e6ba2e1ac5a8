"""Normalises postcodes: NL '1012ab' -> '1012 AB', DE keeps leading zeros, PT '1000123' -> '1000-123'."""
import re

PATTERNS = {
    "NL": re.compile(r"^(\d{4})\s?([A-Z]{2})$"),
    "DE": re.compile(r"^\d{5}$"),
    "PT": re.compile(r"^(\d{4})-?(\d{3})$"),
}


def normalise(country: str, raw: str) -> str:
    """Raises ValueError with the country's example, so that support can paste it to the customer."""
    ...
