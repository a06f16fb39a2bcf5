"""Whether the quick tests of a part notice that it was broken: ``python tests/benchmarks/mutations.py [PART…]``.

Each mutation is one text of a module replaced by another, in a copy of this clone. It is found if the part's quick tests fail.
Prints a line for each; exits 1 if one was not found, or if its text is no longer in the module.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# part: its module, the files with its tests, and what is replaced by what
MUTATIONS = {
    "gates": (
        "approval/gates.py",
        "tests/core/test_gates.py tests/agent/test_risky.py tests/agent/test_policy_runs.py",
        [
            (
                '_ALWAYS_ASKED = ("budget", "context", "output", "host", "link")',
                '_ALWAYS_ASKED = ("budget", "context", "output")',
            ),
            ("or _place(decision) != _place(proposed)", ""),
            ("if not answer.is_for(proposed):", "if False:"),
            ("and not exposure(proposed.boundary)\n", "\n"),
            ('if mode == "auto" and not proposed.needs:', 'if mode == "auto":'),
        ],
    ),
    "permit": (
        "permit.py",
        "tests/core/test_permit.py tests/core/test_gates.py",
        [
            ("        del _unspent[nonce]\n", ""),
            ("if known is None or known is not allowed:", "if known is None:"),
            ("if sha256(allowed.text) != allowed.sha256:", "if not allowed.sha256:"),
            ("edited=final != proposed.text", "edited=text is not None"),
            ("sha256=sha256(final)", "sha256=sha256(proposed.text)"),
        ],
    ),
    "step": (
        "executors/step.py",
        "tests/executors/test_hostile_worker.py tests/executors/test_hostile_values.py tests/executors/test_conformance.py "
        "tests/executors/test_local_limits.py",
        [
            ("if frames.size(frame.blobs[-1]) > 4 * longest:", "if False:"),
            ("if self._open_calls > CONCURRENT_CALLS or", "if"),
            ("if name not in self._executor.tools:", "if False:"),
            ("if not all(type(text) is str and len(text) <= MAX_TEXT for text in item.values()):", "if False:"),
            ("        self._clock.call()\n        refused", "        refused"),
        ],
    ),
    "redaction": (
        "core/redaction.py",
        "tests/core/test_redact.py",
        [
            ("end = max(end, stop)", "end = stop"),
            ("MIN_SECRET_CHARS = 8 ", "MIN_SECRET_CHARS = 12 "),
            ("{_hide(str(key), forms): _walk", "{str(key): _walk"),
            ("for form in encodings(secret)", "for form in (secret,)"),
            ("        return redact(held)\n", "        return held\n"),
        ],
    ),
    "values": (
        "worker/wire/values.py",
        "tests/worker tests/executors/test_values.py tests/executors/test_round_trip.py tests/executors/test_hostile_values.py "
        "tests/executors/test_step_after_step.py",
        [
            (
                'if not self.trusted:\n                raise wire.ForgedError("a pickle',
                'if False:\n                raise wire.ForgedError("a pickle',
            ),
            ("if depth <= 0:", "if depth <= -1000:"),
            ("if kind is list:\n", "if isinstance(value, list):\n"),
            ("or not 0 <= number < len(self._blobs)", "or not number < len(self._blobs)"),
            ("del self._blobs[before[0] :], self._pack[before[1] :]", "pass"),
        ],
    ),
    "loop": (
        "core/loop.py",
        "tests/core/test_loop.py tests/agent/test_asking_again.py tests/agent/test_driver.py tests/agent/test_hooks.py "
        "tests/agent/test_tool_calling.py",
        [
            ("if given != asked:", "if False:"),
            ("if checked.error is None:", "if True:"),
            ('return None if decision.then == "continue" else Ending', "return Ending"),
            (
                "if self._cut_off > _MAX_CUT_OFF_REPLIES:\n                raise",
                "if self._cut_off > 1000:\n                raise",
            ),
            (
                "if isinstance(decision, Allowed):\n                permits.append",
                "if decision:\n                permits.append",
            ),
        ],
    ),
}


def is_found(clone: Path, module: Path, source: str, tests: str) -> bool:
    """Return whether the tests fail with this source of a module."""
    module.write_text(source)
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests.split()]
    environment = {**os.environ, "PYTHONPATH": str(clone), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=clone, env=environment, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 2) or not re.search(r"\d (passed|failed|error)", done.stdout):  # 2: stopped by -x
        sys.exit(f"pytest did not run:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.returncode != 0


def main() -> int:
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        git = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=True)
        for name in filter(None, listed.stdout.split("\0")):
            if (ROOT / name).is_file():
                (clone / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, clone / name)
        for part in sys.argv[1:] or MUTATIONS:
            path, tests, replacements = MUTATIONS[part]
            module = clone / "smolcell" / path
            source = module.read_text()
            if is_found(clone, module, source, tests):
                sys.exit(f"the tests of {part} fail without a mutation: {tests}")
            for old, new in replacements:
                if source.count(old) != 1:
                    sys.exit(f"{path} does not hold {old!r} once: choose another mutation")
                started = time.monotonic()
                found = is_found(clone, module, source.replace(old, new), tests)
                missed += not found
                print(
                    f"{'found ' if found else 'MISSED'} {time.monotonic() - started:5.0f} s  {path}: {old.strip()!r} -> {new.strip()!r}",
                    flush=True,
                )
            module.write_text(source)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
