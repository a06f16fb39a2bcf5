from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from origins import NAME, Origin, origin, tls_context

from smolcell import LocalPythonExecutor
from smolcell.network.certificates import Issuer


@pytest.fixture(scope="session")
def issuer() -> Issuer:
    return Issuer()


@pytest.fixture
def trusted(issuer: Issuer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Issuer:
    """The authority of the servers is trusted by this process, and so by its sandboxes."""
    path = tmp_path / "authority.pem"
    path.write_text(issuer.certificate)
    monkeypatch.setenv("SSL_CERT_FILE", str(path))
    return issuer


@pytest.fixture
def plain() -> Iterator[Any]:
    with origin() as server:
        yield server


@pytest.fixture
def secure(trusted: Issuer, tmp_path: Path) -> Iterator[Any]:
    with origin(Origin, tls_context(trusted, tmp_path, NAME)) as server:
        yield server


@pytest.fixture
def sandbox() -> Iterator[Callable[..., LocalPythonExecutor]]:
    """Makes sandboxes for which every name under .test leads to this machine; they are closed afterwards."""
    with ExitStack() as stack:

        def make(*hosts: str, **options: Any) -> LocalPythonExecutor:
            options.setdefault("python", "full")
            made = stack.enter_context(LocalPythonExecutor(allow_hosts=hosts, **options))
            made.resolve = lambda host, port: ["127.0.0.1"]  # type: ignore[method-assign]
            return made

        yield make
