from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from origins import NAME, Origin, origin, sandboxes, tls_context

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
    with sandboxes(LocalPythonExecutor) as make:
        yield make
