#!/usr/bin/env bash
# Install a wheel of this clone in a new environment and use it: bash scripts/try_wheel.sh RESOLUTION PYTHON…
# RESOLUTION is uv's: lowest-direct (the oldest dependencies that pyproject.toml allows) or highest. Needs uv.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
resolution=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
uv build --quiet --wheel --out-dir "$work"
for python in "$@"; do
    uv venv --quiet --clear --python "$python" "$work/venv"
    uv pip install --quiet --python "$work/venv/bin/python" --resolution "$resolution" "$(ls "$work"/*.whl)[data]"
    cp notebooks/02-approvals.jsonl "$work"
    (cd "$work" && venv/bin/python -VV && venv/bin/smolcell --version &&
        venv/bin/python -W error -c 'import smolcell' &&
        venv/bin/smolcell run --replay 02-approvals.jsonl --approve auto "Count to eight, slowly.")
done
