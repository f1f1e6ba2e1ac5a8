"""Poor man's load test: 50 virtual shops, each 1 quote a second for 10 minutes.

Target: p95 below 900 ms. Last measured 2025-04-02: p95 740 ms, p99 2.9 s (Dolomiti).
"""
SHOPS = 50
SECONDS = 600
