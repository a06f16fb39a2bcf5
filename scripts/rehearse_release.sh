#!/usr/bin/env bash
# Build what is released, and check it: the documentation, sdist and wheel, their metadata, and the wheel built from the sdist. Nothing is uploaded. Usage: bash scripts/rehearse_release.sh [FOLDER, dist by default]; needs uv.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
target=${1:-dist}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

uv venv --quiet --python 3.11 "$work/venv"
uv pip install --quiet --python "$work/venv/bin/python" -e '.[docs,lab,data]' build twine nbclient nbformat
(PATH="$work/venv/bin:$PATH" && mkdocs build --quiet --strict)
rm -rf "$target"
"$work/venv/bin/python" -m build --installer uv --outdir "$target"
"$work/venv/bin/twine" check --strict "$target"/*
uv build --quiet --wheel --out-dir "$work/again" "$target"/*.tar.gz # the page's code is in the sdist: no Node is needed
diff <(unzip -Z1 "$target"/*.whl | sort) <(unzip -Z1 "$work/again"/*.whl | sort)
ls -l "$target"
