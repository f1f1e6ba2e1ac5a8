"""Readings go to Postgres, partitioned by month.

Partitions older than 27 months are detached and written to Parquet by the job ``archive``.
"""
BATCH = 2000
FLUSH_S = 5
