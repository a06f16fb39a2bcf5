"""Objects of plotting libraries are displayed in a guarded sandbox, and later imports go on to work."""

from __future__ import annotations

import pytest

pytest.importorskip("ipywidgets")

from smolcell.executors.local import LocalPythonExecutor


def test_an_import_works_after_a_displayed_object_has_loaded_traitlets() -> None:
    with LocalPythonExecutor(["traitlets.*", "ipywidgets.*"], timeout=120) as executor:
        executor(
            "import traitlets\nclass Shown:\n    def _repr_html_(self):\n        return '<b>x</b>'\ndisplay(Shown())"
        )
        result = executor(
            "import ipywidgets\nimport colorsys\nslider = ipywidgets.IntSlider(3)\ndisplay(slider)\nslider.value"
        )
    assert result.output == 3
