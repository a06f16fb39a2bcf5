"""The protocol between host and worker: frames, values, tables. Standard library only.

Imports its siblings in ``worker`` only.
"""
