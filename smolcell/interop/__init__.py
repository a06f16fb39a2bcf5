"""Connects smolcell's sandboxes and approval to other agent frameworks and protocols.

Imports public names of the core; the core does not import it.
"""
