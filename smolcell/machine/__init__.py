"""This machine: how packages of other people are imported, settings files, the state folder, and files that may be passed on.

Imports ``core`` and what is below it.
"""
