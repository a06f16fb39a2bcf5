"""Other agent frameworks and protocols, over smolcell's sandboxes and approval."""
