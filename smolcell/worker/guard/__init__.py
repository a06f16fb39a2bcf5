"""The checks of the code itself, for machines without walls and as a second line. Standard library only.

Imports its siblings in ``worker`` only.
"""
