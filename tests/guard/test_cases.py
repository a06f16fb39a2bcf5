"""Programs that the guard refuses and programs that do not notice it: the cases of ``cases/*.txt``."""

from __future__ import annotations

import pytest
from guarded import Case, Session, Taken, cases, refused

from smolcell.worker.guard.imports import ForbiddenError
from smolcell.worker.guard.transformer import Refusal


@cases("cases")
def test_a_program_ends_as_its_case_says(case: Case) -> None:
    session = Session(*case.imports)
    if case.end.startswith("=> "):
        assert session.run(case.code) == case.value
        return
    with pytest.raises(Exception) as caught:
        session.run(case.code)
    assert not isinstance(caught.value, Taken), caught.value
    error, end = caught.value, case.end.removeprefix("=! ")
    said = str(error) if isinstance(error, ForbiddenError) else f"{type(error).__name__}: {error}"
    if end.startswith("line ") and isinstance(error, Refusal):
        said = f"line {error.line}: {said}"
    assert said.startswith(end)


@pytest.mark.parametrize(
    "name",
    """
    get_event_loop_policy Runner to_thread SubprocessProtocol Protocol AbstractEventLoop SelectorEventLoop
    _get_running_loop StreamReader create_subprocess_shell open_connection start_server run_coroutine_threadsafe
    _set_running_loop
    """.split(),
)
def test_asyncio_hands_out_no_loop_and_no_process(name: str) -> None:
    for read in (f"asyncio.{name}", f"from asyncio import {name}", f"getattr(asyncio, '{name}')"):
        assert refused(f"import asyncio\n{read}").startswith("Forbidden access to ")
