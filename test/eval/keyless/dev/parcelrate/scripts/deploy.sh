#!/usr/bin/env bash
# Two of the four pods at a time; a pod counts as good after 3 healthy answers.
set -euo pipefail
env=${1:?environment}
[ "$(date +%u)" -lt 5 ] || { echo "no deployments on Friday and at weekends"; exit 1; }
kubectl -n parcelrate set image deploy/api "api=$IMAGE"
kubectl -n parcelrate rollout status deploy/api --timeout=240s
