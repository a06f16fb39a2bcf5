"""Connects smolcell's sandboxes and approval to other agent frameworks and protocols."""
