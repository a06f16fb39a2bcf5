"""Views of a run: the widget in a notebook, the terminal, and the static transcript. Importing is cheap.

Imports ``approval``, ``machine``, ``core`` and what is below them.
"""
