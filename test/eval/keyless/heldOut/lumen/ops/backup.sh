#!/bin/sh
# nightly 03:10, 35 days kept; restore was last tried 2025-01-17 (took 52 minutes)
pg_dump -Fc lumen | age -r "$BACKUP_KEY" > "/backup/lumen-$(date +%F).age"
find /backup -mtime +35 -delete
