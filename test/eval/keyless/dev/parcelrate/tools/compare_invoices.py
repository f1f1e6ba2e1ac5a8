"""Compares what we quoted with what the carriers billed.

A difference below 2 % or 0.30 EUR is ignored; everything else lands in out/differences.csv.
Run monthly, on the third working day, when Dolomiti's invoice is in.
"""
import typer

TOLERANCE_SHARE = 0.02
TOLERANCE_EUR = 0.30


def main(invoices: str, quotes: str, out: str = "out/differences.csv"):
    """Joins on the tracking number. Invoices without a quote are listed as 'orphans'."""
    ...


if __name__ == "__main__":
    typer.run(main)
