"""Mechanisms of the operating system: walls, processes, folders, the reaper. Standard library only.

Imports its siblings in ``worker`` only.
"""
